// SPDX-License-Identifier: GPL-2.0-only
// The rules as tables, a line each, read by rule.cpp. Columns:
//   part  place  class  from  fault | title | pattern | words that wake it, by ';'
// as the enums of rule.h and the fields of Rule say. The order matters: the first rule that matches
// counts. A rule for prose must start a message; only phrases that nothing but a report has may
// stand anywhere.
#pragma once

#include <string_view>

namespace kmatrix::rule_tables {

// Place | pattern | why it is no report.
inline constexpr std::string_view ignored = R"(
any   | general protection fault ip:         | a program's fault: the kernel notes that it sent a signal
start | BUG: Bad page %_ messages suppressed | counts reports that were left out; the first ones are there
any   | INFO: lockdep is turned off          | part of every dump after a first report
any   | BUG: MAX_LOCKDEP_%w too low           | a limit of the checker, no fault of the kernel that it checks
any   | Fake kernel panic                    | an injected machine check, with panics disarmed
any   | ---[ end Kernel panic                | repeats the reason of the panic at its end
any   | BUG: KASAN: %_ [kasan_test]          | KUnit's suite for KASAN provokes it
any   | BUG: KASAN: %_ [kasan_test_module]   | the part of that suite that is no KUnit test
any   | BUG: KFENCE: %_ [kfence_test]        | KUnit's suite for KFENCE provokes it
any   | BUG: KMSAN: %_ [kmsan_test]          | KUnit's suite for KMSAN provokes it
any   | BUG: KCSAN: %_ [kcsan_test]          | KUnit's suite for KCSAN provokes it
start | WARNING: Flushing system-wide work   | asks for a change of code that works; its stack is no fault's
)";

inline constexpr std::string_view panics = R"(
panic any panic header  access | kernel panic: stack is corrupted   | Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: %f
panic any panic trace   access | kernel panic: stack is corrupted   | Kernel panic - not syncing: stack-protector: Kernel stack is corrupted
panic any panic entry   access | kernel panic: corrupted stack end  | Kernel panic - not syncing: corrupted stack end
panic any panic nowhere access | kernel panic: $1                   | Kernel panic - not syncing: %t
panic start panic nowhere access | kernel panic                     | Kernel panic
head  start panic nowhere access | trusty: assertion failed: $1     | trusty: panic (caller %x): %_ASSERT FAILED at (%_): %t
head  start panic nowhere access | trusty: panic                    | trusty: panic
)";

