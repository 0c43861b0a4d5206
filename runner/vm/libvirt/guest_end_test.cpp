// SPDX-License-Identifier: GPL-2.0-only
// The events are those that libvirt 9.0 with QEMU 7.2 was seen to send.
#include "runner/vm/libvirt/guest_end.h"

#include <gmock/gmock.h>
#include <libvirt/libvirt.h>

namespace kmatrix::libvirt {
namespace {

using ::testing::VariantWith;
template <class End>
auto is() {
    return VariantWith<End>(::testing::_);
}

TEST(EndEvents, PowerOff) {
    EndEvents events;
    events.monitor("SHUTDOWN", R"({"guest":true,"reason":"guest-shutdown"})");
    EXPECT_FALSE(events.lifecycle(VIR_DOMAIN_EVENT_SHUTDOWN, VIR_DOMAIN_EVENT_SHUTDOWN_GUEST));
    EXPECT_TRUE(events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN));
    EXPECT_THAT(events.end(), is<PoweredOff>());
}

TEST(EndEvents, ResetLooksThatWayOnlyToQemu) {
    EndEvents events;
    events.monitor("SHUTDOWN", R"({"guest":true,"reason":"guest-reset"})");
    EXPECT_FALSE(events.lifecycle(VIR_DOMAIN_EVENT_SHUTDOWN, VIR_DOMAIN_EVENT_SHUTDOWN_GUEST));
    EXPECT_TRUE(events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN));
    EXPECT_THAT(events.end(), is<Rebooted>());
}

TEST(EndEvents, Panic) {
    EndEvents events;
    events.monitor("GUEST_PANICKED", R"({"action":"pause"})");
    EXPECT_FALSE(events.lifecycle(VIR_DOMAIN_EVENT_CRASHED, VIR_DOMAIN_EVENT_CRASHED_PANICKED));
    EXPECT_TRUE(events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_CRASHED));
    EXPECT_THAT(events.end(), is<Crashed>());
}

TEST(EndEvents, PanicIsToldWithoutTheMonitorToo) {
    EndEvents events;
    events.lifecycle(VIR_DOMAIN_EVENT_CRASHED, VIR_DOMAIN_EVENT_CRASHED_PANICKED);
    events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN);
    EXPECT_THAT(events.end(), is<Crashed>());
}

TEST(EndEvents, TheFirstCauseCounts) {
    EndEvents events;
    events.monitor("GUEST_PANICKED", R"({"action":"pause"})");
    events.monitor("SHUTDOWN", R"({"guest":true,"reason":"guest-reset"})");
    EXPECT_THAT(events.end(), is<Crashed>());
}

TEST(EndEvents, KilledByUs) {
    EndEvents events;
    events.destroying();
    events.monitor("SHUTDOWN", R"({"guest":false,"reason":"host-signal"})");
    events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_FAILED);
    EXPECT_THAT(events.end(), is<Destroyed>());
}

TEST(EndEvents, KilledByUsButOverBefore) {
    EndEvents events;
    events.monitor("SHUTDOWN", R"({"guest":true,"reason":"guest-shutdown"})");
    events.destroying();
    events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_DESTROYED);
    EXPECT_THAT(events.end(), is<PoweredOff>());
}

TEST(EndEvents, KilledBySomebodyElse) {
    EndEvents events;
    events.monitor("SHUTDOWN", R"({"guest":false,"reason":"host-signal"})");
    events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_FAILED);
    EXPECT_THAT(events.end(), is<Died>());
}

TEST(EndEvents, WhatCannotBeReadIsIgnored) {
    EndEvents events;
    for (const char* details : {"", "{", "[]", "{}", R"({"reason":7})", R"({"reason":"new"})"})
        events.monitor("SHUTDOWN", details);
    events.monitor("RESET", R"({"guest":true,"reason":"guest-reset"})");
    events.lifecycle(VIR_DOMAIN_EVENT_STOPPED, VIR_DOMAIN_EVENT_STOPPED_SHUTDOWN);
    EXPECT_THAT(events.end(), is<PoweredOff>());
}

} // namespace
} // namespace kmatrix::libvirt
