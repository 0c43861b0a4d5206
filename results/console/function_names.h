// SPDX-License-Identifier: GPL-2.0-only
// Names of the kernel's functions by what they do, separated by blanks; '*' at the end of a name
// stands for any ending. Names are as canonical_function() gives them. Written from knowledge of
// the kernel, 3.x to 7.x; a name that a kernel no longer has costs nothing.
#pragma once

#include <string_view>

namespace kmatrix::function_names {

// Prints the report: stack dumps, panic, warnings, printk.
inline constexpr std::string_view reporting = R"(
dump_stack* __dump_stack* show_stack* __show_stack* dump_backtrace* show_trace* show_regs*
__show_regs* walk_stackframe* unwind_backtrace* save_stack* __save_stack* save_trace*
stack_trace_* arch_stack_walk* show_call_trace* c_backtrace* notify_die*
atomic_notifier_call_chain die die_kernel_fault* __die* arm_notify_die arm64_notify_die
arm64_force_* oops_* panic vpanic nmi_panic panic_* __warn* warn_slowpath* warn_alloc* report_bug*
__report_bug* fixup_bug* handle_bug bug_handler* bug_brk_handler* brk_handler* call_break_hook*
call_el1_break_hook* check_panic_on_warn do_debug_exception* printk _printk* vprintk*
__warn_printk usercopy_abort usercopy_warn fortify_panic* __fortify_panic* __fortify_report*
__stack_chk_fail* rust_helper_BUG rust_helper_WARN* assertfail* assfail* btrfs_assertfail*
BUG_func skb_panic skb_over_panic skb_under_panic __bug do_bug* handle_BUG ex_handler_*
fixup_exception __this_module core::panicking::* __rustc::rust_begin_unwind rust_begin_unwind
core::option::* core::result::unwrap_failed* core::slice::index::* __panic* bad_page*
__reiserfs_panic reiserfs_panic __x86_indirect_* __x86_return_thunk __SCT__* srso_* retbleed_*
__fentry__ perf_trace_* trace_event_raw_* trace_event_buffer_* __traceiter_* __bpf_trace_*
bpf_trace_run* perf_tp_event* print_tainted unaccount_page_cache_page filemap_unaccount_folio
print_bad_pte print_bad_page_map .L*
)";

// Takes the exception or the interrupt that leads to the report.
inline constexpr std::string_view exceptions = R"(
do_trap* do_error_trap* do_invalid_op invalid_op exc_* asm_exc_* error_entry error_code
common_exception* handle_exception* do_general_protection general_protection divide_error
do_divide_error stack_segment do_stack_segment double_fault do_double_fault do_int3 int3
page_fault async_page_fault do_async_page_fault do_page_fault __do_page_fault trace_page_fault
trace_do_page_fault do_user_addr_fault do_kern_addr_fault handle_page_fault bad_area* __bad_area*
no_context page_fault_oops kernelmode_fixup_or_oops do_undefinstr* do_mem_abort* do_sp_pc_abort*
do_translation_fault* do_bad_area* do_bad* __do_kernel_fault* do_tag_check_fault*
do_alignment_fault* do_serror* bad_mode* __do_user_fault* do_DataAbort do_PrefetchAbort
do_kernel_fault* el1_* el1h_* el1t_* __el1_* arm64_serror_panic __und_svc* __pabt_svc* retint_*
apic_timer_interrupt smp_apic_timer_interrupt sysvec_* asm_sysvec_* __sysvec_* instr_sysvec_*
run_sysvec_* call_irq_on_stack irq_exit* __irq_exit* invoke_softirq do_IRQ common_interrupt
asm_common_interrupt ret_from_intr reschedule_interrupt smp_reschedule_interrupt
call_function_interrupt call_function_single_interrupt smp_call_function_interrupt
smp_call_function_single_interrupt interrupt_entry gic_handle_irq* __gic_handle_irq*
handle_domain_irq generic_handle_domain_irq generic_handle_arch_irq do_interrupt_handler
call_on_irq_stack ____do_softirq do_softirq_own_stack __irq_svc bl_irq hardware_interrupt_common*
timer_interrupt decrementer_common* data_access_common* data_access_slb_common* program_check_*
do_slb_fault do_bad_slb_fault do_data_segment* do_program_check* timer_int_handler* bad_page_fault
__bad_page_fault _exception* do_hash_page* handle_pte_fault_oops pgm_check_handler* __do_pgm_check
do_dat_exception do_protection_exception spurious_kernel_fault* spurious_fault* restore_regs*
restore_all* asm_call_on_stack asm_call_irq* asm_call_sysvec* do_sea
)";

