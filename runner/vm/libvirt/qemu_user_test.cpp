// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/qemu_user.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>

namespace kmatrix::libvirt {
namespace {

namespace fs = std::filesystem;

class MayUse : public ::testing::Test {
  protected:
    MayUse() {
        std::string name = (fs::temp_directory_path() / "may-use-XXXXXX").string();
        const int fd = ::mkstemp(name.data());
        ::close(fd);
        file = name;
        self = ::getpwuid(::geteuid())->pw_name;
    }
    ~MayUse() override { fs::remove(file); }

    bool with_mode(const std::string& user, mode_t mode) const {
        ::chmod(file.c_str(), mode);
        return may_use(user, file);
    }

    fs::path file; // the caller's own
    std::string self;
};

TEST_F(MayUse, RootMayUseAnything) {
    EXPECT_TRUE(with_mode("root", 0));
}

TEST_F(MayUse, OthersMayWhatTheModeSays) {
    // Debian's nobody is in nogroup alone, which owns no file here.
    EXPECT_TRUE(with_mode("nobody", 0666));
    EXPECT_FALSE(with_mode("nobody", 0664));
    EXPECT_FALSE(with_mode("nobody", 0660));
    EXPECT_FALSE(with_mode("nobody", 0600));
}

TEST_F(MayUse, WhatIsNotThereCannotBeUsed) {
    EXPECT_FALSE(with_mode("no-such-user", 0666));
    EXPECT_FALSE(may_use(self, "/no/such/file"));
}

TEST_F(MayUse, AnOwnerHasTheOwnersRights) {
    EXPECT_TRUE(with_mode(self, 0600));
    if (::geteuid() != 0) {
        EXPECT_FALSE(with_mode(self, 0466));
    }
}

} // namespace
} // namespace kmatrix::libvirt