inline constexpr std::string_view sanitizers = R"(
head any sanitizer header access | KASAN: $1$access   | BUG: KASAN: %t in %f
head any sanitizer trace  access | KASAN: $1$access   | BUG: KASAN: %t on address
head any sanitizer trace  access | KASAN: $1$access   | BUG: KASAN: %t
head any sanitizer header race   | KCSAN: $1          | BUG: KCSAN: %t in %f / %f
head any sanitizer header race   | KCSAN: $1          | BUG: KCSAN: %t in %f
head any sanitizer trace  race   | KCSAN: $1          | BUG: KCSAN: %t
head any sanitizer header access | KMSAN: $1          | BUG: KMSAN: %t in %f
head any sanitizer trace  access | KMSAN: $1          | BUG: KMSAN: %t
head any sanitizer header access | KFENCE: $1         | BUG: KFENCE: %t in %f
head any sanitizer trace  access | KFENCE: $1         | BUG: KFENCE: %t
trap any sanitizer trace     access | UBSAN: $1          | Internal error: UBSAN: %t: %x [#
head any sanitizer trace  access | UBSAN: $1          | UBSAN: %t in %w
head any sanitizer header access | UBSAN: $1          | UBSAN: %t at %f
lead any sanitizer header access | CFI failure        | CFI failure at %f
lead any sanitizer trace  access | CFI failure        | CFI failure (
trap any sanitizer trace     access | CFI failure        | Internal error: Oops - CFI
trap any sanitizer trace     access | KASAN: bad access  | Internal error: Oops - KASAN
)";

// The kernel's own faults: what leads to a trap, and the trap ("[#1]" is the counter of oopses).
inline constexpr std::string_view oopses = R"(
lead any oops trace    access | NULL pointer dereference    | BUG: kernel NULL pointer dereference
lead any oops trace    access | NULL pointer dereference    | BUG: unable to handle kernel NULL pointer dereference
lead any oops trace    access | NULL pointer dereference    | BUG: Kernel NULL pointer dereference
lead any oops trace    access | page fault                  | BUG: unable to handle
lead any oops trace    access | page fault                  | BUG: Unable to handle
lead any oops entry access | stack guard page was hit    | BUG: stack guard page was hit
lead any oops entry access | stack guard page was hit    | BUG: %w stack guard page was hit
lead any oops trace    access | NULL pointer dereference    | Unable to handle kernel NULL pointer dereference
lead any oops trace    access | page fault                  | Unable to handle kernel paging request
lead any oops trace    access | unable to handle kernel $1  | Unable to handle kernel %t at virtual address
lead any oops trace    access | page fault                  | Unable to handle kernel
lead any oops entry access | kernel stack overflow       | Insufficient stack space to handle exception
lead any oops trace    access | SError interrupt            | SError Interrupt on CPU%d
lead start oops trace  access | unhandled $1 exception      | Unhandled %t exception on CPU%d
lead any oops trace    access | bad mode in $1 handler      | Bad mode in %t handler detected
lead any oops trace    access | double fault                | PANIC: double fault
lead any oops trace    access | early exception             | PANIC: early exception
maybe start oops trace access | unhandled fault: $1         | Unhandled fault: %t (%x)
maybe start oops trace access | unhandled prefetch abort: $1 | Unhandled prefetch abort: %t (%x)
maybe start oops trace access | alignment trap              | Alignment trap: not handling instruction
trap any oops trace    access | general protection fault    | general protection fault: %x
trap any oops trace    access | general protection fault    | general protection fault, %_: %x
trap any oops trace    access | divide error                | divide error: %x
trap any oops trace    access | stack segment fault         | stack segment: %x
trap any oops trace    access | invalid opcode              | invalid opcode: %x [#
trap start oops trace  access | general protection fault  | general protection fault:
trap start oops trace  access | divide error              | divide error:
trap start oops trace  access | invalid opcode            | invalid opcode:
trap any bug  trace    access | kernel BUG                  | Internal error: Oops - BUG
trap any oops trace    access | internal error: $1          | Internal error: %t: %x [#
trap start oops trace  access | internal error              | Internal error:
trap start bug trace   access | kernel BUG                  | Kernel BUG [#
trap start bug trace   access | kernel BUG                  | Kernel bug detected[#
trap start bug trace   access | kernel BUG                  | Oops: Exception in kernel mode, sig: 5 [#
trap start oops trace  access | $1                          | Oops: %t, sig: %d [#
trap any oops trace    access | $1                          | Oops: %t: %x [#
trap start oops trace  access | $1                          | %t: %x [# | [#1];[#2];[#3];[#4];[#5];[#6];[#7];[#8];[#9]
trap start oops trace  access | $1                          | %t[#      | [#1];[#2];[#3];[#4];[#5];[#6];[#7];[#8];[#9]
)";

// Assertions and corruption that the kernel found by itself.
inline constexpr std::string_view bugs = R"(
lead any bug trace       access | bad usercopy               | Kernel memory %t attempt detected
lead any bug trace       access | bad usercopy               | kernel memory %t attempt detected
lead any bug trace       access | corrupted list             | list_add corruption
lead any bug trace       access | corrupted list             | list_del corruption
lead any bug trace       access | corrupted list             | slist_add corruption
lead any bug trace       access | buffer overflow            | detected buffer overflow
lead start bug trace  access | Rust panic: $next          | rust_kernel: panicked at
lead any bug trace       access | kernel BUG                 | kernel BUG at %w!
lead any bug trace       access | kernel BUG                 | kernel BUG at
lead any bug header   access | kernel BUG                 | BUG: failure at %w/%f
head any bug trace    access | bad page state             | BUG: Bad page state in process
head any bug trace    access | bad page map               | BUG: Bad page map in process
head any bug trace    access | bad page cache             | BUG: Bad page cache in process
head any bug line     access | bad rss-counter state of $1 | BUG: Bad rss-counter state %_ type:%w val
head any bug line     access | bad rss-counter state      | BUG: Bad rss-counter state
lead any bug trace    access | dentry still in use        | BUG: Dentry %_ still in use
head start bug line   access | file count is 0            | VFS: Close: file count is 0
head start bug line   access | busy inodes after unmount | VFS: Busy inodes after unmount
head start bug nowhere access | irq: nobody cared         | irq %d: nobody cared | nobody cared
head start bug trace  access | slab $1: $2                | BUG %w (%_): %t
head start bug header access | slab object report         | INFO: Allocated in %f age=
head start bug header access | slab object report         | INFO: Freed in %f age=
head start bug trace  access | slab object report         | INFO: Slab %x objects=
head start bug trace  access | slab object report         | INFO: Object %x @offset=
head start bug trace  access | slab object report         | INFO: 0x%x-0x%x
lead start bug trace  access | slab cache still has objects | kmem_cache_destroy %w: Slab cache still has objects
)";

// Locking and context. What begins lockdep's reports was "[ INFO: ... ]" until 4.12.
inline constexpr std::string_view locking = R"(
head word lockdep lock      access | possible deadlock          | possible circular locking dependency detected
head word lockdep lock      access | possible deadlock          | possible recursive locking detected
head word lockdep lock      access | possible deadlock          | possible irq lock inversion dependency detected
head word lockdep safe_side access | possible deadlock          | %_-safe -> %_-unsafe lock order detected | -unsafe lock order detected
head word lockdep lock      access | inconsistent lock state    | inconsistent lock state
head word lockdep trace     access | bad unlock balance         | bad unlock balance detected
head word lockdep trace     access | bad contention             | bad contention detected
head word lockdep lock access | held lock freed            | held lock freed!
head word lockdep lock access | still has locks held       | %_ still has locks held! | still has locks held
head word lockdep lock access | lock held when returning to user space | lock held when returning to user space
head word lockdep lock access | lock held at task exit time | lock held at task exit time
head word lockdep trace     access | suspicious RCU usage       | suspicious RCU usage
head word lockdep lock      access | invalid wait context       | Invalid wait context
head word lockdep trace     access | nested lock was not taken  | Nested lock was not taken
head word lockdep nowhere   access | chain key collision        | chain_key collision
head any  lockdep trace     access | trying to register non-static key | INFO: trying to register non-static key
head start lockdep trace    access | key has not been registered | BUG: key %x
head start lockdep trace    access | invalid subclass             | BUG: looking up invalid subclass
head any  lockdep nowhere   access | MAX_$1 too low, lockdep is off | BUG: MAX_%w too low!
head any  lockdep trace     access | spinlock $1                | BUG: spinlock %t on CPU#%d
head any  lockdep trace     access | rwlock $1                  | BUG: rwlock %t on CPU#%d
head any  lockdep trace     access | using $1 in preemptible code | BUG: using %w in preemptible
head any  lockdep work access | workqueue leaked lock or atomic | BUG: workqueue leaked
head any  atomic  trace     access | sleeping function called from invalid context | BUG: sleeping function called from invalid context
head any  atomic  trace     access | scheduling while atomic    | BUG: scheduling while atomic
head any  atomic  trace     access | scheduling in a non-blocking section | BUG: scheduling in a non-blocking section
head any  atomic  trace     access  | assuming atomic context    | BUG: assuming atomic context
head any  atomic  trace     access  | assuming non migratable context | BUG: assuming non migratable context
)";

inline constexpr std::string_view hangs = R"(
head any hang entry   access  | rcu stall        | INFO: %w self-detected stall
head any hang entry   access  | rcu stall        | INFO: %w detected stall
head any hang entry   access  | rcu stall        | INFO: %w detected expedited stall
head any hang entry   access  | soft lockup      | BUG: soft lockup
head any hang entry   access  | hard lockup      | Watchdog detected hard LOCKUP
head any hang entry   access  | hard lockup      | BUG: NMI Watchdog detected LOCKUP
head start hang entry access  | hard lockup      | CPU %d Hard LOCKUP    | Hard LOCKUP
head start hang entry access  | hard lockup      | CPU %d %w hard LOCKUP | hard LOCKUP
head any hang trace   hung    | task hung        | INFO: task %_ blocked for more than
head any hang trace   hung    | task hung        | INFO: task %_ blocked in I/O wait for more than
head any hang trace   hung    | task can't die   | INFO: task %_ can't die for more than
head any hang nowhere access  | workqueue lockup | BUG: workqueue lockup
head any hang nowhere access  | CPU does not answer | csd: Detected non-responsive CSD lock
head any hang line    access  | waiting for a net device to become free | unregister_netdevice: waiting for %w to become free
)";

inline constexpr std::string_view memory = R"(
lead any   leak trace   leak   | memory leak                 | BUG: memory leak
trap any   leak trace   leak   | memory leak                 | unreferenced object %x (size
trap any   leak trace   leak   | memory leak                 | unreferenced object (%_) %x (size
trap start memory nowhere access | memory cgroup out of memory | Memory cgroup out of memory: Kill
trap any   memory nowhere access | out of memory             | Out of memory: Kill
trap any   memory nowhere access | out of memory             | Out of memory (%_): Kill
lead start memory nowhere access | out of memory             | %_ invoked oom-killer: | invoked oom-killer:
head any   memory trace access | page allocation failure     | page allocation failure
)";

// The two great families, and what is left of them.
inline constexpr std::string_view general = R"(
lead any warning trace   misuse | refcount bug     | refcount_t:
lead start warning trace misuse | ODEBUG bug       | ODEBUG: %w %_ object type:
head any warning header  access  | WARNING          | WARNING: CPU: %d PID: %d at %w %f
head any warning trace      access  | WARNING          | WARNING: CPU:
head any warning header  access  | WARNING          | WARNING: at %f, CPU#
head any warning header  access  | WARNING          | WARNING: at %w %f
head any warning trace      access  | WARNING          | WARNING: at %w
head any warning header  access  | WARNING          | WARNING: %w:%d at %f
head any warning trace   access  | WARNING          | WARNING: %w:%d at %x
head any warning nowhere access  | kernel stack regs are bad          | WARNING: kernel stack regs at %_ has bad
head any warning nowhere access  | kernel stack frame pointer is bad  | WARNING: kernel stack frame pointer at %_ has bad
head any warning line    access  | stack recursion | WARNING: stack recursion on stack type
head any warning line    access  | stack goes the wrong way | WARNING: stack going in the wrong direction
head any warning line    access  | unwinder has no registers | WARNING: can't access registers at
note start warning trace access  | WARNING: $1      | WARNING: %t
head start bug   trace   access  | BUG: $1          | BUG: %t
cut  any warning trace   access  | report without a heading | ------------[ cut here ]------------
)";

inline constexpr std::string_view boots = R"(
boot start reboot nowhere access | unexpected reboot | Linux version %d.%d
boot start reboot nowhere access | unexpected reboot | Booting the kernel
boot start reboot nowhere access | unexpected reboot | Decompressing Linux...
boot start reboot nowhere access | unexpected reboot | Booting Linux on physical CPU
boot start reboot nowhere access | unexpected reboot | early console in extract_kernel
boot start reboot nowhere access | unexpected reboot | SeaBIOS (version
boot start reboot nowhere access | unexpected reboot | U-Boot SPL
boot start reboot nowhere access | unexpected reboot | U-Boot %d.
farewell start - nowhere  access | -                 | reboot: Restarting system
farewell start - nowhere  access | -                 | reboot: machine restart
farewell start - nowhere  access | -                 | Rebooting in %d seconds
)";

// A warning whose file says which API complains about its caller. Class | title | file.
inline constexpr std::string_view warning_files = R"(
lockdep | locking bug     | kernel/locking/lockdep.c
warning | refcount bug    | lib/refcount.c
warning | refcount bug    | include/linux/refcount.h
warning | ODEBUG bug      | lib/debugobjects.c
warning | kobject bug     | lib/kobject.c
warning | allocation bug  | mm/slab_common.c
warning | allocation bug  | mm/page_alloc.c
warning | allocation bug  | mm/vmalloc.c
warning | allocation bug  | mm/util.c
)";

// Parts of a panic's reason that say no more than that what was reported before is fatal.
inline constexpr std::string_view consequences = R"(
panic_on_
Fatal exception
hung_task:
softlockup:
RCU Stall
kmsan.panic
kasan.fault
kfence.fault
Hard LOCKUP
hard lockup
bad mode
Unhandled exception
SError Interrupt
kernel stack overflow
Kernel stack overflow
Machine halted
stack guard hit
workqueue:
scheduling while atomic
Oopsed too often
warned too often
Oops failed to kill
Aiee, killing interrupt handler
Attempted to kill the idle task
exitcode=0x0000000b
exitcode=0x00000009
)";

// Words of a hint, which no report follows. "WARNING: " in front of one is the kernel's way to be
// heard, or a program's.
inline constexpr std::string_view note_words = R"(
not compiled with
mitigation
data leaks possible
unprivileged ebpf
http://
https://
deprecat
will be removed
will be prohibited
stop working
obsolete
no longer supported
command line
cmdline
ignoring
ignored
config_
bios
firmware
boot protocol
bootloader
not supported
not support
unsupported
performance
disabling
disabled
forcing
is not set
misconfigur
fbcon:
does not exist
not found
no such file
fixed modulus
/etc/
memory leak will occur if overlay
no configuration
queue_map_
)";

} // namespace kmatrix::rule_tables
