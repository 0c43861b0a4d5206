// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/uri.h"

#include <gmock/gmock.h>

namespace kmatrix::libvirt {
namespace {

using ::testing::HasSubstr;

TEST(LibvirtUri, LocalQemuIsTaken) {
    EXPECT_EQ(parse_uri("qemu:///embed"), Driver::embed);
    EXPECT_EQ(parse_uri("qemu:///session"), Driver::session);
    EXPECT_EQ(parse_uri("qemu:///system"), Driver::system);
}

TEST(LibvirtUri, RemoteIsRefusedWithAReason) {
    for (const char* uri : {"qemu+ssh://root@host/system", "qemu://host/system",
                            "qemu+tcp://host:16509/system", "qemu+ssh:///system"}) {
        const auto driver = parse_uri(uri);
        ASSERT_FALSE(driver) << uri;
        EXPECT_EQ(driver.error().blame, Blame::user);
        EXPECT_THAT(driver.error().message, HasSubstr("another machine"));
        EXPECT_THAT(driver.error().message, HasSubstr(uri));
    }
}

TEST(LibvirtUri, OthersAreRefusedWithWhatIsTaken) {
    for (const char* uri : {"", "xen:///system", "qemu+unix:///system", "qemu:///",
                            "qemu:///embed?root=/tmp", "embed"}) {
        const auto driver = parse_uri(uri);
        ASSERT_FALSE(driver) << uri;
        EXPECT_EQ(driver.error().blame, Blame::user);
        EXPECT_THAT(driver.error().message,
                    HasSubstr("qemu:///embed, qemu:///session or qemu:///system"));
    }
}

} // namespace
} // namespace kmatrix::libvirt
