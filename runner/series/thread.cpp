// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/thread.h"

#include <algorithm>

#include <fmt/format.h>

namespace kmatrix {
namespace {

bool is_patch_or_cover(const ThreadMail& mail) {
    return !mail.subject.is_reply && (mail.subject.number || !mail.from.mail.diff.empty());
}

const ThreadMail* with_id(const std::vector<ThreadMail>& thread, const std::string& id) {
    const auto found = std::find_if(thread.begin(), thread.end(), [&](const ThreadMail& mail) {
        return mail.from.mail.message_id == id;
    });
    return found == thread.end() ? nullptr : &*found;
}

// The nearest mail upwards, itself included, for which `is` holds.
template <class Is>
const ThreadMail* upwards(const std::vector<ThreadMail>& thread, const ThreadMail& from, Is is) {
    if (is(from))
        return &from;
    const std::vector<std::string>& ids = from.from.mail.references;
    for (auto id = ids.rbegin(); id != ids.rend(); ++id)
        if (const ThreadMail* above = with_id(thread, *id); above && is(*above))
            return above;
    return nullptr;
}

// The Message-ID of the cover letter above a mail; empty: none of its version is in the thread.
std::string cover_of(const std::vector<ThreadMail>& thread, const ThreadMail& mail) {
    const ThreadMail* cover = upwards(thread, mail, [&](const ThreadMail& other) {
        return is_patch_or_cover(other) && other.subject.number == 0 &&
               other.subject.version == mail.subject.version;
    });
    return cover ? cover->from.mail.message_id : std::string();
}

bool is_same(const ThreadMail& one, const ThreadMail& other) {
    const Mail &a = one.from.mail, &b = other.from.mail;
    if (a.diff != b.diff || one.subject.number != other.subject.number ||
        one.subject.version != other.subject.version)
        return false;
    const bool same_id = !a.message_id.empty() && a.message_id == b.message_id;
    const bool numbered = one.subject.number.value_or(0) > 0;
    return same_id || (one.subject.text == other.subject.text && (numbered || a.text == b.text));
}

// Answered by a mail that is no "Re:" itself, and whose patch is not of the series.
const ThreadMail* answered(const std::vector<ThreadMail>& mails, const ThreadMail& mail,
                           bool numbered) {
    if (mail.subject.number || mail.from.mail.diff.empty())
        return nullptr;
    return upwards(mails, mail, [&](const ThreadMail& other) {
        return &other != &mail && is_patch_or_cover(other) &&
               (numbered || other.from.mail.from.address != mail.from.mail.from.address);
    });
}

const ThreadMail* replacement(const std::vector<ThreadMail>& mails, const ThreadMail& mail) {
    for (const ThreadMail& other : mails)
        if (mail.subject.number && other.subject.number == mail.subject.number &&
            other.subject.version == mail.subject.version && is_patch_or_cover(other) &&
            other.subject.replaces > mail.subject.replaces)
            return &other;
    return nullptr;
}

} // namespace

std::string ThreadMail::name() const {
    return fmt::format("{} (\"{}\")", from.origin, subject.text);
}

Result<std::vector<ThreadMail>> series_of(const std::string& message_id,
                                          std::vector<ThreadMail> thread) {
    const ThreadMail* given = with_id(thread, message_id);
    if (!given)
        return user_error(fmt::format("no mail of the thread has the Message-ID {}", message_id));
    const ThreadMail* patch = upwards(thread, *given, is_patch_or_cover);
    if (!patch)
        return user_error(fmt::format("{} (\"{}\") is no patch and answers none", message_id,
                                      given->subject.text));
    const MailSubject& subject = patch->subject;
    const std::string cover = cover_of(thread, *patch);
    std::vector<ThreadMail> mails;
    for (const ThreadMail& mail : thread) {
        if (!is_patch_or_cover(mail) || mail.subject.version != subject.version)
            continue;
        // One patch alone has no others.
        const bool belongs = subject.number
                                 ? mail.subject.number && mail.subject.total == subject.total &&
                                       cover_of(thread, mail) == cover
                                 : &mail == patch;
        if (belongs)
            mails.push_back(mail);
    }
    return mails;
}

std::vector<ThreadMail> without_others(std::vector<ThreadMail> mails,
                                       std::vector<std::string>& notes) {
    const bool numbered = std::any_of(mails.begin(), mails.end(), [](const ThreadMail& mail) {
        return is_patch_or_cover(mail) && mail.subject.number;
    });
    std::vector<ThreadMail> kept;
    kept.reserve(mails.size());
    for (const ThreadMail& mail : mails) {
        const auto twin = std::find_if(kept.begin(), kept.end(), [&](const ThreadMail& other) {
            return is_same(mail, other);
        });
        const ThreadMail* above = answered(mails, mail, numbered);
        const ThreadMail* newer = replacement(mails, mail);
        if (mail.subject.is_reply)
            notes.push_back(fmt::format("{} is a reply and was left out", mail.name()));
        else if (above)
            notes.push_back(fmt::format("{} answers {}, is no part of the series and was left out",
                                        mail.name(), above->name()));
        else if (newer)
            notes.push_back(fmt::format("{} was replaced by {} (v{}.{})", mail.name(),
                                        newer->name(), newer->subject.version,
                                        newer->subject.replaces));
        else if (twin != kept.end())
            notes.push_back(fmt::format("{} is {} once more", mail.name(), twin->name()));
        else
            kept.push_back(mail);
    }
    return kept;
}

} // namespace kmatrix
