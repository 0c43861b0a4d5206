// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/stall.h"

namespace kmatrix {

bool is_stall(const Finding& finding) {
    return finding.klass == "hang";
}

int easy_emulated_vcpus(Arch arch) {
    switch (arch) {
    case Arch::x86_64:
        return 8;
    case Arch::arm64:
        return 24;
    }
    return 0;
}

} // namespace kmatrix
