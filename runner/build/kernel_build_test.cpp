// SPDX-License-Identifier: GPL-2.0-only
// Whole builds, in the sandbox and over real layers: what is built again, what is kept, and what a
// hostile Makefile can do (tests/hostile has more of those).
#include "runner/build/kernel_build.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/build/build_record.h"
#include "runner/build/fake_kernel.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class KernelBuildTest : public FakeKernel {};

TEST(ConfigChange, ComesFromKconfigMakefilesAndScriptsAlone) {
    for (const char* path : {"fs/proc/task_mmu.c", "include/linux/mm.h", "Documentation/x.rst",
                             "arch/x86/entry/entry.S", "tools/testing/selftests/proc/Makefile"})
        EXPECT_FALSE(may_change_config(path)) << path;
    for (const char* path :
         {"fs/Kconfig", "fs/Kconfig.binfmt", "Makefile", "fs/Makefile", "scripts/kconfig/conf.c",
          "scripts/Kconfig.include", "kernel/configs/tiny.config", "arch/x86/tools/x.sh",
          "Documentation/Kconfig"})
        EXPECT_TRUE(may_change_config(path)) << path;
}

TEST_F(KernelBuildTest, BuildsOnFromTheBaselineAndKeepsBoth) {
    write("fs/a.c", "a changed\n");
    write("fs/c.c", "c\n");
    write("fs/Makefile", "# words\n");
    fs::remove(tree_ / "fs/b.c");
    commit();

    const auto baseline = build(Kernel::baseline);
    ASSERT_TRUE(baseline) << baseline.error().text();
    ASSERT_TRUE(baseline->result.ok) << baseline->result.error;
    EXPECT_FALSE(baseline->result.cached);
    EXPECT_EQ(read_file(baseline->image).value_or(""),
              "a\nh\nb WARN\nh\nCONFIG_BASE=y\nCONFIG_A=y\n");
    EXPECT_EQ(read_file(baseline->config).value_or(""), "CONFIG_BASE=y\nCONFIG_A=y\n");
    EXPECT_THAT(baseline->result.warnings, ElementsAre(Warning{"fs/b.c", "-Wodd", "odd", 1}));
    EXPECT_EQ(baseline->result.image_sha256, *sha256_file(baseline->image));

    const auto patched = build(Kernel::patched);
    ASSERT_TRUE(patched) << patched.error().text();
    ASSERT_TRUE(patched->result.ok) << patched->result.error;
    EXPECT_EQ(read_file(patched->vmlinux).value_or(""),
              "a changed\nh\nc\nh\nCONFIG_BASE=y\nCONFIG_A=y\n");
    EXPECT_THAT(log(), HasSubstr("configured")); // for its Makefile
    EXPECT_THAT(log(), HasSubstr("CC      fs/a.o"));
    EXPECT_THAT(log(), HasSubstr("CC      fs/c.o"));
    EXPECT_THAT(log(), Not(HasSubstr("CC      fs/b.o")));

    const auto again = build(Kernel::patched);
    EXPECT_TRUE(again->result.cached);
    EXPECT_EQ(again->result.image_sha256, patched->result.image_sha256);
    EXPECT_THAT(log(), HasSubstr("CC      fs/a.o")); // the log comes from the cache, too
    EXPECT_TRUE(build(Kernel::baseline)->result.cached);

    const auto clean = build(Kernel::patched, true);
    EXPECT_FALSE(clean->result.cached);
    EXPECT_EQ(clean->result.image_sha256, patched->result.image_sha256);
    EXPECT_TRUE(fs::is_empty(cache_.work_parent()));
}

TEST_F(KernelBuildTest, BuildsWhatDependsOnAHeaderAndNothingForAComment) {
    write("fs/h.h", "h changed\n");
    commit();
    ASSERT_TRUE(build(Kernel::baseline)->result.ok);
    const auto patched = build(Kernel::patched);
    ASSERT_TRUE(patched->result.ok) << patched->result.error;
    EXPECT_THAT(log(), HasSubstr("CC      fs/a.o"));
    EXPECT_THAT(log(), HasSubstr("CC      fs/b.o"));

    write("fs/h.h", "h\n");
    write("Documentation/x.rst", "words\n");
    commit();
    const auto other = build(Kernel::patched);
    EXPECT_THAT(log(), Not(HasSubstr("configured")));
    ASSERT_TRUE(other->result.ok) << other->result.error;
    EXPECT_THAT(log(), Not(HasSubstr("CC ")));
    EXPECT_EQ(other->result.image_sha256, build(Kernel::baseline)->result.image_sha256);
}