// Enters the kernel, or begins a thread: the floor of a stack.
inline constexpr std::string_view floors = R"(
entry_* do_syscall_* __do_fast_syscall_* do_fast_syscall_* do_int80_syscall_* sysenter_* ia32_sys*
x64_sys_call ia32_sys_call x32_sys_call el0_* el0t_* do_el0_* invoke_syscall* __invoke_syscall*
system_call* syscall_call ret_fast_syscall* __sys_trace* tracesys* stub_* sysret_* int_ret_from_*
work_pending ret_to_user* ret_from_fork* ret_from_kernel_* kernel_thread_helper
kernel_thread_starter secondary_startup* __secondary_switched x86_64_start_* i386_start_kernel
startup_* __primary_switched common_startup_64 el0_svc_* syscall_return_slowpath handle_syscall*
do_trap_ecall_u ret_from_exception
)";

// Checks accesses: KASAN, KMSAN, KCSAN, KFENCE, UBSAN, CFI, coverage, hardened usercopy, SLUB's
// debugging.
inline constexpr std::string_view checking = R"(
kasan_* __kasan_* ____kasan_* __asan_* __hwasan_* hwasan_* check_memory_region*
check_region_inline memory_is_poisoned* bytes_is_nonzero print_address_description* print_report*
describe_object* describe_address* print_memory_metadata* end_report* kmsan_* __kmsan_* __msan_*
msan_* kcsan_* __kcsan_* __tsan_* kfence_* __kfence_* check_canary* for_each_canary ubsan_*
__ubsan_* handle_overflow val_to_string __cfi_* cfi_* handle_cfi_failure report_cfi*
__check_object_size* check_heap_object* __check_heap_object* check_copy_size check_object_size
object_err print_trailer slab_err slab_bug slab_fix check_object check_bytes_and_report
slab_pad_check free_debug_processing alloc_debug_processing free_consistency_checks kmemleak_*
instrument_* __kcov_* __sanitizer_cov_trace* init_object report_invalid_free double_free
quarantine_put __virt_addr_valid __phys_addr* stack_depot_* __stack_depot_*
)";

