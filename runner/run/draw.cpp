// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/draw.h"

#include <fmt/format.h>

#include "base/command.h"
#include "base/text.h"
#include "results/reports/picture_svg.h"

namespace kmatrix {
namespace {

constexpr std::chrono::seconds longest{60}; // it takes a fraction of one

Drawing draw_one(const Picture& picture, const std::string& gnuplot) {
    Command command;
    command.argv = {gnuplot, "--default-settings", "-"}; // nobody's ~/.gnuplot; script on stdin
    command.input = picture.script;
    command.timeout = longest;
    const auto exit = run_blocking(command);
    if (!exit)
        return {picture, "", "gnuplot did not start (is gnuplot-nox installed?)"};
    if (exit->timed_out)
        return {picture, "", fmt::format("gnuplot did not end within {} s", longest.count())};
    if (!exit->ok())
        return {
            picture, "",
            fmt::format("gnuplot failed: {}", join(split(last_lines(exit->tail, 2), '\n'), " "))};
    auto svg = picture_svg(exit->output);
    if (!svg)
        return {picture, "", svg.error().message};
    return {picture, std::move(*svg), ""};
}

} // namespace

std::vector<Drawing> draw(const std::vector<Picture>& pictures, const std::string& gnuplot) {
    std::vector<Drawing> drawings;
    drawings.reserve(pictures.size());
    for (const Picture& picture : pictures)
        drawings.push_back(draw_one(picture, gnuplot));
    return drawings;
}

} // namespace kmatrix
