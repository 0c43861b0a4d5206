// SPDX-License-Identifier: GPL-2.0-only
// Text that belongs to a test, capped in the middle: the first lines tell what it tried, the last
// ones why it failed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kmatrix::ktap {

// At most `bytes` of a text, cut between characters, with "…" where it was cut.
std::string shortened(std::string_view text, std::size_t bytes);

class Lines {
  public:
    static constexpr std::size_t first_lines = 100;
    static constexpr std::size_t last_lines = 300;
    static constexpr std::size_t line_bytes = 2000;

    void add(std::string_view line);
    void append(Lines&& later);
    bool empty() const { return first_.empty(); }
    // With "[17 lines left out]" where the middle is missing. Empty afterwards.
    std::vector<std::string> take();

  private:
    void push(std::string&& line);
    // Of the last lines, from the oldest on.
    template <class Use>
    void for_each_last(Use use) {
        for (std::size_t i = 0; i < last_.size(); ++i)
            use(last_[(oldest_ + i) % last_.size()]);
    }

    std::vector<std::string> first_;
    std::vector<std::string> last_; // full, a ring
    std::size_t oldest_ = 0;        // in last_
    std::size_t left_out_ = 0;
};

} // namespace kmatrix::ktap