// Checks locking and context: lockdep, RCU's and preemption's checks, spinlock and object
// debugging.
inline constexpr std::string_view lock_checking = R"(
__lock_acquire* lock_acquire* lock_release* __lock_release* lock_is_held* __lock_is_held*
lock_downgrade* lock_contended lock_acquired __lock_set_* lock_set_* lock_pin_* lock_unpin_*
lock_sync* validate_chain* check_prev* check_noncircular* check_deadlock* check_irq_usage*
check_path* check_usage* check_wait_context* check_redundant check_chain_key check_flags*
mark_lock* mark_held_locks* mark_usage* mark_irqflags* print_circular_bug* print_usage_bug*
print_deadlock_bug* print_irq_inversion_bug* print_bad_irq_dependency* print_unlock_imbalance_bug*
print_lock_* print_freed_lock_bug* print_irq* print_shortest_lock* print_collision
print_lockdep_off* __print_lock* register_lock_class* look_up_lock_class* lookup_lock_class*
lockdep_* assign_lock_key* add_lock_to_list* add_chain_cache* lookup_chain_cache* find_lock_*
__bfs* debug_check_no_locks_* debug_locks_off trace_hardirqs_* trace_softirqs_* trace_irq_*
trace_preempt_* __trace_hardirqs_* preempt_count_add preempt_count_sub preempt_latency_*
rcu_read_unlock_* rcu_note_context_switch rcu_lockdep_* rcu_is_watching rcu_irq_* rcu_nmi_*
rcu_dynticks_* rcu_preempt_deferred_qs* debug_smp_processor_id check_preemption_disabled
__this_cpu_preempt_check debug_preempt_* might_sleep* __might_* ___might_* __cant_* might_fault
might_alloc dequeue_task_idle spin_dump spin_bug rwlock_bug debug_spin_* debug_write_*
debug_rt_mutex_* debug_mutex_* debug_object_* __debug_object_* debug_print_object* debug_objects_*
debug_check_no_obj_freed* __debug_check_no_obj_freed* debug_timer_* debug_hrtimer_* debug_rcu_*
debug_work_* debug_activate debug_deactivate rcu_sleep_check __schedule_bug schedule_debug
find_held_lock lockdep reacquire_held_locks __lockdep_* prepend_lock rcu_exp_need_qs
warn_bogus_irq_restore raw_check_bogus_irq_restore timer_is_static_object hrtimer_is_static_object
work_is_static_object is_static_object rcuhead_is_static_object timer_fixup_* work_fixup_*
print_unlock_inbalance_bug* debug_show_all_locks debug_show_held_locks rcu_read_lock_held*
rcu_read_lock_bh_held* rcu_read_lock_sched_held* rcu_read_lock_any_held*
)";

// Locks.
inline constexpr std::string_view locks = R"(
_raw_spin_* _raw_read_* _raw_write_* __raw_spin_* __raw_read_* __raw_write_* _spin_* _read_lock*
_read_unlock* _write_lock* _write_unlock* do_raw_spin_* do_raw_read_* do_raw_write_* spin_lock*
spin_unlock* spin_trylock* read_lock* read_unlock* write_lock* write_unlock* raw_spin_* raw_read_*
raw_write_* arch_spin_* native_queued_* queued_spin_* queued_read_* queued_write_* virt_spin_lock
pv_queued_* __pv_queued_* ticket_spin_* __ticket_spin_* __raw_callee_save_* rt_spin_* rt_read_*
rt_write_* mutex_lock* __mutex_lock* mutex_unlock __mutex_unlock* mutex_trylock* __mutex_trylock*
mutex_optimistic_spin ww_mutex_* __ww_mutex_* rt_mutex_* __rt_mutex_* rtlock_* down down_read*
down_write* down_trylock down_timeout down_interruptible down_killable __down* up up_read*
up_write* __up __up_* rwsem_* __rwsem_* call_rwsem_* rwbase_* percpu_down_* percpu_up_*
__percpu_down_* percpu_rwsem_* lock_slow_* bit_spin_* hlist_bl_lock seqlock_* read_seq* write_seq*
local_lock* local_irq_* arch_local_* __local_bh_enable* __local_bh_disable* local_bh_*
_local_bh_enable* rcu_read_lock* rcu_read_unlock* __rcu_read_* rcu_lock_* srcu_read_*
__srcu_read_* osq_* mcs_* mutex_spin_on_owner mutex_can_spin_on_owner task_rq_lock __task_rq_lock
raw_spin_rq_* rq_lock* double_rq_lock folio_unlock unlock_page release_sock __mutex_*
mutex_is_locked reiserfs_write_lock* reiserfs_write_unlock* xfs_ilock* btrfs_tree_lock*
btrfs_tree_read_lock* btrfs_tree_unlock* tty_lock* tty_unlock* ldsem_* __ldsem_* device_lock*
device_unlock lock_rename lock_two_* snd_pcm_stream_lock* snd_pcm_stream_unlock* pci_dev_lock
ocfs2_inode_lock* ocfs2_inode_unlock* jbd2_journal_lock* console_trylock*
__down_trylock_console_sem gfs2_glock_wait gfs2_glock_nq* seqcount_* write_seqlock* read_seqlock*
class_mutex_* class_spinlock_* class_raw_spinlock_* class_rcu_* class_rwsem_*
)";

