// SPDX-License-Identifier: GPL-2.0-only
// Reading a TOML table key by key: every key has a type and a range, a key that nobody asked for is
// wrong, and everything that is wrong is gathered with its place instead of ending at the first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "base/error.h"

namespace kmatrix {

inline constexpr std::size_t most_entries = 256; // of [[section]]s with one name

using Place = toml::source_position; // line and column from 1; 0: of no line

template <class T>
struct Placed {
    T value;
    Place place;
};

// What is wrong with one file.
class Complaints {
  public:
    void add(Place place, std::string_view key, std::string_view message);
    bool empty() const { return lines_.empty(); }
    // One line each, "file:line:column: key: message", in the file's order; the first 20 of them.
    Error error(const std::string& file) const;

  private:
    struct Line {
        Place place;
        std::string text;
    };
    std::vector<Line> lines_;
};

// The node's value, shortened, or what it is if it has none: `"gcc"`, `8`, `a list`.
std::string found_text(const toml::node& node);
// A sentence's beginning: `"8" is a string`, `is a list`.
std::string found_is(const toml::node& node);

class TableReader {
  public:
    // `name` stands before each key in messages: "vm" gives "vm.memory". The table and the
    // complaints must outlive the reader.
    TableReader(const toml::table& table, std::string name, Complaints& complaints);

    // The node of a key, nullptr if it is not there. Asking makes the key a known one.
    const toml::node* take(std::string_view key);

    // The value of a key, or nothing if it is not there or is wrong (and then complained of).
    std::optional<std::string> text(std::string_view key);
    std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most,
                                        std::string_view meaning);
    std::optional<double> real(std::string_view key, double least, double most,
                               std::string_view meaning);
    std::optional<bool> boolean(std::string_view key);
    std::optional<std::string> choice(std::string_view key,
                                      const std::vector<std::string>& choices);
    // A list of strings, which may be empty.
    std::optional<std::vector<Placed<std::string>>> texts(std::string_view key);

    // The same, left as it is if there is none.
    void read(std::string_view key, std::string& out);
    void read(std::string_view key, bool& out);
    void read(std::string_view key, int& out, int least, int most, std::string_view meaning);
    void read(std::string_view key, double& out, double least, double most,
              std::string_view meaning);

    // Complains at the value of a key, or at the table if the key is not there.
    void refuse(std::string_view key, std::string_view message);
    // Complains of every key that nobody asked for.
    void finish();

    bool has(std::string_view key) const { return table_->contains(key); }
    Place place() const { return table_->source().begin; }
    Place place(std::string_view key) const; // of the key's value, or of the table

  private:
    void wrong_type(std::string_view key, const toml::node& node, std::string_view expected);

    const toml::table* table_;
    std::string name_;
    Complaints* complaints_;
    std::vector<std::string> known_;
};

// The tables of `[[key]]`, none if it is not there. More than `most` are complained of.
std::vector<const toml::table*> table_array(const toml::table& root, std::string_view key,
                                            std::size_t most, Complaints& complaints);
// The table `[key]`, or nullptr.
const toml::table* single_table(const toml::table& root, std::string_view key,
                                Complaints& complaints);

} // namespace kmatrix
