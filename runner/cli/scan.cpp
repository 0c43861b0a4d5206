// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "base/files.h"
#include "results/console/findings_text.h"
#include "results/console/scanner.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

int print(const std::string& file, bool json) {
    const auto content = read_file(file);
    if (!content)
        return fail(content.error());
    const std::vector<Finding> findings = scan_console(*content);
    fmt::print("{}", json ? findings_json(findings) : findings_text(findings));
    return 0;
}

} // namespace

void add_scan(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("scan", "Find the splats in a kernel's console log");
    auto file = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    verb->add_option("FILE", *file, "The console log")->required();
    verb->add_flag("--json", *json, "As a JSON array");
    add_examples(*verb, "  kmatrix scan console.log\n  kmatrix scan --json console.log");
    verb->callback([=, &action] { action = [=] { return print(*file, *json); }; });
}

} // namespace kmatrix