// Memory, strings, user access, bits, lists, trees: what everybody calls with a pointer.
inline constexpr std::string_view primitives = R"(
memcpy* memset* memmove* memcmp* memchr* memscan* bcmp memcpy_* __memcpy* __memset* __memmove*
__memcmp* __pi_mem* __pi_str* mmiocpy mmioset memdup_user* kmemdup* strlen strnlen* strlcpy
strlcat strcpy* strncpy* strcat strncat strcmp strncmp strcasecmp strncasecmp strchr* strnchr*
strrchr strstr strnstr strscpy* sized_strscpy strsep strspn strcspn strpbrk skip_spaces
sysfs_streq __fortify_* fortify_* copy_to_user* copy_from_user* _copy_to_user* _copy_from_user*
___copy_* copy_user_* raw_copy_* __arch_copy_* arm_copy_* copy_mc_* copy_page copy_page_*
clear_page* clear_user* __clear_user* clear_highpage* copy_highpage* copy_user_highpage*
copy_user_generic* rep_movs* rep_stos* fault_in_* get_user* __get_user* put_user* __put_user*
strncpy_from_user strnlen_user _copy_to_iter* _copy_from_iter* copy_to_iter copy_from_iter copyin
copyout copy_to_user_iter* copy_from_user_iter* memcpy_to_iter* memcpy_from_iter*
iterate_and_advance* iterate_ubuf iterate_iovec iterate_bvec iterate_kvec csum_partial*
csum_and_copy_* _find_* find_last_bit test_bit set_bit clear_bit const_test_bit variable_test_bit
constant_test_bit arch_test_bit _test_bit __list_add* __list_del* list_add* list_del* list_move*
list_empty* list_splice* __list_splice* hlist_add* hlist_del* __hlist_del* llist_add_batch
llist_reverse_order READ_ONCE* __read_once_size* read_word_at_a_time __write_once_size*
get_unaligned_* put_unaligned_* __swab* test_and_set_bit* test_and_clear_bit* test_and_change_bit*
__set_bit* __clear_bit* ___set_bit ___clear_bit xas_* xa_load xa_find* xa_get_* __xas_* string
string_nocheck vsnprintf snprintf sprintf vsprintf scnprintf vscnprintf pointer format_decode
number put_dec* symbol_string widen_string device_node_string dentry_name dev_printk* __dev_printk
dev_vprintk* _dev_* seq_printf seq_vprintf kvasprintf kasprintf simple_copy_to_iter crc32* crc16*
crc_* crc7* crc8* jhash* siphash* xxh32* xxh64* full_name_hash __raw_readb __raw_readw __raw_readl
__raw_readq __raw_writeb __raw_writew __raw_writel __raw_writeq readb readw readl readq writeb
writew writel writeq ioread8 ioread16* ioread32* iowrite8 iowrite16* iowrite32* inb inw inl outb
outw outl memcpy_fromio memcpy_toio memset_io __memcpy_* nla_get_* nla_data logic_in* logic_out*
truncate_inode_pages* va_format address_val special_hex_number hex_string mac_address_string
bdev_name err_ptr default_pointer ptr_to_id do_csum csum_ipv6_magic ip_fast_csum __memcpy_chk
__memset_chk __copy_user* __copy_to_user* __copy_from_user* find_first_bit* find_first_zero_bit*
find_next_bit* find_next_zero_bit* find_next_and_bit* ip4_string ip6_string ip4_addr_string*
ip6_addr_string* ip6_compressed_string hash_digest_size hash_64 hash_name hash_ptr rb_insert_color
rb_erase* rb_next rb_prev rb_first* rb_last rb_replace_node* __rb_* ____rb_* radix_tree_lookup*
__radix_tree_lookup* radix_tree_next_chunk radix_tree_load_root radix_tree_descend idr_find*
idr_get_next*
)";

