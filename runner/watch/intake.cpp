// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/intake.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "runner/series/limits.h"
#include "runner/series/series.h"
#include "runner/watch/versions.h"

namespace kmatrix::watch {
namespace {

bool has(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

std::vector<std::string> missing_parts(const std::vector<int>& numbers, int total) {
    std::vector<std::string> missing;
    for (int number = 1; number <= total; ++number)
        if (!has(numbers, number))
            missing.push_back(fmt::format("{}/{}", number, total));
    return missing;
}

std::vector<SeriesMail> parsed(const std::vector<StoredMail>& stored) {
    std::vector<SeriesMail> mails;
    mails.reserve(stored.size());
    for (const StoredMail& mail : stored)
        mails.push_back({parse_mail(mail.raw), "mail " + mail.message_id});
    return mails;
}

// What the queue keeps of a whole series.
void describe(Entry& entry, const Series& series, const std::vector<SeriesMail>& mails) {
    const Letter& head = series.cover ? *series.cover : series.patches.front().letter;
    entry.subject = head.subject;
    entry.message_id = head.message_id;
    entry.references = join(head.references, "\n");
    entry.digest = digest_of(series.patches);
    entry.total = static_cast<int>(series.patches.size());
    for (const SeriesMail& mail : mails)
        if (mail.mail.message_id == head.message_id)
            entry.change_id = change_id_of(mail.mail);
}

} // namespace

Result<void> Intake::take(const std::string& inbox, const Mail& mail, std::int64_t now_s) {
    now_s_ = now_s;
    const MailSubject subject = parse_subject(mail.subject);
    const bool numbered = subject.number && subject.total;
    if (!subject.is_patch || subject.is_reply || mail.message_id.empty() ||
        mail.from.address.empty() || (!numbered && mail.diff.empty()) ||
        (numbered && *subject.number > *subject.total))
        return {};
    const auto earlier = queue_.of_mail(inbox, mail.message_id);
    if (!earlier)
        return tl::unexpected(earlier.error());
    if (*earlier)
        return {};
    const Incoming incoming{mail, subject, mail.references.empty() ? "" : mail.references.back(),
                            subject.number.value_or(1), subject.total.value_or(1)};
    Entry like;
    like.inbox = inbox;
    like.sender = lower(mail.from.address);
    like.version = subject.version;
    like.total = incoming.total;
    like.subject = mail.subject;
    if (!numbered) {
        const auto suggestion = answers_another(like, incoming);
        if (!suggestion || *suggestion)
            return suggestion.map([](bool) {});
    }
    auto entry = numbered ? series_of(like, incoming) : std::optional<Entry>();
    if (entry && !*entry)
        entry = open_series(like, incoming);
    if (!entry)
        return tl::unexpected(std::move(entry.error()));
    return *entry ? add(std::move(**entry), incoming) : Result<void>();
}

// Whether a patch alone is meant for a series that it answers ("this on top?"), and not for the
// tree: nothing to test by itself. Later versions are: "[PATCH v2] x" may answer v1.
Result<bool> Intake::answers_another(const Entry& like, const Incoming& incoming) {
    const std::vector<std::string>& ids = incoming.mail.references;
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
        const auto above = queue_.of_mail(like.inbox, *id);
        if (!above)
            return tl::unexpected(above.error());
        if (*above)
            return (*above)->version >= like.version &&
                   ((*above)->sender != like.sender || (*above)->total > 1);
    }
    return false;
}

// Whether the mail can be a part of this series: its place is free, or it replaces what is there. A
// queued series takes what came late.
Result<bool> Intake::accepts(const Entry& entry, const Incoming& incoming) {
    if (entry.total != 0 && incoming.total != 0 && entry.total != incoming.total)
        return false;
    if (!entry.directory.empty()) // begun before
        return false;
    if (incoming.subject.replaces > 0)
        return true;
    if (entry.state == State::queued && incoming.number != 0)
        return false;
    return queue_.numbers(entry.id).map(
        [&](const std::vector<int>& numbers) { return !has(numbers, incoming.number); });
}

Result<std::optional<Entry>> Intake::series_of(const Entry& like, const Incoming& incoming) {
    const std::vector<std::string>& ids = incoming.mail.references;
    const auto fitting = [&](Result<std::vector<Entry>> found) -> Result<std::optional<Entry>> {
        if (!found)
            return tl::unexpected(std::move(found.error()));
        for (Entry& entry : *found) {
            const auto fits = accepts(entry, incoming);
            if (!fits)
                return tl::unexpected(fits.error());
            if (*fits)
                return std::move(entry);
        }
        return std::nullopt;
    };
    for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
        auto entry = fitting(queue_.with_mail(like, *id));
        if (entry && !*entry && id == ids.rbegin()) // its sisters, where their parent is to come
            entry = fitting(queue_.with_answer(like, *id));
        if (!entry || *entry)
            return entry;
    }
    // Parts that came before the one that they answer.
    return fitting(queue_.with_answer(like, incoming.mail.message_id));
}

