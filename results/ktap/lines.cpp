// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/lines.h"

#include <utility>

#include <fmt/format.h>

namespace kmatrix::ktap {

std::string shortened(std::string_view text, std::size_t bytes) {
    constexpr std::string_view mark = "…";
    if (text.size() <= bytes)
        return std::string(text);
    std::size_t end = bytes > mark.size() ? bytes - mark.size() : 0;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end;
    return std::string(text.substr(0, end)).append(mark);
}

void Lines::push(std::string&& line) {
    if (first_.size() < first_lines) {
        first_.push_back(std::move(line));
        return;
    }
    if (last_.size() < last_lines) {
        last_.push_back(std::move(line));
        return;
    }
    last_[oldest_] = std::move(line);
    oldest_ = (oldest_ + 1) % last_lines;
    ++left_out_;
}

void Lines::add(std::string_view line) {
    push(shortened(line, line_bytes));
}

void Lines::append(Lines&& later) {
    for (std::string& line : later.first_)
        push(std::move(line));
    if (later.left_out_ > 0) {
        // what is missing there is missing here, before that text's last lines
        left_out_ += later.left_out_ + last_.size();
        last_.clear();
        oldest_ = 0;
    }
    later.for_each_last([&](std::string& line) { push(std::move(line)); });
    later = {};
}

std::vector<std::string> Lines::take() {
    std::vector<std::string> lines = std::move(first_);
    if (left_out_ > 0)
        lines.push_back(fmt::format("[{} lines left out]", left_out_));
    for_each_last([&](std::string& line) { lines.push_back(std::move(line)); });
    *this = {};
    return lines;
}

} // namespace kmatrix::ktap
