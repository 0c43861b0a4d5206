// SPDX-License-Identifier: GPL-2.0-only
// gnuplot's SVG made fit for a page.
#pragma once

#include <string>

#include "base/error.h"

namespace kmatrix {

// The same picture in the page's colours, light or dark as the reader's system is, and without what
// a page has no use for (titles of gnuplot's own, marks that are not used). An Error where it is no
// SVG document.
Result<std::string> picture_svg(const std::string& from_gnuplot);

// The colours of pages and pictures alike, as CSS custom properties: --ink, --paper, --faint,
// --band, --baseline, --patched, for light and for dark.
std::string colours_css();

} // namespace kmatrix
