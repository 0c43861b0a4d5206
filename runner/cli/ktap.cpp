// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "base/files.h"
#include "results/ktap/writing.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

int print(const std::string& file, bool json) {
    const auto content = read_file(file);
    if (!content)
        return fail(content.error());
    const ktap::Printed printed = ktap::print_file(*content, file, json);
    fmt::print("{}", printed.text);
    return printed.error ? fail(*printed.error) : 0;
}

} // namespace

void add_ktap(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("ktap", "Read a log with KTAP or kselftest results");
    auto file = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    verb->add_option("FILE", *file, "The log")->required();
    verb->add_flag("--json", *json, "As JSON");
    add_examples(*verb, "  kmatrix ktap kselftest.log\n  kmatrix ktap --json kselftest.log");
    verb->callback([=, &action] { action = [=] { return print(*file, *json); }; });
}

} // namespace kmatrix
