// SPDX-License-Identifier: GPL-2.0-only
// The command line: reads the arguments, does what they say, returns the exit status.
// 0 as wanted, 1 the series regressed something, 2 usage or a bad file, 3 infrastructure.
#pragma once

namespace kmatrix {

int command_line(int argc, char** argv);

} // namespace kmatrix
