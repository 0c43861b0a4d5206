// SPDX-License-Identifier: GPL-2.0-only
// What a matrix file may not say, and the very words in which it is refused.
#include <ostream>

#include <gmock/gmock.h>

#include "matrix/read.h"

namespace kmatrix {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string error_of(std::string_view text) {
    const Result<Matrix> matrix = parse_matrix(text, "m.toml");
    EXPECT_FALSE(matrix) << text;
    if (matrix)
        return "";
    EXPECT_EQ(matrix.error().blame, Blame::user);
    return matrix.error().message;
}

struct Case {
    const char* text;
    const char* error; // the whole of it
};

void PrintTo(const Case& refused, std::ostream* out) {
    *out << refused.text;
}

// A cell to put the rest of a case beside.
#define AXES "[axes]\nvcpus = [8]\n"

class RefusedMatrix : public ::testing::TestWithParam<Case> {};

TEST_P(RefusedMatrix, IsRefusedInTheseWords) {
    EXPECT_EQ(error_of(GetParam().text), GetParam().error);
}

constexpr Case key_cases[] = {

    {"[axis]\nvcpus = [8]\n[axes]\nvcpus = [8]\n",
     "m.toml:1:2: axis: unknown key; did you mean \"axes\"?"},
    {AXES "[network]\n", "m.toml:3:2: network: unknown key; expected one of axes, include, "
                         "exclude, vm, selftest, "
                         "benchmark, gate"},
    {AXES "vcpu = [3]\n", "m.toml:3:1: axes.vcpu: unknown key; did you mean \"vcpus\"?"},
    {AXES "[vm]\nmem = 3\n",
     "m.toml:4:1: vm.mem: unknown key; expected one of memory, accel, uri, numa_nodes"},
    {AXES "[[selftest]]\ntarget = \"proc\"\ntests = \"x\"\n",
     "m.toml:5:1: selftest.tests: unknown key; did you mean \"test\"?"},
    {AXES "[[benchmark]]\nnsamples = 3\n",
     "m.toml:4:1: benchmark.nsamples: unknown key; did you mean \"samples\"?"},
    {AXES "[gate]\nspalt = true\n", "m.toml:4:1: gate.spalt: unknown key; did you mean \"splat\"?"},
    {AXES "[[include]]\nvcpus = 4\nselftest = []\n",
     "m.toml:5:1: include.selftest: unknown key; did you mean \"selftests\"?"},
    {AXES "[[exclude]]\nvcpus = 8\nwhy = 1\n[[include]]\narch = \"arm64\"\n",
     "m.toml:5:1: exclude.why: unknown key; expected one of arch, config, vcpus, compiler, "
     "cmdline"}};
INSTANTIATE_TEST_SUITE_P(Keys, RefusedMatrix, ::testing::ValuesIn(key_cases));

constexpr Case type_cases[] = {

    {"axes = 3\n[[include]]\n", "m.toml:1:8: axes: is an integer, expected the table [axes], "
                                "once"},
    {"[[axes]]\nvcpus = [8]\n[[include]]\n",
     "m.toml:1:1: axes: is a list, expected the table [axes], once"},
    {AXES "[benchmark]\nboots = 6\n", "m.toml:3:1: benchmark: [benchmark] is one table, "
                                      "expected [[benchmark]], of which there "
                                      "may be several"},
    {"selftest = [\"proc\"]\n" AXES,
     "m.toml:1:13: selftest: \"proc\" is a string, expected [[selftest]]"},
    {"[axes]\narch = \"arm64\"\n", "m.toml:2:8: axes.arch: expected a list, as [\"...\"]"},
    {"[axes]\nvcpus = [\"8\"]\n",
     "m.toml:2:10: axes.vcpus: \"8\" is a string, expected an integer"},
    {"[axes]\nvcpus = [8.0]\n",
     "m.toml:2:10: axes.vcpus: 8.0 is a number with a fraction, expected an integer"},
    {"[axes]\narch = [[\"arm64\"]]\n", "m.toml:2:9: axes.arch: is a list, expected a string"},
    {AXES "[vm]\nnuma_nodes = 1979-05-27\n",
     "m.toml:4:14: vm.numa_nodes: is a date or time, expected a number of NUMA "
     "nodes from 1 to 64"},
    {AXES "[gate]\ntests = \"yes\"\n",
     "m.toml:4:9: gate.tests: \"yes\" is a string, expected true or false"},
    {AXES "[[selftest]]\ntarget = 3\n",
     "m.toml:4:10: selftest.target: 3 is an integer, expected a string"},
    {AXES "[[selftest]]\ntarget = \"proc\"\ntimeout = \"5s\"\n",
     "m.toml:5:11: selftest.timeout: \"5s\" is a string, expected seconds from 1 to 86400"},
    {AXES "[[include]]\nvcpus = 4\nbenchmarks = \"all\"\n",
     "m.toml:5:14: include.benchmarks: \"all\" is a string, expected a list of strings"},
    {AXES "[[include]]\nvcpus = [4]\n",
     "m.toml:4:9: include.vcpus: is a list, expected one value: an include is one cell"}};
INSTANTIATE_TEST_SUITE_P(Types, RefusedMatrix, ::testing::ValuesIn(type_cases));

constexpr Case axis_value_cases[] = {

    {"[axes]\narch = [\"arm46\"]\n",
     "m.toml:2:9: axes.arch: \"arm46\": expected \"x86_64\" or \"arm64\"; did you mean "
     "\"arm64\"?"},
    {"[axes]\narch = [\"aarch64\"]\n",
     "m.toml:2:9: axes.arch: \"aarch64\": expected \"x86_64\" or \"arm64\"; did you mean "
     "\"arm64\"?"},
    {"[axes]\narch = [\"riscv\"]\n",
     "m.toml:2:9: axes.arch: \"riscv\": expected \"x86_64\" or \"arm64\""},
    {"[axes]\nvcpus = [0]\n",
     "m.toml:2:10: axes.vcpus: 0: expected a number of CPUs from 1 to 255"},
    {"[axes]\nvcpus = [256]\n",
     "m.toml:2:10: axes.vcpus: 256: expected a number of CPUs from 1 to 255"},
    {"[axes]\nvcpus = [9223372036854775807]\n",
     "m.toml:2:10: axes.vcpus: 9223372036854775807: expected a number of CPUs from 1 to "
     "255"},
    {"[axes]\ncompiler = [\"clan\"]\n",
     "m.toml:2:13: axes.compiler: \"clan\": expected \"gcc\" or \"clang\"; did you mean "
     "\"clang\"?"},
    {"[axes]\nconfig = [\"default+\"]\n",
     "m.toml:2:11: axes.config: \"default+\": "
     "expected names of fragments in kconfigs/ joined "
     "by '+', as \"default+debug\", or paths with a '/' in them"},
    {"[axes]\nconfig = [\"my.config\"]\n",
     "m.toml:2:11: axes.config: \"my.config\": "
     "expected names of fragments in kconfigs/ joined "
     "by '+', as \"default+debug\", or paths with a '/' in them"},
    {"[axes]\nconfig = [\"default+defconfig\"]\n",
     "m.toml:2:11: axes.config: \"default+defconfig\": defconfig is what fragments are put "
     "over, expected it first"},
    {"[axes]\nconfig = [\"./a/my.config\", \"./b/my.config\"]\n",
     "m.toml:2:28: axes.config: another config file of that name makes a cell "
     "x86_64-my.config-4cpu-gcc too; expected names that differ"},
    {"[axes]\nconfig = [\"default+default\"]\n",
     "m.toml:2:11: axes.config: \"default+default\": names \"default\" twice, expected each "
     "fragment once"},
    {"[axes]\ncmdline = [\"a\\nb\"]\n", "m.toml:2:12: axes.cmdline: \"a\\nb\": expected at "
                                        "most 1024 printable ASCII characters "
                                        "on one line"},
    {"[axes]\ncmdline = [\" quiet\"]\n",
     "m.toml:2:12: axes.cmdline: \" quiet\": expected no space at either end"},
    {"[axes]\nvcpus = [4, 8, 4]\n", "m.toml:2:16: axes.vcpus: 4 stands there twice"},
    {"[axes]\nvcpus = []\n",
     "m.toml:2:9: axes.vcpus: is empty; expected at least one value, or no such key for the "
     "default"},
    {"[axes]\nconfig = [\"default\", \"default+64k\"]\narch = [\"arm64\", \"x86_64\"]\n",
     "m.toml:2:22: axes.config: \"default+64k\" with arch x86_64, which has no 64K pages; "
     "expected it with arm64 only (use [[exclude]], or an [[include]] for it)"}};
INSTANTIATE_TEST_SUITE_P(AxisValues, RefusedMatrix, ::testing::ValuesIn(axis_value_cases));

constexpr Case shape_cases[] = {

    {"", "m.toml: no cells; expected [axes] or [[include]]"},
    {"[axes]\n", "m.toml:1:1: axes: names no axis; expected at least one of arch, config, "
                 "vcpus, compiler, cmdline"},
    {AXES "[[exclude]]\nvcpus = 8\n", "m.toml: no cells are left: everything is excluded"},
    {AXES "[[exclude]]\n", "m.toml:3:1: exclude: names no axis; expected at least one of arch, "
                           "config, vcpus, compiler, cmdline"},
    {"[axes]\nvcpus = [4, 8]\n[[exclude]]\nvcpus = 16\n",
     "m.toml:4:9: exclude.vcpus: 16 excludes nothing: the axis has 4, 8"},
    {"[axes]\nvcpus = [4, 8]\n[[exclude]]\nvcpus = 8\n[[exclude]]\nvcpus = [8]\n",
     "m.toml:5:1: exclude: excludes nothing: no cell of [axes] that is left has all of it"},
    {"[[exclude]]\nvcpus = 4\n[[include]]\n",
     "m.toml:1:1: exclude: excludes nothing: there are no [axes] whose cells it could "
     "exclude"},
    {AXES "[[include]]\narch = \"x86_64\"\n",
     "m.toml:3:1: include: the cell x86_64-default-8cpu-gcc is there already, from [axes] "
     "in "
     "line 1"},
    {"[[include]]\n\n[[include]]\nvcpus = 4\n",
     "m.toml:3:1: include: the cell x86_64-default-4cpu-gcc is there already, from "
     "[[include]] in line 1"}};
INSTANTIATE_TEST_SUITE_P(Shape, RefusedMatrix, ::testing::ValuesIn(shape_cases));

constexpr Case vm_cases[] = {

    {AXES "[vm]\nmemory = \"2T\"\n",
     "m.toml:4:10: vm.memory: \"2T\": expected a number of MiB or a string as \"2G\" or "
     "\"512M\", from 256 MiB to 1024 GiB"},
    {AXES "[vm]\nmemory = 255\n",
     "m.toml:4:10: vm.memory: 255: expected a number of MiB or a string as \"2G\" or "
     "\"512M\", from 256 MiB to 1024 GiB"},
    {AXES "[vm]\nmemory = \"99999999999999G\"\n",
     "m.toml:4:10: vm.memory: \"99999999999999G\": expected a number of MiB or a string as "
     "\"2G\" or \"512M\", from 256 MiB to 1024 GiB"},
    {AXES "[vm]\naccel = \"tgc\"\n",
     "m.toml:4:9: vm.accel: \"tgc\": expected one of auto, kvm, tcg; did you mean \"tcg\"?"},
    {AXES "[vm]\nuri = \"qemu+ssh://user@host/system\"\n",
     "m.toml:4:7: vm.uri: \"qemu+ssh://user@host/system\" is on another machine; kmatrix "
     "runs "
     "guests on this one only; expected one of qemu:///embed, qemu:///system, "
     "qemu:///session"},
    {AXES "[vm]\nuri = \"qemu:///sytem\"\n",
     "m.toml:4:7: vm.uri: \"qemu:///sytem\": expected one of qemu:///embed, qemu:///system, "
     "qemu:///session; did you mean \"qemu:///system\"?"},
    {AXES "[vm]\nnuma_nodes = 9\n",
     "m.toml:4:14: vm.numa_nodes: 9: more nodes than the 8 vCPUs of the cell "
     "x86_64-default-8cpu-gcc"}};
INSTANTIATE_TEST_SUITE_P(Vm, RefusedMatrix, ::testing::ValuesIn(vm_cases));

constexpr Case selftest_cases[] = {

    {AXES "[[selftest]]\ntest = \"read\"\n",
     "m.toml:3:1: selftest.target: is missing; expected a directory of "
     "tools/testing/selftests, as \"proc\""},
    {AXES "[[selftest]]\ntarget = \"../../proc\"\n",
     "m.toml:4:10: selftest.target: \"../../proc\": expected a directory of "
     "tools/testing/selftests, as \"proc\""},
    {AXES "[[selftest]]\ntarget = \"proc\"\ntest = \"\"\n",
     "m.toml:5:8: selftest.test: \"\": expected the name of one program of the target, as "
     "\"proc-maps-race\"; without the key all of them run"},
    {AXES "[[selftest]]\ntarget = \"proc\"\nrepeat = 0\n",
     "m.toml:5:10: selftest.repeat: 0: expected a number of runs from 1 to 10000"},
    {AXES "[[selftest]]\ntarget = \"proc\"\ntest = \"read\"\n[[selftest]]\ntarget = \"proc\"\n",
     "m.toml:6:1: selftest: proc:read runs in the cell x86_64-default-8cpu-gcc already, by "
     "line 3; expected each test once there (repeat = N runs it more often)"},
    {AXES "[[selftest]]\ntarget = \"proc\"\nonly = \"arch=arm64\"\n",
     "m.toml:3:1: selftest: proc runs in no cell\n"
     "m.toml:5:8: selftest.only: no cell has arch=arm64"},
    {AXES "[[selftest]]\ntarget = \"proc\"\nonly = \"vcpus=8,16\"\n",
     "m.toml:5:8: selftest.only: no cell has vcpus=16"},
    {AXES "[[selftest]]\ntarget = \"proc\"\nonly = \"cpus=8\"\n",
     "m.toml:5:8: selftest.only: \"cpus\": no such axis; did you mean \"vcpus\"? (there are "
     "arch, config, vcpus, compiler, cmdline)"},
    {AXES "[[selftest]]\ntarget = \"proc\"\n[[include]]\nvcpus = 4\nselftests = [\"prc\"]\n",
     "m.toml:7:14: include.selftests: \"prc\" is no [[selftest]] of this file; did you mean "
     "\"proc\"? (there are proc)"},
    {AXES "[[selftest]]\ntarget = \"mm\"\nonly = \"vcpus=8\"\n[[include]]\nvcpus = 4\n"
          "selftests = [\"mm\"]\n",
     "m.toml:8:14: include.selftests: \"mm\" cannot run in the cell "
     "x86_64-default-4cpu-gcc: "
     "its `only` does not match"}};
INSTANTIATE_TEST_SUITE_P(Selftests, RefusedMatrix, ::testing::ValuesIn(selftest_cases));

constexpr Case benchmark_cases[] = {

    {AXES "[[benchmark]]\nboots = 3\n",
     "m.toml:4:9: benchmark.boots: 3: fewer than 4 boots a side can never give a verdict: p "
     "stays above 0.05 however large the difference; expected 4 to 1000"},
    {AXES "[[benchmark]]\nboots = -6\n",
     "m.toml:4:9: benchmark.boots: -6: expected a number of boots a side from 4 to 1000"},
    {AXES "[[benchmark]]\nprocfile = \"smaps_rolup\"\n",
     "m.toml:4:12: benchmark.procfile: \"smaps_rolup\": expected one of maps, smaps, "
     "smaps_rollup, numa_maps; did you mean \"smaps_rollup\"?"},
    {AXES "[[benchmark]]\nduration = nan\n",
     "m.toml:4:12: benchmark.duration: nan: expected seconds from 0.1 to 3600"},
    {AXES "[[benchmark]]\nname = \"a/b\"\n",
     "m.toml:4:8: benchmark.name: \"a/b\": expected letters, digits, '_', '.' and '-', as "
     "it "
     "is a part of file names"},
    {AXES "[[benchmark]]\n[[benchmark]]\nscanner = \"exec\"\n",
     "m.toml:4:1: benchmark.name: \"smaps_rollup\" is the name of the benchmark in line 3 "
     "too; "
     "expected a name of its own"},
    {AXES "[[benchmark]]\nbusycpus = 7\n",
     "m.toml:4:12: benchmark.busycpus: 7: the cell x86_64-default-8cpu-gcc has 8 vCPUs, of "
     "which one is the mapper's and one stays free; expected at most 6"},
    {"[axes]\nvcpus = [8, 3]\n[[benchmark]]\n",
     "m.toml:2:13: axes.vcpus: 3: the benchmark \"smaps_rollup\" needs at least 4"},
    {"[axes]\nconfig = [\"default\", \"default+debug\"]\n[[benchmark]]\n",
     "m.toml:2:22: axes.config: the benchmark \"smaps_rollup\" would run on the debug "
     "config "
     "\"default+debug\", whose checks change what is measured; expected none there (give "
     "it an "
     "`only` that leaves this config out)"},
    {AXES "[[benchmark]]\n[[include]]\nconfig = \"default+debug\"\n",
     "m.toml:5:10: include.config: the benchmark \"smaps_rollup\" would run on the debug "
     "config \"default+debug\", whose checks change what is measured; expected none there "
     "(put "
     "benchmarks = [] into this include)"},
    {AXES "[[benchmark]]\npattern = '(x)'\n",
     "m.toml:4:11: benchmark.pattern: has a meaning only with command"},
    {AXES "[[benchmark]]\ncommand = \"b\"\n",
     "m.toml:3:1: benchmark.pattern: is missing; command needs it to find its figures\n"
     "m.toml:3:1: benchmark.name: is missing; a command needs one"},
    {AXES "[[benchmark]]\nname = \"b\"\ncommand = \"b\"\npattern = 'x'\nfragment = true\n",
     "m.toml:6:11: benchmark.pattern: has no group (...); expected a regular "
     "expression (Perl's syntax) whose group 1 is a figure in ms, as \"mean: ([0-9.]+) ms\"\n"
     "m.toml:7:12: benchmark.fragment: has a meaning only without command"},
    {AXES "[gate]\nmargin = 5\n",
     "m.toml:4:10: gate.margin: 5: expected a fraction from 0 to 0.5"}};
INSTANTIATE_TEST_SUITE_P(Benchmarks, RefusedMatrix, ::testing::ValuesIn(benchmark_cases));

TEST(RefusedMatrices, ListWhatIsWrongInTheFilesOrder) {
    EXPECT_EQ(error_of("[gate]\nlatency = 1\n[axes]\narch = [\"x\"]\nvcpus = [0]\n"),
              "m.toml:2:11: gate.latency: 1 is an integer, expected true or false\n"
              "m.toml:4:9: axes.arch: \"x\": expected \"x86_64\" or \"arm64\"\n"
              "m.toml:5:10: axes.vcpus: 0: expected a number of CPUs from 1 to 255");
}

TEST(RefusedMatrices, SayThatOneValueIsWrongOnce) {
    // Four cells have it.
    EXPECT_EQ(
        error_of("[axes]\nconfig = [\"64k\"]\nvcpus = [1, 2, 3, 4]\n"),
        "m.toml:2:11: axes.config: \"64k\" with arch x86_64, which has no 64K pages; expected "
        "it with arm64 only (use [[exclude]], or an [[include]] for it)");
}

TEST(RefusedMatrices, StopListingAtTwenty) {
    std::string text = AXES "[vm]\n";
    for (int i = 10; i < 40; ++i)
        text += "key" + std::to_string(i) + " = 1\n";
    EXPECT_THAT(error_of(text), HasSubstr("m.toml:23:1: vm.key29: unknown key"));
    EXPECT_THAT(error_of(text), Not(HasSubstr("key30")));
    EXPECT_THAT(error_of(text), HasSubstr("\nm.toml: and 10 more"));
}

TEST(RefusedMatrices, AreBoundedInSize) {
    std::string text = "[axes]\nvcpus = [";
    for (int i = 1; i <= 255; ++i)
        text += std::to_string(i) + ",";
    text += "]\ncmdline = [\"a\", \"b\", \"c\", \"d\", \"e\"]\n";
    EXPECT_EQ(error_of(text), "m.toml:1:1: axes: more than 1024 cells, expected fewer");
    EXPECT_EQ(error_of(AXES "cmdline = [\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\","
                            "\"j\",\"k\",\"l\",\"m\",\"n\",\"o\",\"p\",\"q\",\"r\",\"s\",\"t\","
                            "\"u\",\"v\",\"w\",\"x\",\"y\",\"z\",\"1\",\"2\",\"3\",\"4\",\"5\","
                            "\"6\",\"7\",\"8\",\"9\",\"10\",\"11\",\"12\",\"13\",\"14\",\"15\","
                            "\"16\",\"17\",\"18\",\"19\",\"20\",\"21\",\"22\",\"23\",\"24\",\"25\","
                            "\"26\"]\n[[benchmark]]\nboots = 1000\n"),
              "m.toml: benchmark: 104000 boots in all, expected at most 100000");
}

} // namespace
} // namespace kmatrix
