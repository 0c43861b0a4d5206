// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/helper_frames.h"

#include <string_view>

#include <gtest/gtest.h>

#include "results/console/function_names.h"

namespace kmatrix {
namespace {

// A '*' anywhere but at the end of a name would never match.
TEST(FunctionNames, HaveStarsAtTheEndOnly) {
    for (const auto words : {function_names::reporting,
                             function_names::exceptions,
                             function_names::floors,
                             function_names::checking,
                             function_names::lock_checking,
                             function_names::locks,
                             function_names::primitives,
                             function_names::counts,
                             function_names::allocators,
                             function_names::deferring,
                             function_names::core,
                             function_names::misused,
                             function_names::waiting,
                             function_names::sleeping,
                             function_names::constructors,
                             function_names::dispatchers,
                             function_names::watchdog_checks,
                             function_names::watchdogs,
                             function_names::idles,
                             function_names::cpu_waiters,
                             function_names::grace_periods}) {
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            if (words[i] == '*') {
                EXPECT_TRUE(words[i + 1] == ' ' || words[i + 1] == '\n') << words.substr(0, i);
            }
        }
    }
}

TEST(IsHelper, SkipsWhatIsNotAtFault) {
    for (const auto* name : {"dump_stack_lvl", "kasan_report", "asm_exc_page_fault", "lock_acquire",
                             "_raw_spin_lock_irqsave", "memcpy", "refcount_warn_saturate", "kfree",
                             "__list_del_entry_valid_or_report", "el1h_64_sync", "schedule"}) {
        EXPECT_TRUE(is_helper(name, Fault::access)) << name;
    }
    for (const auto* name :
         {"gizmo_read", "rtnl_lock", "atomic_open", "try_to_wake_up", "vfs_read"}) {
        EXPECT_FALSE(is_helper(name, Fault::access)) << name;
    }
}

TEST(IsHelper, DependsOnTheFault) {
    EXPECT_TRUE(is_helper("console_lock", Fault::hung));
    EXPECT_FALSE(is_helper("console_lock", Fault::access));
    EXPECT_TRUE(is_helper("gizmo_alloc", Fault::leak));
    EXPECT_FALSE(is_helper("gizmo_alloc", Fault::access));
    EXPECT_TRUE(is_helper("call_rcu", Fault::misuse));
    EXPECT_FALSE(is_helper("call_rcu", Fault::access));
    // Where two accesses race, a primitive may well be what races
    EXPECT_FALSE(is_helper("memcpy", Fault::race));
    EXPECT_TRUE(is_helper("kcsan_report", Fault::race));
}

TEST(Dispatchers, AreNoOperations) {
    EXPECT_TRUE(is_dispatcher("do_syscall_64"));
    EXPECT_TRUE(is_dispatcher("process_one_work"));
    EXPECT_FALSE(is_dispatcher("gizmo_ioctl"));
    EXPECT_TRUE(is_idle("default_idle_call"));
    EXPECT_TRUE(is_watchdog("tick_nohz_handler"));
    EXPECT_FALSE(is_watchdog_check("tick_nohz_handler"));
    EXPECT_TRUE(is_watchdog_check("rcu_sched_clock_irq"));
}

TEST(CommonName, IsOneForVariants) {
    EXPECT_EQ(common_name("synchronize_rcu_expedited"), "synchronize_rcu");
    EXPECT_EQ(common_name("smp_call_function_many_cond"), "smp_call_function");
    EXPECT_EQ(common_name("gizmo_read"), "gizmo_read");
}

} // namespace
} // namespace kmatrix