Result<std::optional<Entry>> Intake::open_series(Entry like, const Incoming& incoming) {
    if (incoming.subject.replaces > 0 && incoming.subject.number) {
        said_.push_back(
            fmt::format("{}: \"{}\" replaces a patch of a series that does not wait any "
                        "more, and is not tested",
                        like.inbox, incoming.mail.subject));
        return std::nullopt;
    }
    like.changed_s = now_s_;
    if (like.total > static_cast<int>(most_patches)) {
        if (incoming.number == 0) {
            like.state = State::refused;
            like.message_id = incoming.mail.message_id;
            like.reason =
                fmt::format("it says that it has {} patches, and kmatrix takes {} at most",
                            like.total, most_patches);
            said_.push_back(
                fmt::format("{}: {}: refused: {}", like.inbox, name_of(like), like.reason));
            if (auto id = queue_.add(like); !id)
                return tl::unexpected(std::move(id.error()));
        }
        return std::nullopt;
    }
    return queue_.add(like).map([&](std::int64_t id) {
        like.id = id;
        return std::optional(like);
    });
}

// In a deep thread, an answer may come before what binds it to the series.
Result<void> Intake::adopt_answers(Entry& entry, const Incoming& incoming) {
    auto others = queue_.with_answer(entry, incoming.mail.message_id);
    if (!others)
        return tl::unexpected(std::move(others.error()));
    for (const Entry& other : *others) {
        if (other.id == entry.id || other.state != State::waiting || other.total != entry.total)
            continue;
        const auto ours = queue_.numbers(entry.id), theirs = queue_.numbers(other.id);
        if (!ours || !theirs)
            return tl::unexpected(ours ? theirs.error() : ours.error());
        if (std::any_of(theirs->begin(), theirs->end(), [&](int n) { return has(*ours, n); }))
            continue;
        if (auto moved = queue_.move_mails(other.id, entry.id); !moved)
            return moved;
        if (auto removed = queue_.remove(other.id); !removed)
            return removed;
        entry.bytes += other.bytes;
    }
    return {};
}

Result<void> Intake::add(Entry entry, const Incoming& incoming) {
    const Mail& mail = incoming.mail;
    const auto is_new =
        queue_.add(StoredMail{entry.inbox, mail.message_id, entry.sender, incoming.parent, entry.id,
                              incoming.number, mail.raw});
    if (!is_new)
        return tl::unexpected(is_new.error());
    entry.bytes += static_cast<std::int64_t>(mail.raw.size());
    entry.total = std::max(entry.total, incoming.total);
    if (incoming.number == 0)
        entry.subject = mail.subject;
    if (entry.state == State::waiting)
        entry.changed_s = now_s_;
    if (incoming.subject.number)
        if (auto adopted = adopt_answers(entry, incoming); !adopted)
            return adopted;
    if (entry.bytes > static_cast<std::int64_t>(largest_series_bytes))
        return end(std::move(entry), State::refused,
                   fmt::format("its mails are larger than {} MiB", largest_series_bytes >> 20));
    if (auto saved = queue_.save(entry); !saved)
        return saved;
    if (entry.state == State::queued)
        return close(std::move(entry), fmt::format("with \"{}\", which came late", mail.subject));
    if (!incoming.subject.number)
        return close(std::move(entry), {});
    const auto whole = is_whole(entry);
    if (!whole || !*whole)
        return whole.map([](bool) {});
    return close(std::move(entry), {});
}

// All parts are there, and so is the cover letter, or none will come: nothing is above patch 1, or
// all the others answer it.
Result<bool> Intake::is_whole(const Entry& entry) {
    const auto numbers = queue_.numbers(entry.id);
    if (!numbers)
        return tl::unexpected(numbers.error());
    if (entry.total == 0 || !missing_parts(*numbers, entry.total).empty())
        return false;
    if (numbers->front() == 0)
        return true;
    return queue_.mails(entry.id).map([](const std::vector<StoredMail>& mails) {
        const StoredMail& first = mails.front();
        return first.parent.empty() ||
               (mails.size() > 1 &&
                std::all_of(mails.begin() + 1, mails.end(), [&](const StoredMail& mail) {
                    return mail.parent == first.message_id;
                }));
    });
}

Result<void> Intake::close(Entry entry, const std::string& note) {
    const auto stored = queue_.mails(entry.id);
    if (!stored)
        return tl::unexpected(stored.error());
    const std::vector<SeriesMail> mails = parsed(*stored);
    const Rule* rule = chosen(config_.rules, facts_of(entry.inbox, mails));
    if (!rule)
        return end(std::move(entry), State::unmatched, "no rule takes it");
    entry.rule = rule->name;
    entry.priority = rule->priority;
    const auto series = assemble_series(mails, entry.inbox);
    if (!series)
        return end(std::move(entry), State::refused, series.error().message);
    describe(entry, *series, mails);
    entry.reason = note;
    return put_in_queue(std::move(entry));
}

