// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/sections.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/filter.h"
#include "matrix/suggest.h"

namespace kmatrix {
namespace {

constexpr std::int64_t least_memory_mib = 256; // the benchmark's process alone maps 128 MiB
constexpr std::int64_t most_memory_mib = 1 << 20;
constexpr int most_numa_nodes = 64;
constexpr int most_repeats = 10'000;
constexpr int longest_timeout_s = 24 * 3600;

// "2G", "512M", with or without "iB": in MiB, or nothing.
std::optional<std::int64_t> parse_memory(std::string_view text) {
    if (text.ends_with("iB"))
        text.remove_suffix(2);
    if (text.empty())
        return std::nullopt;
    const char unit = text.back();
    text.remove_suffix(1);
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || rest != text.data() + text.size() || number < 0 ||
        number > most_memory_mib)
        return std::nullopt;
    if (unit == 'M')
        return number;
    return unit == 'G' ? std::optional(number * 1024) : std::nullopt;
}

void read_memory(TableReader& vm, int& memory_mib) {
    const toml::node* node = vm.take("memory");
    if (node == nullptr)
        return;
    std::optional<std::int64_t> mib;
    if (const auto* number = node->as_integer())
        mib = number->get();
    else if (const auto* text = node->as_string())
        mib = parse_memory(text->get());
    if (mib && *mib >= least_memory_mib && *mib <= most_memory_mib)
        memory_mib = static_cast<int>(*mib);
    else
        vm.refuse("memory",
                  fmt::format("{}: expected a number of MiB or a string as \"2G\" or "
                              "\"512M\", from {} MiB to {} GiB",
                              found_text(*node), least_memory_mib, most_memory_mib / 1024));
}

void read_uri(TableReader& vm, std::string& uri) {
    const std::vector<std::string> local{"qemu:///embed", "qemu:///system", "qemu:///session"};
    const std::optional<std::string> value = vm.text("uri");
    if (!value)
        return;
    if (std::find(local.begin(), local.end(), *value) != local.end()) {
        uri = *value;
        return;
    }
    const std::string expected = "expected one of " + join(local, ", ");
    const std::size_t authority = value->find("://");
    const bool remote = authority != std::string::npos && value->substr(authority + 3, 1) != "/";
    vm.refuse("uri",
              remote ? fmt::format("\"{}\" is on another machine; kmatrix runs guests on this one "
                                   "only; {}",
                                   printable(*value), expected)
                     : fmt::format("\"{}\": {}{}", printable(*value), expected,
                                   did_you_mean(*value, local)));
}

// A directory below tools/testing/selftests, or a program in it.
bool is_path_word(std::string_view word, bool slashes) {
    const auto plain = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_.+-").find(c) != std::string_view::npos || (slashes && c == '/');
    };
    if (word.empty() || word.size() > 200 || !std::all_of(word.begin(), word.end(), plain))
        return false;
    const std::vector<std::string> parts = split(word, '/');
    return std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
        return part.empty() || part.front() == '.' || part.front() == '-';
    });
}

Selftest read_selftest(TableReader& table) {
    Selftest selftest;
    table.read("target", selftest.target);
    if (!table.has("target"))
        table.refuse("target", "is missing; expected a directory of tools/testing/selftests, as "
                               "\"proc\"");
    else if (table.take("target")->is_string() && !is_path_word(selftest.target, true))
        table.refuse("target", fmt::format("{}: expected a directory of tools/testing/selftests, "
                                           "as \"proc\"",
                                           found_text(*table.take("target"))));
    table.read("test", selftest.test);
    const toml::node* test = table.take("test");
    if (test != nullptr && test->is_string() && !is_path_word(selftest.test, false))
        table.refuse("test", fmt::format("{}: expected the name of one program of the target, as "
                                         "\"proc-maps-race\"; without the key all of them run",
                                         found_text(*test)));
    table.read("repeat", selftest.repeat, 1, most_repeats, "a number of runs");
    if (const auto timeout = table.integer("timeout", 1, longest_timeout_s, "seconds"))
        selftest.timeout_s = static_cast<int>(*timeout);
    return selftest;
}

} // namespace

void read_only(TableReader& table, Filter& only) {
    const std::optional<std::string> text = table.text("only");
    if (!text)
        return;
    Result<Filter> filter = parse_filter(*text);
    if (filter)
        only = std::move(*filter);
    else
        table.refuse("only", filter.error().message);
}

std::string selftest_name(const Selftest& selftest) {
    return selftest.test.empty() ? selftest.target : selftest.target + ":" + selftest.test;
}

VmSection read_vm(const toml::table& root, Complaints& complaints) {
    VmSection section;
    const toml::table* table = single_table(root, "vm", complaints);
    if (table == nullptr)
        return section;
    TableReader vm(*table, "vm", complaints);
    read_memory(vm, section.vm.memory_mib);
    const std::optional<std::string> accel = vm.choice("accel", {"auto", "kvm", "tcg"});
    for (const Accel known : {Accel::automatic, Accel::kvm, Accel::tcg})
        if (accel == to_string(known))
            section.vm.accel = known;
    read_uri(vm, section.vm.uri);
    vm.read("numa_nodes", section.vm.numa_nodes, 1, most_numa_nodes, "a number of NUMA nodes");
    section.numa_nodes_place = vm.place("numa_nodes");
    vm.finish();
    return section;
}

Gate read_gate(const toml::table& root, Complaints& complaints) {
    Gate gate;
    const toml::table* table = single_table(root, "gate", complaints);
    if (table == nullptr)
        return gate;
    TableReader reader(*table, "gate", complaints);
    reader.read("build", gate.build);
    reader.read("warnings", gate.warnings);
    reader.read("boot", gate.boot);
    reader.read("splat", gate.splat);
    reader.read("tests", gate.tests);
    reader.read("latency", gate.latency);
    reader.read("latency_emulated", gate.latency_emulated);
    reader.read("margin", gate.margin, 0, 0.5, "a fraction");
    reader.finish();
    return gate;
}

std::vector<SelftestEntry> read_selftests(const toml::table& root, Complaints& complaints) {
    std::vector<SelftestEntry> entries;
    for (const toml::table* table : table_array(root, "selftest", most_entries, complaints)) {
        TableReader reader(*table, "selftest", complaints);
        SelftestEntry entry{read_selftest(reader), reader.place(), reader.place("only")};
        read_only(reader, entry.selftest.only);
        reader.finish();
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace kmatrix