// Reference counts and atomics.
inline constexpr std::string_view counts = R"(
refcount_* __refcount_* kref_get* kref_put* kref_sub __kref_* atomic64_* atomic_long_*
arch_atomic* raw_atomic* __atomic_* __raw_atomic* __ll_sc_* __lse_* ex_handler_refcount
percpu_ref_get* percpu_ref_put* percpu_ref_tryget* _atomic_dec_and_* atomic_dec_and_*
ref_tracker_* netdev_put netdev_hold netdev_tracker_* iput iput_final dput fast_dput fput
__fput_sync fdput mntput mntput_no_expire path_put atomic_read atomic_set* atomic_add* atomic_sub*
atomic_inc* atomic_dec* atomic_fetch* atomic_cmpxchg* atomic_xchg* atomic_try_* atomic_or*
atomic_and* atomic_xor*
)";

// Gives and takes memory.
inline constexpr std::string_view allocators = R"(
kmalloc* __kmalloc* __do_kmalloc* ___kmalloc* kzalloc* kcalloc* kmem_cache_alloc*
__kmem_cache_alloc* kmem_cache_zalloc kmem_cache_free* __kmem_cache_free* kmem_cache_shrink*
kmem_rcu_free kvmalloc* __kvmalloc* kvzalloc kvcalloc kvfree* krealloc* __krealloc* kvrealloc*
__kfree kstrdup* kstrndup ___slab_alloc* __slab_alloc* slab_alloc* slab_post_alloc*
slab_pre_alloc* slab_free* __slab_free* do_slab_free* cache_alloc* ____cache_alloc* __cache_alloc*
__do_cache_alloc* cache_free* ___cache_free* __cache_free* cache_grow* cache_flusharray
allocate_slab* new_slab* alloc_slab_page* alloc_pages* __alloc_pages* __alloc_frozen_pages*
alloc_frozen_pages* folio_alloc* __folio_alloc* vma_alloc_folio* alloc_page_interleave
alloc_from_pcs free_to_pcs* get_page_from_freelist rmqueue* post_alloc_hook prep_new_page
__get_free_page* get_free_pages* get_zeroed_page* free_pages* __free_pages* free_unref_*
__free_frozen_pages* vmalloc* __vmalloc* vzalloc* vfree* __vunmap* vm_map_ram mempool_alloc*
mempool_kmalloc mempool_free* devm_kmalloc* devm_kzalloc* devm_kmemdup pcpu_alloc* __alloc_percpu*
alloc_percpu* free_percpu* page_frag_alloc* __page_frag_alloc* page_frag_free* should_fail*
fail_dump __should_fail* should_failslab kmem_alloc* kmem_zalloc* kmem_zone_* reserve_slab*
refill_objects __pcs_* sheaf_* free_large_kmalloc* large_kmalloc* __large_kmalloc* pcpu_* kfree
kfree_const kfree_rcu* kfree_sensitive kfree_bulk kfree_nolock* kfree_debugcheck
)";

// Deferred work and timers, when it is only asked for or called off.
inline constexpr std::string_view deferring = R"(
del_timer* timer_delete* try_to_del_timer* mod_timer* __mod_timer* add_timer* init_timer_key
timer_shutdown* __timer_delete* do_init_timer queue_work_on queue_delayed_work_on __queue_work
__queue_delayed_work mod_delayed_work_on __init_work complete complete_all insert_work
__insert_work lock_timer_base flush_work __flush_work* flush_workqueue __flush_workqueue
flush_scheduled_work flush_delayed_work drain_workqueue cancel_work* __cancel_work*
cancel_delayed_work* start_flush_work kthread_stop kthread_park kthread_unpark timer_base_*
try_to_grab_pending work_grab_pending queue_work queue_work_node queue_delayed_work schedule_work
schedule_delayed_work* destroy_workqueue __cancel_work add_wait_queue_priority tasklet_kill
tasklet_schedule __tasklet_schedule* __wake_up* autoremove_wake_function default_wake_function
)";

