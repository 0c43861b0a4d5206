// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/picture_svg.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {
using testing::HasSubstr;
using testing::Not;

// Pieces of what gnuplot 5.4.4 writes.
constexpr const char* from_gnuplot = R"(<?xml version="1.0" encoding="utf-8"  standalone="no"?>
<svg width="480" height="360" viewBox="0 0 480 360" xmlns="http://www.w3.org/2000/svg"
 xmlns:xlink="http://www.w3.org/1999/xlink">
<title>Gnuplot</title>
<desc>Produced by GNUPLOT 5.4 patchlevel 4 </desc>
<g id="gnuplot_canvas">
<rect x="0" y="0" width="480" height="360" fill="none"/>
<defs>
	<circle id='gpDot' r='0.5' stroke-width='0.5' stroke='currentColor'/>
	<path id='gpPt0' stroke-width='0.222' stroke='currentColor' d='M-1,0 h2 M0,-1 v2'/>
	<circle id='gpPt5' stroke-width='0.222' stroke='currentColor' cx='0' cy='0' r='1'/>
	<use xlink:href='#gpPt5' id='gpPt6' fill='currentColor' stroke='none'/>
	<use xlink:href='#gpPt0' id='gpPt7' fill='currentColor' stroke='none'/>
</defs>
<g fill="none" color="white" stroke="currentColor" stroke-width="1.00">
</g>
<g id="gnuplot_plot_1" ><title>baseline</title>
	<path stroke='rgb(179,  88,   6)'  d='M54.53,444.00 L63.53,444.00'/>
	<use xlink:href='#gpPt6' transform='translate(5,6)' color='rgb( 33, 102, 172)'/>
	<g stroke="none" fill="black"><text><tspan>1 &lt; 2 µs</tspan></text></g>
	<path stroke='rgb(  1,   2,   3)'  d='M0,0'/>
</g></g></svg>)";

TEST(PictureSvg, ColoursAreThePages) {
    const auto svg = picture_svg(from_gnuplot);
    ASSERT_TRUE(svg) << svg.error().text();
    EXPECT_THAT(*svg, HasSubstr("stroke=\"var(--baseline,#b35806)\""));
    EXPECT_THAT(*svg, HasSubstr("color=\"var(--patched,#1f5fa8)\""));
    EXPECT_THAT(*svg, HasSubstr("fill=\"var(--ink,#1b1f24)\""));
    EXPECT_THAT(*svg, HasSubstr("stroke=\"rgb(1,2,3)\"")); // stands for nothing
    EXPECT_THAT(*svg, HasSubstr("<style>:root{--ink:"));
    EXPECT_THAT(*svg, HasSubstr("prefers-color-scheme:dark"));
}

TEST(PictureSvg, WhatIsNotUsedIsNotThere) {
    const auto svg = picture_svg(from_gnuplot);
    ASSERT_TRUE(svg) << svg.error().text();
    EXPECT_THAT(*svg, Not(HasSubstr("title>")));
    EXPECT_THAT(*svg, Not(HasSubstr("GNUPLOT")));
    EXPECT_THAT(*svg, Not(HasSubstr("gpDot")));
    EXPECT_THAT(*svg, Not(HasSubstr("gpPt0")));
    EXPECT_THAT(*svg, Not(HasSubstr("gpPt7")));
    EXPECT_THAT(*svg, Not(HasSubstr("white"))); // an empty group
    EXPECT_THAT(*svg, HasSubstr("id=\"gpPt6\""));
    EXPECT_THAT(*svg, HasSubstr("id=\"gpPt5\"")); // it is made of that
    EXPECT_THAT(*svg, HasSubstr("1 &lt; 2 µs"));
}

TEST(PictureSvg, WhatIsNoPictureIsAnError) {
    EXPECT_FALSE(picture_svg(""));
    EXPECT_FALSE(picture_svg("<svg"));
    EXPECT_FALSE(picture_svg("<html/>"));
    EXPECT_FALSE(picture_svg("line 3: undefined variable: x"));
}

} // namespace
} // namespace kmatrix
