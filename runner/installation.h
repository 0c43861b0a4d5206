// SPDX-License-Identifier: GPL-2.0-only
// Where kmatrix's own files are: beside the installed program, or in the source it was built from.
#pragma once

#include <filesystem>

namespace kmatrix {

// The folder of the config fragments: $KMATRIX_KCONFIGS, PREFIX/share/kmatrix/kconfigs, or that of
// the source.
std::filesystem::path kconfigs_directory();

} // namespace kmatrix