// Whether it must not be tested; what it supersedes leaves the queue.
Result<bool> Intake::is_outdated(Entry& entry) {
    auto others = queue_.from(entry.sender);
    if (!others)
        return tl::unexpected(std::move(others.error()));
    for (Entry& other : *others) {
        if (other.id == entry.id || other.version == entry.version || !is_one_series(other, entry))
            continue;
        const bool newer = other.version > entry.version;
        if (!newer && other.state != State::queued)
            continue;
        Entry& old = newer ? entry : other;
        const Entry& fresh = newer ? other : entry;
        if (auto ended = end(old, State::superseded,
                             fmt::format("by v{} <{}>", fresh.version, fresh.message_id));
            !ended)
            return tl::unexpected(std::move(ended.error()));
        if (newer)
            return true;
    }
    return false;
}

Result<void> Intake::put_in_queue(Entry entry) {
    const auto other_than = [&](const Result<std::vector<Entry>>& found) -> const Entry* {
        if (!found)
            return nullptr;
        const auto other = std::find_if(found->begin(), found->end(),
                                        [&](const Entry& one) { return one.id != entry.id; });
        return other == found->end() ? nullptr : &*other;
    };
    const auto same_mail = queue_.with_message_id(entry.message_id);
    if (const Entry* other = other_than(same_mail))
        return end(std::move(entry), State::known, "it came by " + other->inbox);
    const auto outdated = is_outdated(entry);
    if (!outdated || *outdated)
        return outdated.map([](bool) {});
    const auto same_diffs = queue_.with_digest(entry.digest);
    if (const Entry* other = other_than(same_diffs)) {
        const std::string reason = "its patches are those of " + name_of(*other);
        said_.push_back(fmt::format("{}: {}: {}", entry.inbox, name_of(entry), reason));
        return end(std::move(entry), State::known, reason);
    }
    if (!same_mail || !same_diffs)
        return tl::unexpected(same_mail ? same_diffs.error() : same_mail.error());
    entry.state = State::queued;
    entry.changed_s = now_s_;
    said_.push_back(fmt::format("{}: {} is whole ({} patch{}{}{}) and queued by rule {}",
                                entry.inbox, name_of(entry), entry.total,
                                entry.total == 1 ? "" : "es", entry.reason.empty() ? "" : ", ",
                                entry.reason, entry.rule));
    return queue_.save(entry);
}

Result<void> Intake::end(Entry entry, State state, std::string reason) {
    entry.state = state;
    entry.reason = std::move(reason);
    entry.changed_s = now_s_;
    if (state != State::unmatched && state != State::known)
        said_.push_back(fmt::format(
            "{}: {}: {}: {}", entry.inbox, name_of(entry),
            state == State::incomplete ? "gave up waiting" : to_string(state), entry.reason));
    if (auto forgotten = queue_.forget_raw(entry.id); !forgotten)
        return forgotten;
    return queue_.save(entry);
}

Result<void> Intake::give_up(Entry entry, const std::vector<int>& numbers) {
    const auto stored = queue_.mails(entry.id);
    if (!stored)
        return tl::unexpected(stored.error());
    const Rule* rule = chosen(config_.rules, facts_of(entry.inbox, parsed(*stored)));
    if (!rule)
        return end(std::move(entry), State::unmatched, "no rule takes it");
    entry.rule = rule->name;
    const std::vector<std::string> missing = missing_parts(numbers, entry.total);
    const std::string what = missing.empty() ? "no patch of it came"
                                             : fmt::format("{} {} missing", join(missing, ", "),
                                                           missing.size() == 1 ? "is" : "are");
    const std::string reason = fmt::format("{} {} after its latest mail", what,
                                           duration_text(static_cast<double>(config_.wait_s)));
    return end(std::move(entry), State::incomplete, reason);
}

Result<void> Intake::expire(std::int64_t now_s) {
    now_s_ = now_s;
    auto waiting = queue_.entries({State::waiting});
    if (!waiting)
        return tl::unexpected(std::move(waiting.error()));
    for (Entry& entry : *waiting) {
        if (entry.changed_s + config_.wait_s > now_s)
            continue;
        const auto numbers = queue_.numbers(entry.id);
        if (!numbers)
            return tl::unexpected(numbers.error());
        const bool all = entry.total > 0 && missing_parts(*numbers, entry.total).empty();
        if (auto done =
                all ? close(std::move(entry), "without the cover letter, which did not come")
                    : give_up(std::move(entry), *numbers);
            !done)
            return done;
    }
    return {};
}

Result<std::optional<std::int64_t>> Intake::next_expiry_s() {
    return queue_.entries({State::waiting}).map([&](const std::vector<Entry>& waiting) {
        std::optional<std::int64_t> next;
        for (const Entry& entry : waiting)
            next = std::min(next.value_or(entry.changed_s + config_.wait_s),
                            entry.changed_s + config_.wait_s);
        return next;
    });
}

} // namespace kmatrix::watch
