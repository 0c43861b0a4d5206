// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/picture_script.h"

#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "results/reports/pictures.h"

namespace kmatrix {

std::string script_head(int width, int height) {
    using namespace picture_colour;
    std::string text = fmt::format(
        "set terminal svg size {},{} dynamic noenhanced font \"sans-serif,13\"\n", width, height);
    text += "set encoding utf8\n"
            "set border 3\n"
            "set tics nomirror scale 0.5\n"
            "set xtics norotate\n";
    text +=
        fmt::format("set grid xtics ytics linetype 1 linewidth 1 linecolor rgb \"{}\"\n", faint);
    // points: a disc for baseline, a triangle for patched
    for (const auto& [style, colour, point] :
         {std::tuple{1, baseline, 7}, std::tuple{2, patched, 9}})
        text += fmt::format("set style line {} linetype 1 linewidth 2 linecolor rgb \"{}\" "
                            "pointtype {} pointsize 0.6\n",
                            style, colour, point);
    return text;
}

std::string data_block(std::string_view name, const std::vector<std::string>& lines) {
    return fmt::format("{} << END\n{}{}END\n", name, join(lines, "\n"), lines.empty() ? "" : "\n");
}

std::string label(std::string_view text, bool emulated) {
    return fmt::format("\"{}{}\"", text, emulated ? ", EMULATED" : "");
}

} // namespace kmatrix