TEST_F(KernelBuildTest, TellsWhyASourceDoesNotBuildAndKeepsNothingOfIt) {
    write("fs/a.c", "BROKEN\n");
    commit();
    const auto patched = build(Kernel::patched); // builds the baseline by itself
    ASSERT_TRUE(patched) << patched.error().text();
    EXPECT_FALSE(patched->result.ok);
    EXPECT_EQ(patched->result.error, "fs/a.c:3:1: error: it is broken");
    EXPECT_TRUE(patched->image.empty());
    EXPECT_TRUE(fs::is_empty(cache_.root() / "kernels"));
    EXPECT_TRUE(build(Kernel::baseline)->result.cached);
}

TEST_F(KernelBuildTest, StopsWhereTheConfigurationDoesNotComeOutAsAsked) {
    write("fs/a.c", "a changed\n");
    commit();
    fragment_ = "CONFIG_A=y\nCONFIG_GONE=y\n";
    const auto baseline = build(Kernel::baseline);
    ASSERT_FALSE(baseline);
    EXPECT_EQ(baseline.error().blame, Blame::user);
    EXPECT_THAT(baseline.error().message, HasSubstr("f.config:2: CONFIG_GONE=y was asked for"));
}

TEST_F(KernelBuildTest, GivesAPatchNoHostToReadOrWrite) {
    write("Makefile", std::string(fake_makefile) +
                          "bzImage: evil\n"
                          "evil:\n"
                          "\t-@touch /src/evil\n"
                          "\t-@cat /etc/passwd /etc/hostname " +
                          (root_ / "secret").string() +
                          "\n"
                          "\t-@ls /home /root /var /proc/1/root/home\n"
                          "\t@rm -f $(O)/a.o; echo evil > $(O)/b.o\n"
                          "\t@ln -s /etc/passwd $(O)/link; rm -f $(O)/System.map\n");
    std::ofstream(root_ / "secret") << "SECRET";
    commit();
    const auto before = build(Kernel::baseline);
    const auto output = before->entry->directory() / "output";
    ASSERT_TRUE(build(Kernel::patched));
    EXPECT_THAT(log(), HasSubstr("/src/evil': Read-only file system"));
    EXPECT_THAT(log(), Not(HasSubstr("root:x:")));
    EXPECT_THAT(log(), Not(HasSubstr("SECRET")));
    EXPECT_EQ(read_file(output / "b.o").value_or(""), "b WARN\nh\n");
    EXPECT_TRUE(fs::exists(output / "a.o"));
    EXPECT_FALSE(fs::exists(output / "link"));
}

TEST_F(KernelBuildTest, BuildsCleanWhereTheClockWasSetBack) {
    write("fs/a.c", "a changed\n");
    commit();
    const auto baseline = build(Kernel::baseline);
    ASSERT_TRUE(baseline && baseline->result.ok);
    const fs::path entry = baseline->entry->directory();
    auto record = read_record(entry);
    ASSERT_TRUE(record);
    record->finished_s += 3600; // an hour from now
    ASSERT_TRUE(write_record(entry, *record));
    const auto patched = build(Kernel::patched);
    ASSERT_TRUE(patched && patched->result.ok) << log();
    EXPECT_THAT(log(), HasSubstr("CC      fs/b.o")); // that did not change
    EXPECT_THAT(patched->notes, ElementsAre(HasSubstr("the clock stands before the end")));
}

TEST_F(KernelBuildTest, AToolThatVanishesIsNoVerdict) {
    write("fs/a.c", "a changed\n");
    commit();
    ASSERT_TRUE(build(Kernel::baseline)->result.ok);
    const std::string path = std::getenv("PATH");
    const fs::path tools = root_ / "tools";
    fs::create_directories(tools);
    // All that a build asks the host for, but bubblewrap.
    for (const char* name : {"git", "gcc", "make", "sh", "unshare", "cp", "rm", "tar", "ld"})
        for (const char* directory : {"/usr/local/bin", "/usr/bin", "/bin"})
            if (fs::exists(fs::path(directory) / name) && !fs::exists(tools / name))
                fs::create_symlink(fs::path(directory) / name, tools / name);
    ::setenv("PATH", tools.c_str(), 1);
    const auto patched = build(Kernel::patched);
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_FALSE(patched);
    EXPECT_EQ(patched.error().blame, Blame::infrastructure);
    EXPECT_THAT(patched.error().text(), HasSubstr("bwrap"));
    EXPECT_TRUE(build(Kernel::patched)->result.ok);
}

} // namespace
} // namespace kmatrix
