// SPDX-License-Identifier: GPL-2.0-only
// What a hostile series leaves in its output, and how the host's side takes it; the cache that
// builds share.
#include <fstream>

#include <sys/resource.h>

#include <boost/process/v2/environment.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "runner/build/fake_kernel.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class HostileBuild : public FakeKernel {
  protected:
    // The patched kernel, whose Makefile does this too once the image is there.
    Result<KernelBuild> attack(const std::string& recipe, const std::string& target = "bzImage") {
        std::ofstream(root_ / "secret") << "SECRET";
        std::string text = fake_makefile;
        const std::size_t at = text.find(target + ":");
        const std::size_t next = text.find("\n$(O)", at);
        text.insert(target == "bzImage" ? next : text.find("\nbzImage", at), "\n\t" + recipe);
        write("Makefile", text);
        commit();
        return build(Kernel::patched);
    }
    // Whether any file below the directory has the text.
    static bool is_anywhere(const fs::path& directory, const std::string& words) {
        std::error_code error;
        for (const auto& entry : fs::recursive_directory_iterator(directory, error))
            if (entry.symlink_status().type() == fs::file_type::regular)
                if (const auto text = read_file(entry.path());
                    text && text->find(words) != std::string::npos)
                    return true;
        return false;
    }
};

TEST_F(HostileBuild, NoLinkInItsOutputIsFollowed) {
    for (const char* file : {"arch/x86/boot/bzImage", "vmlinux", "System.map"}) {
        for (const std::string& make :
             {"ln -s " + (root_ / "secret").string(), std::string("ln -s /etc/passwd"),
              std::string("ln -s ../../../../../../../../etc/passwd"), std::string("mkfifo"),
              std::string("mkdir")}) {
            const auto patched = attack(fmt::format("@rm -f $(O)/{0}; {1} $(O)/{0}", file, make));
            ASSERT_FALSE(patched) << make << " " << file;
            EXPECT_THAT(patched.error().message, HasSubstr(fmt::format("built no {}", file)))
                << make;
        }
    }
    // Nor one in a directory's place.
    const auto patched = attack("@rm -rf $(O)/arch/x86; ln -s /etc $(O)/arch/x86");
    ASSERT_FALSE(patched);
    EXPECT_FALSE(is_anywhere(cache_.root(), "SECRET"));
    EXPECT_FALSE(is_anywhere(root_ / "run", "SECRET"));
    EXPECT_FALSE(is_anywhere(cache_.root() / "kernels", "root:x:"));
}

TEST_F(HostileBuild, NorInItsConfiguration) {
    for (const std::string& make :
         {"ln -sf " + (root_ / "secret").string(), std::string("rm -f $(O)/.config; mkfifo"),
          std::string("rm -f $(O)/.config; truncate -s 1G")}) {
        const auto patched = attack("@" + make + " $(O)/.config", "olddefconfig");
        ASSERT_FALSE(patched) << make;
        EXPECT_THAT(patched.error().message, HasSubstr(".config")) << make;
        EXPECT_THAT(patched.error().text(), Not(HasSubstr("SECRET")));
    }
}

TEST_F(HostileBuild, AFileThatIsAllHolesIsNotCopied) {
    const auto patched = attack("@truncate -s 6G $(O)/vmlinux");
    ASSERT_FALSE(patched);
    EXPECT_THAT(patched.error().message, HasSubstr("vmlinux, which is larger than"));
}

TEST_F(HostileBuild, ADeepTreeIsRemovedAgain) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const rlimit few{256, limit.rlim_max}; // fewer than the tree has levels
    ::setrlimit(RLIMIT_NOFILE, &few);
    const auto patched = attack("@cd $(O); i=0; while [ $$i -lt 1000 ]; do mkdir d && cd d; "
                                "i=$$((i+1)); done; mkdir e; touch e/f; chmod 000 e");
    ASSERT_TRUE(patched) << patched.error().text();
    EXPECT_TRUE(patched->result.ok) << patched->result.error;
    EXPECT_TRUE(fs::is_empty(cache_.work_parent()));
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

TEST_F(HostileBuild, TheSharedCompilerCacheIsNotItsToWrite) {
    if (boost::process::v2::environment::find_executable("ccache").empty())
        GTEST_SKIP() << "ccache is not installed";
    ccache_ = true;
    const auto patched = attack("-@echo evil >/ccache/evil; chmod 777 /ccache; rm -rf /ccache/*; "
                                "echo 'max_size = 0' >/ccache/ccache.conf; mv /ccache /ccache.old; "
                                "env CCACHE_READONLY= ccache --clear; env | grep CCACHE");
    ASSERT_TRUE(patched) << patched.error().text();
    EXPECT_TRUE(patched->result.ok) << patched->result.error;
    EXPECT_THAT(log(), HasSubstr("/ccache/evil: Read-only file system"));
    EXPECT_THAT(log(), HasSubstr("CCACHE_READONLY=1"));
    EXPECT_FALSE(fs::exists(cache_.root() / "ccache/evil"));
    EXPECT_FALSE(fs::exists(cache_.root() / "ccache/ccache.conf") &&
                 is_anywhere(cache_.root() / "ccache", "max_size = 0"));
}

TEST_F(HostileBuild, TheBaselinesOutputIsNotItsToChange) {
    const auto patched = attack("@echo evil >$(O)/b.o; rm -f $(O)/a.o; chmod 777 $(O)");
    ASSERT_TRUE(patched) << patched.error().text();
    const auto baseline = build(Kernel::baseline);
    ASSERT_TRUE(baseline && baseline->result.ok);
    EXPECT_TRUE(baseline->result.cached);
    const fs::path output = baseline->entry->directory() / "output";
    EXPECT_EQ(read_file(output / "b.o").value_or(""), "b WARN\nh\n");
    EXPECT_TRUE(fs::exists(output / "a.o"));
    EXPECT_FALSE(is_anywhere(cache_.root() / "baselines", "evil"));
}

TEST_F(HostileBuild, ItsOwnErrorIsReported) {
    const auto patched = attack("@echo '/src/fs/a.c:7:1: error: caught' >&2; exit 1");
    ASSERT_TRUE(patched) << patched.error().text();
    EXPECT_FALSE(patched->result.ok);
    EXPECT_EQ(patched->result.error, "fs/a.c:7:1: error: caught");
}

} // namespace
} // namespace kmatrix
