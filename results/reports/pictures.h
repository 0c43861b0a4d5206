// SPDX-License-Identifier: GPL-2.0-only
// What is to be drawn of a run's benchmarks, as scripts for gnuplot 5.4 or later: pure text, made
// from the data. Whoever has gnuplot runs them (runner/run/draw.h).
#pragma once

#include <string>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/model.h"

namespace kmatrix {

enum class PictureKind {
    distribution, // of single calls' times, of both kernels
    samples,      // each sample's mean, by boot, in the order run
    ratio,        // patched/baseline with its interval, the margin and 1
};

struct Picture {
    PictureKind kind = PictureKind::distribution;
    std::string cell; // with the benchmark, which comparison it belongs to
    std::string benchmark;
    int width = 480, height = 360; // CSS pixels
    std::string script; // given to gnuplot on stdin, it writes one SVG document on stdout
    std::string words;  // what is to be seen in it, for who cannot see it
};

// Those that the figures suffice for: no distribution of a benchmark that times no single calls, no
// ratio without a boot on either side.
std::vector<Picture> pictures(const RunResult& run, const Comparison& comparison);

// A picture after somebody tried to draw it.
struct Drawing {
    Picture picture;
    std::string svg;     // as picture_svg() makes it; empty if it could not be drawn
    std::string failure; // then why
};

// The colours that the scripts draw in. Each stands for what it means, so that a page can show it
// in other colours (results/reports/picture_svg.h).
namespace picture_colour {
inline constexpr const char* ink = "#000000";
inline constexpr const char* faint = "#d8d8d8"; // grid lines
inline constexpr const char* band = "#cccccd";  // the margin
inline constexpr const char* baseline = "#b35806";
inline constexpr const char* patched = "#2166ac";
} // namespace picture_colour

} // namespace kmatrix
