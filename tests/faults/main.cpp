// SPDX-License-Identifier: GPL-2.0-only
#include <string_view>

#include <gmock/gmock.h>

#include "runner/vm/guardian.h"
#include "tests/faults/fake_run.h"

// `faults_test guardian` is the guardian of its virtual machines, as in kmatrix.
// `faults_test --run DIRECTORY` is one run, for tests that need a process of its own.
int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--run")
        return kmatrix::faults::run_here(argv[2], {});
    if (argc == 2 && std::string_view(argv[1]) == "guardian")
        return kmatrix::guardian_main(0);
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
