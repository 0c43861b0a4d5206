// SPDX-License-Identifier: GPL-2.0-only
// A guest test: of a process that does nothing, /proc/PID/smaps_rollup says what the sum over
// /proc/PID/smaps says, field by field, whatever its address space looks like. One KTAP subtest
// a shape. Exit status as kselftest has it: 0 passed, 1 failed, 4 skipped. It also says how long a
// read takes, so that it can run as a benchmark of the matrix file's (`command`).
//
// A Pss field is rounded down to whole kB for each VMA in smaps and once in smaps_rollup, so
// there the rollup may exceed the sum, by less than 1 kB a VMA.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <optional>
#include <sched.h>
#include <set>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Sizes = std::map<std::string, long>; // field to kB

const std::set<std::string> rounded_fields{"Pss", "Pss_Dirty", "SwapPss", "Locked"};
const std::set<std::string> pss_parts{"Pss_Anon", "Pss_File", "Pss_Shmem"}; // the rollup alone
constexpr const char* huge_page_pool = "/proc/sys/vm/nr_hugepages";
const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

struct Totals {
    unsigned long start = 0;
    unsigned long end = 0;
    int vmas = 0;
    Sizes sizes;
};

std::optional<std::string> read_file(const std::string& path) {
    std::ifstream file{path};
    std::stringstream text;
    if (!file || !(text << file.rdbuf()))
        return std::nullopt;
    return text.str();
}

// Both files have this form: a header line a VMA, then lines "Field:   123 kB". The gate VMA
// ([vsyscall]) is listed by smaps, but the rollup knows nothing of it.
Totals add_up(const std::string& text) {
    Totals totals;
    bool gate = false;
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) {
        unsigned long start = 0;
        unsigned long end = 0;
        char field[32];
        char unit[4];
        long size = 0;
        if (std::sscanf(line.c_str(), "%lx-%lx ", &start, &end) == 2) {
            gate = line.find("[vsyscall]") != std::string::npos;
            if (gate)
                continue;
            if (totals.vmas++ == 0)
                totals.start = start;
            totals.end = end;
        } else if (!gate &&
                   std::sscanf(line.c_str(), "%31[^:]: %ld %3s", field, &size, unit) == 3 &&
                   std::strcmp(unit, "kB") == 0) {
            totals.sizes[field] += size;
        }
    }
    return totals;
}

// What disagrees, in words; empty if nothing does.
std::string compare(const Totals& sum, const Totals& rollup) {
    std::ostringstream wrong;
    if (rollup.vmas != 1)
        wrong << "the rollup has " << rollup.vmas << " header lines; ";
    if (rollup.start != sum.start || rollup.end != sum.end)
        wrong << std::hex << "range " << rollup.start << '-' << rollup.end << ", smaps has "
              << sum.start << '-' << sum.end << std::dec << "; ";
    long parts = 0;
    for (const auto& [field, size] : rollup.sizes) {
        if (pss_parts.contains(field)) {
            parts += size;
            continue;
        }
        const auto in_smaps = sum.sizes.find(field);
        if (in_smaps == sum.sizes.end()) {
            wrong << field << " is not in smaps; ";
            continue;
        }
        const long slack = rounded_fields.contains(field) ? sum.vmas - 1 : 0;
        if (size < in_smaps->second || size > in_smaps->second + slack)
            wrong << field << ' ' << size << " kB, sum over smaps " << in_smaps->second << " kB; ";
    }
    if (!rollup.sizes.contains("Rss") || !rollup.sizes.contains("Pss"))
        wrong << "no Rss or no Pss in the rollup; ";
    else if (const long pss = rollup.sizes.at("Pss"); parts > pss || parts + 3 <= pss)
        wrong << "Pss " << pss << " kB, its parts " << parts << " kB; ";
    return wrong.str();
}

struct Shape {
    const char* name;
    bool (*build)();   // in the child; false: this machine cannot do it
    const char* field; // of the rollup: what shows that the shape is there
    std::size_t at_least_kb;
};

char* map(std::size_t size, int flags = MAP_PRIVATE | MAP_ANONYMOUS, int fd = -1) {
    void* address = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, fd, 0);
    return address == MAP_FAILED ? nullptr : static_cast<char*>(address);
}

char* map_touched(std::size_t size, int flags = MAP_PRIVATE | MAP_ANONYMOUS, int fd = -1) {
    char* address = map(size, flags, fd);
    if (address != nullptr)
        std::memset(address, 1, size);
    return address;
}

constexpr std::size_t mib = std::size_t{1} << 20;

