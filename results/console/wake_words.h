// SPDX-License-Identifier: GPL-2.0-only
// Finds any of some hundred words in a text in one pass.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace kmatrix {

// Four bytes at a time are hashed and looked up in a table that stays in the first cache; only
// where that says so are words compared. In ordinary text that is hardly ever.
class WakeWords {
  public:
    // At least 4 bytes long; must outlive the object. Its number; the same for the same word.
    std::size_t add(std::string_view word);

    // Calls found(number, offset) for every word at every place, in order of offsets.
    template <class Found>
    void for_each(std::string_view text, Found found) const {
        for (std::size_t at = next(text, 0); at != std::string_view::npos;
             at = next(text, at + 1)) {
            for (auto link = first_[hash(text.data() + at)]; link != 0; link = next_[link]) {
                if (text.substr(at).starts_with(words_[link - 1u])) {
                    found(link - 1u, at);
                }
            }
        }
    }

    // Offset of the first word, or npos.
    std::size_t find(std::string_view text) const;

  private:
    static constexpr unsigned hash_bits = 14;

    static std::uint32_t hash(const char* bytes) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes, sizeof value);
        return (value * 2654435761u) >> (32 - hash_bits); // Knuth's multiplicative hash
    }
    // The next place at which a word may stand.
    std::size_t next(std::string_view text, std::size_t from) const;

    std::vector<std::string_view> words_;
    // Lists of words by the hash of their first bytes. A link is a word's number plus 1; 0 ends a
    // list.
    std::array<std::uint8_t, (1u << hash_bits)> first_ = {};
    std::vector<std::uint8_t> next_ = {0};
};

} // namespace kmatrix
