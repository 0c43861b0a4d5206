// SPDX-License-Identifier: GPL-2.0-only
#include "results/samples.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include <boost/regex.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace kmatrix {
namespace {

using Json = nlohmann::json;

constexpr double ns_per_ms = 1e6;

// What cannot be read or believed, in words; caught where the reading began.
struct Unusable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> format, Values&&... values) {
    throw Unusable(fmt::format(format, std::forward<Values>(values)...));
}

std::string shown(std::string_view text) {
    constexpr std::size_t bytes = 120;
    return printable(text.substr(0, bytes)) + (text.size() > bytes ? "…" : "");
}

// A value as it stands in a message. Not of arrays and objects: their depth is not ours.
std::string value_text(const Json& value) {
    return value.is_structured() ? std::string("a list or an object") : shown(value.dump());
}

// A record of the benchmark's, with a name for what is said of it: "sample 2".
struct Record {
    const Json& json;
    std::string name;

    const Json& member(const char* key) const {
        const auto at = json.find(key);
        if (at == json.end())
            refuse("{} has no \"{}\"", name, key);
        return *at;
    }
    double number(const char* key) const {
        const Json& value = member(key);
        if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
            refuse("{}: \"{}\" is {}, no number from 0 on", name, key, value_text(value));
        return value.get<double>();
    }
    std::uint64_t whole(const char* key) const { return whole(member(key), key); }
    std::uint64_t whole(const Json& value, const char* key) const {
        if (!value.is_number_unsigned())
            refuse("{}: \"{}\" holds {}, no whole number from 0 on", name, key, value_text(value));
        return value.get<std::uint64_t>();
    }
    template <class T>
    T whole_as(const char* key) const {
        const std::uint64_t value = whole(key);
        if (value > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
            refuse("{}: \"{}\" is {}, too large", name, key, value);
        return static_cast<T>(value);
    }
};

void read_histogram(const Record& record, Sample& sample) {
    const Json& histogram = record.member("histogram");
    if (!histogram.is_array())
        refuse("{}: \"histogram\" is no array", record.name);
    std::uint64_t calls = 0;
    for (const Json& bucket : histogram) {
        if (!bucket.is_array() || bucket.size() != 2)
            refuse("{}: \"histogram\" holds something else than [upper bound, count]", record.name);
        const std::uint64_t count = record.whole(bucket[1], "histogram");
        sample.histogram_ns[record.whole(bucket[0], "histogram")] += count;
        calls += count;
    }
    if (calls != sample.maps + sample.unmaps)
        refuse("{}: its histogram counts {} calls, {} were made", record.name, calls,
               sample.maps + sample.unmaps);
}

// Each part of the benchmark must prove that it ran.
void check_that_it_ran(const Sample& sample, const std::string& name) {
    if (sample.scans == 0)
        refuse("{}: the scanner did not run: it made 0 scans", name);
    if (sample.scan_bytes == 0)
        refuse("{}: the scanner read 0 bytes in {} scans", name, sample.scans);
    if (sample.busy_loops == 0)
        refuse("{}: the busy task did not run: it made 0 loops", name);
    if (sample.maps == 0)
        refuse("{}: the mapper made 0 mmap calls", name);
    if (sample.unmaps == 0)
        refuse("{}: the mapper made 0 munmap calls", name);
    if (sample.seconds <= 0)
        refuse("{}: it lasted 0 seconds", name);
}

void check_figures(const Sample& sample, const std::string& name) {
    const bool in_order = sample.p50_ms <= sample.p90_ms && sample.p90_ms <= sample.p99_ms &&
                          sample.p99_ms <= sample.p999_ms && sample.p999_ms <= sample.max_ms &&
                          sample.mean_ms <= sample.max_ms;
    if (!in_order)
        refuse("{}: its figures contradict each other (mean {}, p50 {}, p90 {}, p99 {}, p99.9 {}, "
               "max {} ms)",
               name, sample.mean_ms, sample.p50_ms, sample.p90_ms, sample.p99_ms, sample.p999_ms,
               sample.max_ms);
}

Sample read_sample(const Json& json, int place) {
    const Record record{json, fmt::format("sample {}", place)};
    Sample sample;
    sample.index = record.whole_as<int>("index");
    if (sample.index != place)
        refuse("{} has the index {}: one is lost, or they are out of order", record.name,
               sample.index);
    sample.seconds = record.number("seconds");
    sample.maps = record.whole("maps");
    sample.unmaps = record.whole("unmaps");
    sample.scans = record.whole("scans");
    sample.scan_bytes = record.whole("scan_bytes");
    sample.busy_loops = record.whole("busy_loops");
    check_that_it_ran(sample, record.name);
    sample.mean_ms = record.number("mean_ns") / ns_per_ms;
    sample.max_ms = record.number("max_ns") / ns_per_ms;
    sample.p50_ms = record.number("p50_ns") / ns_per_ms;
    sample.p90_ms = record.number("p90_ns") / ns_per_ms;
    sample.p99_ms = record.number("p99_ns") / ns_per_ms;
    sample.p999_ms = record.number("p999_ns") / ns_per_ms;
    check_figures(sample, record.name);
    read_histogram(record, sample);
    sample.vmas_start = record.whole_as<std::int64_t>("vmas_start");
    sample.vmas_end = record.whole_as<std::int64_t>("vmas_end");
    if (sample.vmas_start == 0 || sample.vmas_end == 0)
        refuse("{}: its mapper had no VMAs", record.name);
    const Json& cpus = record.member("cpus");
    if (!cpus.is_array())
        refuse("{}: \"cpus\" is no array", record.name);
    for (const Json& cpu : cpus)
        sample.cpus.push_back(static_cast<int>(
            std::min<std::uint64_t>(record.whole(cpu, "cpus"), std::numeric_limits<int>::max())));
    return sample;
}

// 5 %, and in an address space of few pages (64 KiB each) no less than four standard deviations of
// the difference of two draws of procfs-latency, n/8 for n pages (images/guest/latency/mapper.h).
double allowed_vma_change(std::int64_t vmas, double page_bytes) {
    constexpr double region_bytes = 128.0 * 1024 * 1024;
    const double chance = page_bytes > 0 ? 4 * std::sqrt(region_bytes / page_bytes / 8) : 0;
    return std::max(vmas_margin * static_cast<double>(vmas), chance);
}

void check_vmas(const std::vector<Sample>& samples, double page_bytes) {
    if (samples.empty())
        return;
    std::int64_t fewest = samples[0].vmas_start, most = fewest;
    for (const Sample& sample : samples)
        for (const std::int64_t vmas : {sample.vmas_start, sample.vmas_end}) {
            fewest = std::min(fewest, vmas);
            most = std::max(most, vmas);
        }
    const double allowed = allowed_vma_change(fewest, page_bytes);
    if (static_cast<double>(most - fewest) > allowed)
        refuse("the address space had from {} to {} VMAs, more than {:.0f} apart: its samples do "
               "not measure the same",
               fewest, most, allowed);
}

std::vector<Sample> read_records(std::string_view output, int asked) {
    std::vector<Sample> samples;
    std::optional<std::uint64_t> ended; // with so many samples, as it says
    bool is_set_up = false, is_fragmented = true;
    double page_bytes = 0;
    for (std::size_t number = 1; !output.empty(); ++number) {
        const std::size_t newline = std::min(output.find('\n'), output.size());
        const std::string_view line = trim(output.substr(0, newline));
        output.remove_prefix(std::min(newline + 1, output.size()));
        if (!line.starts_with('{')) // all that it prints itself does
            continue;
        const Json json = Json::parse(line, nullptr, false);
        if (json.is_discarded() || !json.contains("type") || !json["type"].is_string())
            refuse("line {} of its output is no whole record: {}", number, shown(line));
        const std::string type = json["type"];
        if (ended)
            refuse("line {} of its output comes after the end: {}", number, shown(line));
        if (type == "setup") {
            is_set_up = true;
            if (json.contains("page_bytes"))
                page_bytes = Record{json, "its setup"}.number("page_bytes");
            if (const auto options = json.find("options");
                options != json.end() && options->is_object())
                is_fragmented = options->value("fragment", Json(true)) != Json(false);
        } else if (type == "sample") {
            samples.push_back(read_sample(json, static_cast<int>(samples.size()) + 1));
        } else if (type == "end") {
            ended = Record{json, "its end"}.whole("samples");
        } else if (type == "error") {
            const auto message = json.find("message");
            refuse("{}", message != json.end() && message->is_string()
                             ? printable(message->get<std::string>())
                             : "it says that it failed, and not why");
        } else {
            refuse("line {} of its output is of the unknown type \"{}\"", number, shown(type));
        }
    }
    if (!is_set_up)
        refuse("it printed no setup: it did not run, or another program did");
    if (!ended)
        refuse("it did not end: {} of {} samples, and no end record", samples.size(), asked);
    if (*ended != samples.size())
        refuse("it says that it took {} samples, {} are there", *ended, samples.size());
    if (asked < 0 || samples.size() != static_cast<std::size_t>(asked))
        refuse("{} samples were asked for, {} are there", asked, samples.size());
    if (is_fragmented)
        check_vmas(samples, page_bytes);
    return samples;
}

std::vector<Sample> match_figures(std::string_view output, const std::string& pattern) {
    const boost::regex regex(pattern);
    if (regex.mark_count() < 1)
        refuse("the pattern \"{}\" has no group: put the figure in parentheses", pattern);
    std::vector<Sample> samples;
    while (!output.empty()) {
        const std::size_t newline = std::min(output.find('\n'), output.size());
        std::string_view line = output.substr(0, newline);
        output.remove_prefix(std::min(newline + 1, output.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        using Matches = boost::regex_iterator<std::string_view::const_iterator>;
        for (Matches match(line.begin(), line.end(), regex), end; match != end; ++match) {
            const std::string text = (*match)[1].str();
            double figure = 0;
            const auto [stop, error] =
                std::from_chars(text.data(), text.data() + text.size(), figure);
            if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(figure))
                refuse("the pattern found \"{}\" in \"{}\": no number", shown(text), shown(line));
            if (std::signbit(figure) && figure != 0)
                refuse("the pattern found {} in \"{}\": a duration is not negative", shown(text),
                       shown(line));
            Sample sample;
            sample.index = static_cast<int>(samples.size()) + 1;
            sample.mean_ms = sample.max_ms = std::abs(figure);
            samples.push_back(sample);
        }
    }
    if (samples.empty())
        refuse("nothing in its output matches the pattern \"{}\"", pattern);
    return samples;
}

} // namespace

Samples read_samples(std::string_view output, int asked) {
    try {
        return {read_records(output, asked), {}};
    } catch (const Unusable& error) {
        return {{}, error.what()};
    }
}

Samples figures_by_pattern(std::string_view output, const std::string& pattern) {
    try {
        return {match_figures(output, pattern), {}};
    } catch (const Unusable& error) {
        return {{}, error.what()};
    } catch (const boost::regex_error& error) {
        const bool while_matching = error.code() == boost::regex_constants::error_complexity ||
                                    error.code() == boost::regex_constants::error_stack;
        return {{},
                fmt::format("the pattern \"{}\" {}: {}", pattern,
                            while_matching ? "takes too much to match" : "is wrong", error.what())};
    }
}

} // namespace kmatrix