// The driver core and its neighbours, where a warning means that their caller misused them.
inline constexpr std::string_view core = R"(
kobject_* kset_* kobj_* get_device* put_device device_add* device_register device_initialize
device_create* device_del device_unregister device_destroy device_private_init device_pm_*
dpm_sysfs_* klist_* sysfs_* __sysfs_* create_dir internal_create_group* remove_files kernfs_put
kernfs_get cdev_add cdev_del cdev_device_* bus_add_* bus_remove_* get_ldops __free_object
max_align kmalloc_slab slab_kmem_cache_release timer_fixup_* usb_submit_urb ida_alloc* ida_free
ida_simple_* skb_put* skb_push skb_pull* __skb_pull __skb_put percpu_ref_kill* device_release
devres_release* devres_remove* release_nodes add_uevent_var kobject_uevent* i2c_del_adapter
i2c_unregister_device __unregister_client __unregister_dummy device_for_each_child* bus_for_each_*
driver_for_each_* rollback_registered* unregister_netdevice_many* unregister_netdevice_queue
drop_nlink inc_nlink set_nlink clear_nlink mark_buffer_dirty usb_kill_* usb_poison_* usb_unlink_*
usb_free_urb usb_get_urb usb_anchor* tty_unregister_device tty_register_device* hwrng_unregister
unregister_netdev device_remove_file device_create_file device_remove_* device_links_*
usb_control_msg* usb_bulk_msg usb_interrupt_msg usb_start_wait_urb kfree_skb* __kfree_skb
skb_unlink
)";

// What a check of a core API's objects finds has its cause in the caller of that API.
inline constexpr std::string_view misused = R"(
hrtimer_init hrtimer_setup* hrtimer_start* __hrtimer_start* hrtimer_cancel hrtimer_try_to_cancel
hrtimer_active call_rcu* __call_rcu* call_srcu kfree_call_rcu* kvfree_call_rcu* lock_sock* __lock_sock*
get_page put_page folio_get folio_put sock_hold sock_put dev_put dev_hold
)";

// Waits for something that somebody else holds: when a task hangs there, its caller is of interest.
inline constexpr std::string_view waiting = R"(
console_lock anon_vma_lock_* i_mmap_lock_* inode_lock* mmap_read_lock* mmap_write_lock*
__filemap_fdatawait* filemap_fdatawait* folio_lock* __folio_lock* lock_page* __lock_page*
wait_on_page* lock_buffer __lock_buffer folio_wait_* wait_for_stable_page fdatawait_* rcu_barrier*
do_read_cache_*
)";

// Sleeps.
inline constexpr std::string_view sleeping = R"(
schedule schedule_timeout* schedule_preempt_disabled schedule_user schedule_idle
schedule_hrtimeout* schedule_rtlock __schedule* ___sched* preempt_schedule* ___preempt_schedule*
io_schedule* __switch_to* switch_to* context_switch* _cond_resched __cond_resched* cond_resched*
yield wait_for_common* do_wait_for_common __wait_for_common* wait_for_completion* wait_on_*
__wait_on_* out_of_line_wait_* bit_wait* __wait_rcu_gp wait_rcu_gp* __wait_event* wait_event*
wait_woken prepare_to_wait* finish_wait do_wait_intr* __folio_wait* msleep* usleep_range* ssleep
fsleep __synchronize_srcu* rt_mutex_schedule rtmutex_* __rt_mutex_* __sched_text_start
__wait_on_bit* wake_bit_function down_* do_nanosleep __refrigerator folio_wait_bit_common
)";

