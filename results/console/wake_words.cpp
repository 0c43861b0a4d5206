// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/wake_words.h"

#include <algorithm>
#include <cassert>

namespace kmatrix {

std::size_t WakeWords::add(std::string_view word) {
    assert(word.size() >= 4);
    const auto known = std::find(words_.begin(), words_.end(), word);
    if (known != words_.end()) {
        return static_cast<std::size_t>(known - words_.begin());
    }
    words_.push_back(word);
    assert(words_.size() <= 255);
    auto& first = first_[hash(&word.front())];
    next_.push_back(first);
    first = static_cast<std::uint8_t>(words_.size());
    return words_.size() - 1;
}

std::size_t WakeWords::next(std::string_view text, std::size_t from) const {
    for (std::size_t at = from; at + 4 <= text.size(); ++at) {
        if (first_[hash(text.data() + at)] != 0) {
            return at;
        }
    }
    return std::string_view::npos;
}

std::size_t WakeWords::find(std::string_view text) const {
    for (std::size_t at = next(text, 0); at != std::string_view::npos; at = next(text, at + 1)) {
        const auto rest = text.substr(at);
        for (auto link = first_[hash(&rest.front())]; link != 0; link = next_[link]) {
            if (rest.starts_with(words_[link - 1u])) {
                return at;
            }
        }
    }
    return std::string_view::npos;
}

} // namespace kmatrix
