// SPDX-License-Identifier: GPL-2.0-only
// From single mails, in whatever order they come, to whole series in the queue.
//
// A patch or cover letter is a mail whose subject has PATCH or RFC in a bracket and no "Re:" before
// it. Numbered ones belong together by thread, sender and version; parts that are in no thread
// belong to nothing, since which of two series they are of is a guess.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "runner/series/mail.h"
#include "runner/series/subject.h"
#include "runner/watch/config.h"
#include "runner/watch/queue.h"

namespace kmatrix::watch {

class Intake {
  public:
    // Both must outlive it. What a person would want to know is added to `said`, a sentence each.
    Intake(const WatchConfig& config, Queue& queue, std::vector<std::string>& said)
        : config_(config), queue_(queue), said_(said) {}

    // Called inside of a transaction.
    Result<void> take(const std::string& inbox, const Mail& mail, std::int64_t now_s);
    // Gives up what waited too long, or does without its cover letter.
    Result<void> expire(std::int64_t now_s);
    // When something waited too long next; nothing: nothing waits.
    Result<std::optional<std::int64_t>> next_expiry_s();

  private:
    struct Incoming {
        const Mail& mail;
        MailSubject subject;
        std::string parent; // the last of its references
        int number, total;  // 1 of 1 where it has none
    };
    Result<bool> answers_another(const Entry& like, const Incoming& incoming);
    Result<bool> accepts(const Entry& entry, const Incoming& incoming);
    Result<std::optional<Entry>> series_of(const Entry& like, const Incoming& incoming);
    Result<std::optional<Entry>> open_series(Entry like, const Incoming& incoming);
    Result<void> adopt_answers(Entry& entry, const Incoming& incoming);
    Result<void> add(Entry entry, const Incoming& incoming);
    Result<bool> is_whole(const Entry& entry);
    Result<void> close(Entry entry, const std::string& note);
    Result<void> give_up(Entry entry, const std::vector<int>& numbers);
    Result<void> put_in_queue(Entry entry);
    Result<bool> is_outdated(Entry& entry);
    Result<void> end(Entry entry, State state, std::string reason);

    const WatchConfig& config_;
    Queue& queue_;
    std::vector<std::string>& said_;
    std::int64_t now_s_ = 0;
};

} // namespace kmatrix::watch