// Builds objects around an allocation.
inline constexpr std::string_view constructors = R"(
__alloc_skb* alloc_skb* __netdev_alloc* netdev_alloc* napi_alloc* __napi_alloc* __build_skb*
build_skb* skb_clone* skb_copy* pskb_copy* __pskb_* pskb_expand_head skb_expand_head
sock_alloc_send_* sock_wmalloc sock_kmalloc sk_prot_alloc sk_alloc alloc_inode new_inode*
__d_alloc d_alloc* getname* prepare_creds bio_alloc* kobject_set_name* kobject_create kvasprintf*
kasprintf dev_set_name class_create* __class_create idr_* radix_tree_* xas_* xa_* __xa_*
__alloc_file alloc_file* alloc_empty_file get_empty_filp slab_* create_object* memblock_*
early_alloc __kernfs_iattrs nlmsg_new genlmsg_new usb_alloc_urb usb_alloc_dev alloc_workqueue*
alloc_netdev_* alloc_etherdev_* __vcalloc* vcalloc* mm_alloc mm_init nla_memdup* nla_strdup
fib_create_info_* rhashtable_init* bucket_table_alloc* bpf_map_area_alloc __bpf_map_area_alloc
bpf_map_kmalloc* bpf_map_kzalloc dev_alloc_skb dev_kmalloc pcpu_mem_*
)";

inline constexpr std::string_view dispatchers = R"(
do_syscall_* do_fast_syscall_* __do_fast_syscall_* do_int80_syscall_* entry_* x64_sys_call
ia32_sys_call el0_svc* do_el0_svc* invoke_syscall* __invoke_syscall* system_call* ret_fast_syscall
__sys_trace* tracesys* sysenter_* ia32_sysenter_target handle_syscall* do_trap_ecall_u
syscall_call vfs_ioctl do_vfs_ioctl sys_ioctl ksys_ioctl compat_sys_ioctl __vfs_read vfs_read*
new_sync_read call_read_iter do_iter_readv_writev do_iter_read* __vfs_write vfs_write*
new_sync_write call_write_iter do_iter_write do_loop_readv_writev __kernel_write* __kernel_read
vfs_fsync* vfs_fallocate vfs_poll do_pollfd do_select vfs_get_tree __fput call_mmap sock_sendmsg*
__sock_sendmsg* sock_recvmsg* sock_write_iter sock_read_iter sock_ioctl sock_do_ioctl
task_work_run exit_to_usermode_loop exit_to_user_mode_* do_splice_to do_splice_from
direct_splice_actor process_one_work* process_scheduled_works worker_thread kthread
kthread_worker_fn smpboot_thread_fn run_ksoftirqd call_timer_fn* __run_timers* expire_timers*
run_timer_softirq run_timer_base __do_softirq handle_softirqs* do_softirq* tasklet_action*
tasklet_hi_action* rcu_do_batch* rcu_core* rcu_process_callbacks* irq_work_run* irq_work_single
__hrtimer_run_queues* hrtimer_run_softirq handle_irq_event* __handle_irq_event* net_rx_action*
napi_poll* __napi_poll* net_tx_action* blk_done_softirq do_one_initcall* async_run_entry_fn
__netif_receive_skb* netif_receive_skb* process_backlog* napi_gro_* nfnetlink_rcv_msg genl_rcv_msg
genl_family_rcv_msg* rtnetlink_rcv_msg* sock_diag_rcv_msg xfrm_user_rcv_msg nfnetlink_rcv_batch
netlink_dump sk_backlog_rcv __sk_backlog_rcv __release_sock* blkdev_ioctl compat_blkdev_ioctl
__blkdev_driver_ioctl blkdev_common_ioctl __sys_setsockopt do_sock_setsockopt
sock_common_setsockopt __sys_getsockopt do_sock_getsockopt sock_common_getsockopt ioctl
)";

