// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cli/command_line.h"

int main(int argc, char** argv) {
    return kmatrix::command_line(argc, argv);
}