bool as_forked() {
    return true;
}
bool anonymous() {
    return map_touched(4 * mib) != nullptr;
}
bool untouched() {
    return map(64 * mib) != nullptr;
}
bool zero_pages() {
    const volatile char* address = map(mib);
    for (std::size_t i = 0; address != nullptr && i < mib; i += page)
        static_cast<void>(address[i]);
    return address != nullptr;
}
bool prot_none() {
    char* address = map_touched(2 * mib);
    return address != nullptr && mprotect(address, mib, PROT_NONE) == 0;
}
// A file whose pages are no shmem, which an initramfs has none of: in a ramfs that this process
// alone sees. Who may not mount has a disk, and takes the program itself.
int open_file() {
    if (unshare(CLONE_NEWNS) != 0 ||
        mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("ramfs", "/tmp", "ramfs", 0, nullptr) != 0)
        return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    const int fd = open("/tmp/file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const std::vector<char> content(mib, 'x');
    return write(fd, content.data(), content.size()) == static_cast<ssize_t>(mib) ? fd : -1;
}
bool file() {
    const int fd = open_file();
    void* shared = mmap(nullptr, mib, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
    char* copied = map(mib, MAP_PRIVATE | MAP_POPULATE, fd);
    if (shared == MAP_FAILED || copied == nullptr)
        return false;
    std::memset(copied, 1, mib / 4); // pages of our own instead of the file's
    return true;
}
bool shmem() {
    const int fd = memfd_create("rollup", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(4 * mib)) != 0)
        return false;
    return map_touched(2 * mib, MAP_SHARED, fd) != nullptr &&
           map_touched(mib, MAP_PRIVATE, fd) != nullptr;
}
bool huge_pages() {
    // Enough for an aligned huge page of 2 MiB, and for one that is split by mprotect.
    char* address = map(8 * mib);
    if (address == nullptr || madvise(address, 8 * mib, MADV_HUGEPAGE) != 0)
        return false;
    std::memset(address, 1, 8 * mib);
    return mprotect(address + 7 * mib, page, PROT_READ) == 0;
}
bool locked() {
    char* address = map(mib);
    return address != nullptr && mlock(address, mib) == 0;
}
bool lazily_freed() {
    // Some of the pages stay in a batch of the CPU's and are not marked yet.
    char* address = map_touched(8 * mib);
    return address != nullptr && madvise(address, 8 * mib, MADV_FREE) == 0;
}
bool many_vmas() {
    constexpr std::size_t count = 2000;
    char* address = map_touched(count * page);
    for (std::size_t i = 0; address != nullptr && i < count; i += 2)
        if (mprotect(address + i * page, page, PROT_READ) != 0)
            return false;
    return address != nullptr;
}
bool hugetlb() {
    std::ofstream{"/proc/sys/vm/nr_hugepages"} << 4;
    return map_touched(2 * mib, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB) != nullptr;
}

const std::vector<Shape> shapes{
    {"as_forked", as_forked, "Rss", 1},          {"anonymous", anonymous, "Anonymous", 4096},
    {"untouched", untouched, "Rss", 1},          {"zero_pages", zero_pages, "Rss", 1},
    {"prot_none", prot_none, "Anonymous", 2048}, {"file", file, "Pss_File", 1},
    {"shmem", shmem, "Pss_Shmem", 2048},         {"huge_pages", huge_pages, "AnonHugePages", 1},
    {"locked", locked, "Locked", 1024},          {"lazily_freed", lazily_freed, "LazyFree", 1},
    {"many_vmas", many_vmas, "Anonymous", 8000}, {"hugetlb", hugetlb, "Private_Hugetlb", 2048},
};

struct Result {
    enum { passed, failed, skipped } outcome;
    std::string why;
};

// Reads smaps, the rollup and smaps again, until nothing changed between the two of smaps.
Result judge(pid_t pid, const Shape& shape) {
    const std::string base = "/proc/" + std::to_string(pid) + "/smaps";
    for (int attempt = 0; attempt < 50; ++attempt) {
        const auto before = read_file(base);
        const auto rollup = read_file(base + "_rollup");
        const auto after = read_file(base);
        if (!before || !rollup || !after || before->empty() || rollup->empty())
            return {Result::failed, "cannot read " + base + " or its rollup"};
        if (*before != *after) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            continue;
        }
        const Totals totals = add_up(*rollup);
        if (std::string wrong = compare(add_up(*before), totals); !wrong.empty())
            return {Result::failed, wrong};
        const auto mark = totals.sizes.find(shape.field);
        if (mark == totals.sizes.end() || mark->second < static_cast<long>(shape.at_least_kb))
            return {Result::skipped, std::string{"the kernel made no such pages: "} + shape.field};
        return {Result::passed, ""};
    }
    return {Result::failed, base + " never stayed the same"};
}

Result run(const Shape& shape) {
    int ready[2];
    if (pipe(ready) != 0)
        return {Result::failed, "no pipe"};
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const char built = shape.build() ? 1 : 0;
        static_cast<void>(!write(ready[1], &built, 1));
        for (;;)
            pause();
    }
    close(ready[1]);
    char built = 0;
    const bool answered = pid > 0 && read(ready[0], &built, 1) == 1;
    Result result{Result::failed, "the process died while it built its address space"};
    if (answered && built == 0)
        result = {Result::skipped, "not on this machine"};
    else if (answered)
        result = judge(pid, shape);
    close(ready[0]);
    if (pid > 0) {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
    }
    return result;
}

// How long a read of this process's own rollup takes, in ms.
double read_ms() {
    constexpr int reads = 200;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (int i = 0; i < reads; ++i)
        static_cast<void>(read_file("/proc/self/smaps_rollup"));
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / reads;
}

} // namespace

int main() {
    if (access("/proc/self/smaps_rollup", R_OK) != 0) {
        std::printf("KTAP version 1\n1..0 # SKIP no smaps_rollup\n");
        return 4;
    }
    std::printf("KTAP version 1\n1..%zu\n", shapes.size());
    const auto huge_pages_before = read_file(huge_page_pool);
    bool all_passed = true;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        std::fflush(stdout);
        const Result result = run(shapes[i]);
        all_passed = all_passed && result.outcome != Result::failed;
        if (!result.why.empty() && result.outcome == Result::failed)
            std::printf("# %s\n", result.why.c_str());
        std::printf("%sok %zu %s%s%s\n", result.outcome == Result::failed ? "not " : "", i + 1,
                    shapes[i].name, result.outcome == Result::skipped ? " # SKIP " : "",
                    result.outcome == Result::skipped ? result.why.c_str() : "");
    }
    if (huge_pages_before)
        std::ofstream{huge_page_pool} << *huge_pages_before;
    std::printf("# smaps_rollup: %.4f ms a read\n", read_ms());
    return all_passed ? 0 : 1;
}