// Notices that a CPU is stuck, and prints its stack.
inline constexpr std::string_view watchdog_checks = R"(
nmi_cpu_backtrace* nmi_trigger_* arch_trigger_* rcu_dump_cpu_stacks* rcu_check_callbacks*
rcu_check_gp_kthread* rcu_sched_clock_irq* rcu_pending* rcu_stall_* check_cpu_stall*
print_cpu_stall* print_other_cpu_stall* sched_show_task* _sched_show_task* dump_cpu_task*
watchdog_timer_fn* watchdog_overflow_callback* watchdog_hardlockup_* is_softlockup*
synchronize_rcu_expedited_stall* rcu_exp_print_* rcu_exp_handler* print_cpu_stall_info*
trigger_all_cpu_backtrace* trigger_cpumask_backtrace* trigger_single_cpu_backtrace*
trigger_allbutself_cpu_backtrace*
)";

inline constexpr std::string_view watchdogs = R"(
nmi_cpu_backtrace* nmi_trigger_* arch_trigger_* trigger_single_cpu_* rcu_dump_cpu_stacks*
rcu_check_callbacks* rcu_check_gp_kthread* rcu_sched_clock_irq* rcu_pending* rcu_stall_*
check_cpu_stall* print_cpu_stall* print_other_cpu_stall* sched_show_task* dump_cpu_task*
dump_single_cpu_* update_process_times* tick_sched_* tick_nohz_handler* tick_periodic*
tick_handle_periodic* __hrtimer_run_queues* hrtimer_interrupt* hrtimer_run_queues*
local_apic_timer_interrupt* watchdog_timer_fn* watchdog_overflow_callback* watchdog_hardlockup_*
is_softlockup* scheduler_tick* sched_tick* update_curr* perf_event_overflow*
__perf_event_overflow* perf_event_nmi_handler* nmi_handle* default_do_nmi* do_nmi* nmi
end_repeat_nmi* first_nmi* repeat_nmi* arch_timer_handler* arch_timer_* handle_percpu_devid_irq*
generic_handle_irq* __handle_domain_irq* handle_IPI* do_handle_IPI* ipi_* exc_nmi* asm_exc_nmi*
apic_timer_interrupt smp_apic_timer_interrupt* trace_hardirqs_off_thunk print_cpu_stall_info*
synchronize_rcu_expedited_stall* flush_smp_call_function_queue* __flush_smp_call_function_queue*
generic_smp_call_function_* rcu_exp_print_* rcu_exp_handler* intel_pmu_handle_irq*
handle_pmi_common* twd_handler* dw_apb_* timer_interrupt* __timer_interrupt* decrementer_common*
handle_irq_event* __handle_irq_event* handle_fasteoi_irq* smp_trace_apic_timer_interrupt*
trace_apic_timer_interrupt* _sched_show_task* __run_hrtimer* __rcu_pending*
trigger_all_cpu_backtrace* trigger_cpumask_backtrace*
)";

inline constexpr std::string_view idles = R"(
default_idle* native_safe_halt native_halt arch_cpu_idle* arch_safe_halt do_idle cpu_idle*
cpu_startup_entry cpuidle_* cpu_do_idle acpi_idle_* acpi_safe_halt intel_idle* mwait_idle*
pv_native_safe_halt kvm_guest_idle poll_idle call_cpuidle start_secondary secondary_start_kernel
rest_init start_kernel arch_call_rest_init
)";

// Waits for other CPUs to answer.
inline constexpr std::string_view cpu_waiters = R"(
smp_call_function* on_each_cpu* csd_lock_wait*
)";

// Waits for a grace period of RCU; which of them does it depends on configuration and boot phase.
inline constexpr std::string_view grace_periods = R"(
synchronize_rcu* synchronize_sched* synchronize_rcu_bh* __synchronize_rcu*
)";

} // namespace kmatrix::function_names
