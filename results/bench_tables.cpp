// SPDX-License-Identifier: GPL-2.0-only
#include "results/bench_tables.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {

namespace {

std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> words;
    while (!(line = trim(line)).empty()) {
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return words;
}

std::string_view without_quoting(std::string_view line) {
    while (!line.empty() && (line.front() == '>' || line.front() == ' '))
        line.remove_prefix(1);
    return line;
}

template <class T>
std::optional<T> whole_word(std::string_view word) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
        return std::nullopt;
    return value;
}

// "0.132": the script prints nothing else.
std::optional<double> milliseconds(std::string_view word) {
    if (word.empty() || word.find_first_not_of("0123456789.") != std::string_view::npos ||
        word.find('.') == std::string_view::npos)
        return std::nullopt;
    return whole_word<double>(word);
}

std::vector<double> all_milliseconds(const std::vector<std::string_view>& words) {
    std::vector<double> values;
    for (const std::string_view word : words)
        if (const auto value = milliseconds(word))
            values.push_back(*value);
    return values.size() == words.size() ? values : std::vector<double>();
}

class Reader {
  public:
    explicit Reader(std::string name) : name_(std::move(name)) {}

    Result<void> line(std::string_view text, std::size_t number) {
        const std::vector<std::string_view> words = kmatrix::words(without_quoting(text));
        if (words.empty()) {
            in_raw_ = in_summary_ = false;
        } else if (words.front() == "Running") {
            begin_run(words);
        } else if (words.front() == "#Busy") {
            in_summary_ = true;
        } else if (words.front() == "Worst-case" || words.front() == "Average") {
            of_maxima_ = words.front() == "Worst-case";
        } else if (in_summary_) {
            summary_row(words);
        } else {
            return raw_row(words, number);
        }
        return {};
    }

    std::vector<BenchTable> tables() && { return std::move(tables_); }

  private:
    void begin_run(const std::vector<std::string_view>& words) {
        options_.clear();
        for (std::size_t i = 2; i < words.size(); ++i)
            options_ += (i == 2 ? "" : " ") + std::string(words[i]);
        raw_tables_ = 0;
        in_raw_ = in_summary_ = of_maxima_ = false;
    }

    void summary_row(const std::vector<std::string_view>& words) {
        const auto busy = whole_word<int>(words.front());
        if (!busy || words.size() < 4 || words.size() > 5)
            return;
        const std::vector<double> figures =
            all_milliseconds({words.begin() + 1, words.begin() + 4});
        if (figures.empty())
            return;
        BenchTable table;
        table.options = options_;
        table.busy = *busy;
        table.of_maxima = of_maxima_;
        table.median_ms = figures[0];
        table.means_ms = {figures[1]};
        table.maxima_ms = {figures[2]};
        if (words.size() == 5 && words[4].front() == '*')
            table.hung = whole_word<int>(words[4].substr(1)).value_or(0);
        tables_.push_back(std::move(table));
    }

    Result<void> raw_row(const std::vector<std::string_view>& words, std::size_t number) {
        const std::vector<double> figures = all_milliseconds(words);
        if (figures.size() != 3) {
            if (in_raw_ && !figures.empty())
                return user_error(fmt::format("{}:{}: a row of a raw table has three numbers, and "
                                              "this one has {}",
                                              name_, number, figures.size()));
            in_raw_ = false;
            return {};
        }
        if (!in_raw_) {
            BenchTable table;
            table.options = options_;
            table.busy = raw_tables_++;
            table.raw = true;
            table.median_ms = figures[0];
            tables_.push_back(std::move(table));
            in_raw_ = true;
        }
        tables_.back().means_ms.push_back(figures[1]);
        tables_.back().maxima_ms.push_back(figures[2]);
        return {};
    }

    std::string name_;
    std::string options_;
    int raw_tables_ = 0;
    bool in_raw_ = false;
    bool in_summary_ = false;
    bool of_maxima_ = false;
    std::vector<BenchTable> tables_;
};

} // namespace

Result<std::vector<BenchTable>> read_bench_tables(std::string_view text, const std::string& name) {
    Reader reader(name);
    std::size_t number = 0;
    for (const std::string& line : split(text, '\n'))
        if (auto read = reader.line(line, ++number); !read)
            return tl::unexpected(std::move(read).error());
    std::vector<BenchTable> tables = std::move(reader).tables();
    if (tables.empty())
        return user_error(name +
                          ": no table of run-proc-vs-map.sh in it: neither rows of three "
                          "numbers (its --rawdata) nor a summary under a line \"#Busy Median "
                          "Minimum Maximum #Hangs\"");
    for (BenchTable& table : tables) {
        // As printed they are; a table put together by hand may not be.
        std::sort(table.means_ms.begin(), table.means_ms.end());
        std::sort(table.maxima_ms.begin(), table.maxima_ms.end());
    }
    return tables;
}

} // namespace kmatrix
