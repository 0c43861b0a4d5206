// SPDX-License-Identifier: GPL-2.0-only
// The records that the agent sends, as lines. images/protocol.h has the format.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "images/guest/agent/vitals.h"

namespace kmatrix::guest {

inline constexpr std::size_t output_record_bytes = 4096;

// How a job ended.
struct JobEnd {
    int exit = 0;
    int signal = 0;
    bool timed_out = false;
    double seconds = 0;
};

std::string hello_record(const Vitals& vitals);
std::string note_record(std::string_view message);
std::string start_record(const std::string& id, double uptime_s);
std::string output_record(const std::string& id, std::string_view stream, std::string_view bytes);
std::string end_record(const std::string& id, const JobEnd& end);
std::string error_record(std::string_view message);
std::string done_record();

// Cuts one stream of a job into pieces for records, so that a character whose bytes came in two
// reads is not torn into two bad ones.
class Pieces {
  public:
    // The pieces that are complete with these bytes; each at most output_record_bytes long.
    std::vector<std::string> add(std::string_view bytes);
    // What is left at the end; may be empty.
    std::string rest();

  private:
    std::string held_; // fewer than four bytes: the start of a character
};

} // namespace kmatrix::guest
