// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

std::string options_of(const CLI::App& app) {
    std::string words;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            words += (words.empty() ? "--" : " --") + name;
    return words;
}

// Made from the verbs and options that there are, so that it cannot fall behind them.
std::string bash_script(const CLI::App& app) {
    std::string verbs;
    std::string cases;
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
        verbs += (verbs.empty() ? "" : " ") + verb->get_name();
        cases += fmt::format("        {}) words='{}' ;;\n", verb->get_name(), options_of(*verb));
    }
    return fmt::format("_kmatrix() {{\n"
                       "    local current=${{COMP_WORDS[COMP_CWORD]}} words=\n"
                       "    case ${{COMP_WORDS[1]}} in\n"
                       "{}"
                       "    esac\n"
                       "    if [ \"$COMP_CWORD\" -eq 1 ]; then words='{} {}'; fi\n"
                       "    if [ \"$COMP_CWORD\" -gt 1 ] && [[ $current != -* ]]; then\n"
                       "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
                       "    else\n"
                       "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
                       "    fi\n"
                       "}}\n"
                       "complete -o filenames -F _kmatrix kmatrix\n",
                       cases, verbs, options_of(app));
}

} // namespace

void add_completion(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("completion", "Print the completion script for bash");
    add_examples(*verb,
                 "  source <(kmatrix completion)\n"
                 "  kmatrix completion > ~/.local/share/bash-completion/completions/kmatrix");
    verb->callback([&app, &action] {
        action = [&app] {
            fmt::print("{}", bash_script(app));
            return 0;
        };
    });
}

} // namespace kmatrix
