// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/sandbox.h"

#include <algorithm>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::Contains;
using testing::IsSupersetOf;
using testing::Not;

bool has_run(const std::vector<std::string>& argv, const std::vector<std::string>& run) {
    return std::search(argv.begin(), argv.end(), run.begin(), run.end()) != argv.end();
}

class SandboxArgv : public testing::Test {
  protected:
    Sandbox sandbox_{"/cache/source", false, "/cache/output", {}, {}, {}};
};

TEST_F(SandboxArgv, LetsNothingInButSourceOutputAndTools) {
    const auto argv = sandbox_argv(sandbox_, {"make", "-C", "/src"});
    EXPECT_EQ(argv.front(), "bwrap");
    EXPECT_THAT(argv,
                IsSupersetOf({"--unshare-net", "--unshare-pid", "--unshare-user", "--unshare-ipc",
                              "--clearenv", "--die-with-parent", "--new-session"}));
    EXPECT_TRUE(has_run(argv, {"--cap-drop", "ALL"}));
    EXPECT_TRUE(has_run(argv, {"--ro-bind", "/cache/source", "/src"}));
    EXPECT_TRUE(has_run(argv, {"--bind", "/cache/output", "/build"}));
    EXPECT_TRUE(has_run(argv, {"--chdir", "/build", "--", "prlimit"}));
    EXPECT_TRUE(has_run(argv, {"--", "make", "-C", "/src"}));
    EXPECT_TRUE(has_run(argv, {"--seccomp", "9"}));
    for (const char* secret : {"/home", "/root", "/etc", "/var", "/run", "/sys"})
        EXPECT_THAT(argv, Not(Contains(secret)));
    // The root is bubblewrap's own, and only named to make it read-only.
    EXPECT_EQ(std::count(argv.begin(), argv.end(), "/"), 1);
    EXPECT_TRUE(has_run(argv, {"--remount-ro", "/"}));
    EXPECT_TRUE(has_run(argv, {"--remount-ro", "/proc"}));
    EXPECT_TRUE(has_run(argv, {"--size", "2147483648", "--tmpfs", "/tmp"}));
    // Exactly one place of the host can be written to.
    EXPECT_EQ(std::count(argv.begin(), argv.end(), "--bind"), 1);
}

TEST_F(SandboxArgv, FixesWhatKbuildPutsIntoAKernel) {
    const auto argv = sandbox_argv(sandbox_, {"true"});
    EXPECT_TRUE(has_run(argv, {"--setenv", "KBUILD_BUILD_USER", "kmatrix"}));
    EXPECT_TRUE(has_run(argv, {"--setenv", "KBUILD_BUILD_HOST", "kmatrix"}));
    EXPECT_TRUE(has_run(argv, {"--setenv", "KBUILD_BUILD_VERSION", "1"}));
    EXPECT_TRUE(has_run(argv, {"--setenv", "LOCALVERSION", ""}));
    EXPECT_TRUE(has_run(argv, {"--setenv", "LC_ALL", "C"}));
    EXPECT_THAT(argv, Contains("KBUILD_BUILD_TIMESTAMP"));
}

TEST_F(SandboxArgv, AddsBindsVariablesAndAWritableSource) {
    sandbox_.source_writable = true;
    sandbox_.binds = {{"/a", "/b", false}, {"/c", "/d", true}};
    sandbox_.environment = {"CCACHE_DIR=/ccache", "X=a=b"};
    const auto argv = sandbox_argv(sandbox_, {"true"});
    EXPECT_TRUE(has_run(argv, {"--bind", "/cache/source", "/src"}));
    EXPECT_TRUE(has_run(argv, {"--ro-bind", "/a", "/b"}));
    EXPECT_TRUE(has_run(argv, {"--bind", "/c", "/d"}));
    EXPECT_TRUE(has_run(argv, {"--setenv", "CCACHE_DIR", "/ccache"}));
    EXPECT_TRUE(has_run(argv, {"--setenv", "X", "a=b"}));
}

} // namespace
} // namespace kmatrix
