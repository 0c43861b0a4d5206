// SPDX-License-Identifier: GPL-2.0-only
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/command.h"
#include "base/files.h"
#include "base/text.h"
#include "results/reports/mail_reply.h"
#include "results/store.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

struct ReplyRequest {
    std::string directory;
    std::string out; // empty: the run's reply.eml; "-": standard output
    ReplyOptions options;
};

// The tree's own configuration counts: people have one address for each of their jobs.
std::string git_config(const std::string& tree, const std::string& key) {
    Command command;
    std::error_code error;
    command.argv = {"git"};
    if (fs::is_directory(tree, error))
        command.argv.insert(command.argv.end(), {"-C", tree});
    command.argv.insert(command.argv.end(), {"config", "--get", key});
    const auto exit = run_blocking(command);
    return exit && exit->ok() ? std::string(trim(exit->output)) : std::string();
}

Result<MailAddress> sender(const std::string& tree) {
    MailAddress address{git_config(tree, "user.name"), git_config(tree, "user.email")};
    if (address.name.empty() || !is_address(address.address))
        return user_error("git knows no name and address to write as: git config --global "
                          "user.name 'Your Name'; git config --global user.email you@example.org");
    return address;
}

Result<void> check(const ReplyRequest& request, const RunResult& run,
                   const Comparison& comparison) {
    if (comparison.outcome == Outcome::infrastructure)
        return infrastructure_error(
            fmt::format("{}: nothing to tell the list: {}", request.directory, comparison.verdict));
    const std::size_t patches = run.info.series.patches.size();
    if (request.options.guilty &&
        (*request.options.guilty < 1 || *request.options.guilty > patches))
        return user_error(fmt::format("--patch {}: the series has {} patch{}",
                                      *request.options.guilty, patches, patches == 1 ? "" : "es"));
    const std::string& url = request.options.results_url;
    if (!url.empty() && ((!url.starts_with("https://") && !url.starts_with("http://")) ||
                         url.find_first_of(" \t\r\n<>") != std::string::npos))
        return user_error(fmt::format("--url {}: not the address of a page", url));
    return {};
}

void tell(const Reply& reply, bool as_wanted) {
    if (!reply.tested_by && as_wanted) {
        fmt::print(stderr, "no Tested-by, for\n");
        for (const std::string& doubt : reply.doubts)
            fmt::print(stderr, "  {}\n", printable(doubt));
    }
    for (const std::string& gap : reply.gaps)
        fmt::print(stderr, "note: {}\n", printable(gap));
}

int draft(ReplyRequest request) {
    const auto run = load_run(request.directory);
    if (!run)
        return fail(run.error());
    const Comparison comparison = compare(*run);
    if (auto checked = check(request, *run, comparison); !checked)
        return fail(checked.error());
    auto from = sender(run->info.tree);
    if (!from)
        return fail(from.error());
    request.options.sender = std::move(*from);
    const Reply reply = draft_reply(*run, comparison, request.options);
    const std::string eml = to_eml(reply.mail);
    if (request.out == "-") {
        fmt::print("{}", eml);
    } else {
        const fs::path file =
            request.out.empty() ? fs::path(request.directory) / "reply.eml" : fs::path(request.out);
        if (auto written = write_file(file, eml); !written)
            return fail(written.error());
        fmt::print("{}: a draft; read it, and send it with\n  {}\n", file.string(),
                   shell_text({"git", "send-email", file.string()}));
    }
    tell(reply, comparison.outcome == Outcome::as_wanted);
    return 0;
}

} // namespace

void add_reply(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "reply", "Draft the reply to the series' mail that tells the run; send nothing");
    auto request = std::make_shared<ReplyRequest>();
    auto guilty = std::make_shared<std::size_t>(0);
    verb->add_option("DIR", request->directory, "The run's directory")->required();
    verb->add_option("-o,--out", request->out,
                     "The file to write, - for standard output; by default DIR/reply.eml");
    verb->add_flag("--samples", request->options.samples, "With every sample behind the tables");
    verb->add_option("--url", request->options.results_url,
                     "Where the whole results can be read, for a line Results:");
    CLI::Option* patch = verb->add_option(
        "--patch", *guilty,
        "The patch that is at fault, if you know: the reply to a failure goes under it");
    verb->add_option("--quote", request->options.quoted_lines,
                     "Lines of the mail to quote, at most; 0: none")
        ->capture_default_str();
    add_examples(*verb,
                 "  kmatrix reply kmatrix-runs/20260101-120000\n"
                 "  git send-email --dry-run kmatrix-runs/20260101-120000/reply.eml\n"
                 "  kmatrix reply DIR --samples --url https://example.org/results.html -o -\n"
                 "  kmatrix reply DIR --patch 3");
    verb->callback([=, &action] {
        if (*patch)
            request->options.guilty = *guilty;
        action = [=] { return draft(*request); };
    });
}

} // namespace kmatrix
