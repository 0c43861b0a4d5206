// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "base/files.h"
#include "results/console/findings_text.h"
#include "results/console/scanner.h"
#include "results/console/source_lines.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

struct ScanOptions {
    std::string file;
    std::string vmlinux; // empty: frames stay as they are
    bool json = false;
};

int print(const ScanOptions& options) {
    const auto content = read_file(options.file);
    if (!content)
        return fail(content.error());
    std::vector<Finding> findings = scan_console(*content);
    if (!options.vmlinux.empty()) {
        auto located = with_source_lines(std::move(findings), options.vmlinux);
        if (!located)
            return fail(located.error());
        findings = std::move(*located);
    }
    fmt::print("{}", options.json ? findings_json(findings) : findings_text(findings));
    return 0;
}

} // namespace

void add_scan(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("scan", "Find the splats in a kernel's console log");
    auto options = std::make_shared<ScanOptions>();
    verb->add_option("FILE", options->file, "The console log")->required();
    verb->add_option("--vmlinux", options->vmlinux,
                     "That very kernel, with debugging information: frames get file:line");
    verb->add_flag("--json", options->json, "As a JSON array");
    add_examples(*verb, "  kmatrix scan console.log\n  kmatrix scan --json console.log\n"
                        "  kmatrix scan --vmlinux ~/linux/vmlinux console.log");
    verb->callback([=, &action] { action = [=] { return print(*options); }; });
}

} // namespace kmatrix
