// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/sections.h"

#include <algorithm>
#include <array>
#include <system_error>

#include <boost/regex.hpp>
#include <fmt/format.h>

namespace kmatrix {
namespace {

constexpr int most_boots_a_side = 1000;
constexpr int most_samples = 1000;
constexpr std::size_t longest_pattern = 500; // nobody needs a longer one

constexpr std::size_t most_digits = 6;

// What only procfs-latency has a use for.
constexpr std::array own_options{"procfile",  "scanner",  "busyduration", "busycpus",
                                 "busytasks", "fragment", "force"};

bool is_name(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-';
    };
    return !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), plain);
}

void read_boots(TableReader& table, Benchmark& benchmark) {
    const toml::node* node = table.take("boots");
    const auto* number = node == nullptr ? nullptr : node->as_integer();
    if (number != nullptr && number->get() >= 1 && number->get() < fewest_boots)
        table.refuse("boots",
                     fmt::format("{}: fewer than {} boots a side can never give a "
                                 "verdict: p stays above 0.05 however large the "
                                 "difference; expected {} to {}",
                                 number->get(), fewest_boots, fewest_boots, most_boots_a_side));
    else
        table.read("boots", benchmark.boots, fewest_boots, most_boots_a_side,
                   "a number of boots a side");
}

void check_command_directory(TableReader& table, const std::filesystem::path& command) {
    const std::filesystem::path run = command / "run";
    std::error_code error;
    const auto status = std::filesystem::status(run, error);
    constexpr auto executable = std::filesystem::perms::owner_exec |
                                std::filesystem::perms::group_exec |
                                std::filesystem::perms::others_exec;
    if (!std::filesystem::is_directory(command, error))
        table.refuse("command", fmt::format("\"{}\" is no directory; expected one, relative to "
                                            "the matrix file, with an executable named run",
                                            command.string()));
    else if (!std::filesystem::is_regular_file(status) ||
             (status.permissions() & executable) == std::filesystem::perms::none)
        table.refuse("command",
                     fmt::format("there is no executable \"{}\"; expected one: it is what runs in "
                                 "the guest",
                                 run.string()));
}

void check_pattern(TableReader& table, const std::string& pattern) {
    constexpr std::string_view expected =
        "expected a regular expression (Perl's syntax) whose group 1 is a figure in ms, as "
        "\"mean: ([0-9.]+) ms\"";
    if (pattern.size() > longest_pattern) {
        table.refuse("pattern", fmt::format("{} bytes long; expected at most {}", pattern.size(),
                                            longest_pattern));
        return;
    }
    // Whatever a library makes of the overflow of a quantifier.
    std::size_t digits = 0;
    for (const char c : pattern) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > most_digits) {
            table.refuse("pattern",
                         fmt::format("has a number of more than {} digits", most_digits));
            return;
        }
    }
    try {
        if (boost::regex(pattern).mark_count() == 0)
            table.refuse("pattern", fmt::format("has no group (...); {}", expected));
    } catch (const boost::regex_error& error) {
        table.refuse("pattern", fmt::format("{}; {}", error.what(), expected));
    }
}

// A user's own program instead of procfs-latency.
void read_command(TableReader& table, const std::filesystem::path& directory, bool look,
                  Benchmark& benchmark) {
    std::string command;
    table.read("command", command);
    table.read("pattern", benchmark.pattern);
    if (!table.has("command")) {
        if (table.has("pattern"))
            table.refuse("pattern", "has a meaning only with command");
        return;
    }
    if (command.empty()) {
        if (table.take("command")->is_string())
            table.refuse("command", "is empty; expected a directory, relative to the matrix file");
        return;
    }
    benchmark.command = std::filesystem::absolute(directory / command).lexically_normal();
    if (benchmark.command.filename().empty()) // it was written with a slash at its end
        benchmark.command = benchmark.command.parent_path();
    if (look)
        check_command_directory(table, benchmark.command);
    if (!table.has("pattern"))
        table.refuse("pattern", "is missing; command needs it to find its figures");
    else if (table.take("pattern")->is_string())
        check_pattern(table, benchmark.pattern);
    if (!table.has("name"))
        table.refuse("name", "is missing; a command needs one");
    for (const char* option : own_options)
        if (table.has(option))
            table.refuse(option, "has a meaning only without command");
}

Benchmark read_benchmark(TableReader& table, const std::filesystem::path& directory, bool look) {
    Benchmark benchmark;
    table.read("name", benchmark.name);
    benchmark.procfile = table.choice("procfile", {"maps", "smaps", "smaps_rollup", "numa_maps"})
                             .value_or(benchmark.procfile);
    const std::optional<std::string> scanner = table.choice("scanner", {"exec", "pread"});
    for (const Scanner known : {Scanner::exec, Scanner::pread})
        if (scanner == to_string(known))
            benchmark.scanner = known;
    read_boots(table, benchmark);
    table.read("samples", benchmark.samples, 1, most_samples, "a number of samples a boot");
    table.read("duration", benchmark.duration_s, 0.1, 3600, "seconds");
    table.read("busyduration", benchmark.busyduration_ms, 0, 10'000, "milliseconds");
    table.read("busycpus", benchmark.busycpus, 1, 255, "a number of CPUs");
    table.read("busytasks", benchmark.busytasks, 1, 1000, "a number of tasks");
    table.read("fragment", benchmark.fragment);
    table.read("force", benchmark.force);
    read_command(table, directory, look, benchmark);
    const toml::node* name = table.take("name");
    if (name == nullptr && !table.has("command"))
        benchmark.name = benchmark.procfile;
    else if (name != nullptr && name->is_string() && !is_name(benchmark.name))
        table.refuse("name", fmt::format("{}: expected letters, digits, '_', '.' and '-', as it "
                                         "is a part of file names",
                                         found_text(*name)));
    return benchmark;
}

} // namespace

std::vector<BenchmarkEntry> read_benchmarks(const toml::table& root,
                                            const std::filesystem::path& directory,
                                            bool look_for_commands, Complaints& complaints) {
    std::vector<BenchmarkEntry> entries;
    for (const toml::table* table : table_array(root, "benchmark", most_entries, complaints)) {
        TableReader reader(*table, "benchmark", complaints);
        BenchmarkEntry entry;
        entry.benchmark = read_benchmark(reader, directory, look_for_commands);
        read_only(reader, entry.benchmark.only);
        entry.place = reader.place();
        entry.only_place = reader.place("only");
        entry.busycpus_place = reader.place("busycpus");
        const auto twin = std::find_if(entries.begin(), entries.end(), [&](const auto& other) {
            return !entry.benchmark.name.empty() && other.benchmark.name == entry.benchmark.name;
        });
        if (twin != entries.end())
            reader.refuse("name", fmt::format("\"{}\" is the name of the benchmark in line {} too; "
                                              "expected a name of its own",
                                              entry.benchmark.name, twin->place.line));
        reader.finish();
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace kmatrix
