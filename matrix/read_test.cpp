// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/read.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Matrix parsed(std::string_view text) {
    const Result<Matrix> matrix = parse_matrix(text, "dir/demo.toml");
    EXPECT_TRUE(matrix) << (matrix ? "" : matrix.error().message);
    return matrix.value_or(Matrix{});
}

std::vector<std::string> ids(const Matrix& matrix) {
    std::vector<std::string> ids;
    for (const Cell& cell : matrix.cells)
        ids.push_back(cell.id);
    return ids;
}

std::vector<std::string> tests(const Cell& cell) {
    std::vector<std::string> names;
    for (const Selftest& selftest : cell.selftests)
        names.push_back(selftest.target + ":" + selftest.test);
    return names;
}

std::vector<std::string> benchmarks(const Cell& cell) {
    std::vector<std::string> names;
    for (const Benchmark& benchmark : cell.benchmarks)
        names.push_back(benchmark.name);
    return names;
}

TEST(ReadMatrix, MultipliesTheAxesTheFirstVaryingSlowest) {
    const Matrix matrix = parsed("[axes]\nvcpus = [4, 8]\narch = [\"arm64\", \"x86_64\"]\n");
    EXPECT_EQ(matrix.name, "demo");
    EXPECT_EQ(matrix.file, "dir/demo.toml");
    EXPECT_THAT(ids(matrix), ElementsAre("arm64-default-4cpu-gcc", "arm64-default-8cpu-gcc",
                                         "x86_64-default-4cpu-gcc", "x86_64-default-8cpu-gcc"));
}

TEST(ReadMatrix, HasTheDefaultsOfTheHeader) {
    const Matrix matrix = parsed("[axes]\nvcpus = [4]\n[[benchmark]]\n[[selftest]]\ntarget = "
                                 "\"proc\"\n");
    ASSERT_EQ(matrix.cells.size(), 1u);
    EXPECT_EQ(matrix.cells[0].axes, Axes{});
    EXPECT_EQ(matrix.vm.memory_mib, 2048);
    EXPECT_EQ(matrix.vm.accel, Accel::automatic);
    EXPECT_EQ(matrix.vm.uri, "qemu:///embed");
    EXPECT_EQ(matrix.vm.numa_nodes, 1);
    const Benchmark& benchmark = matrix.cells[0].benchmarks.at(0);
    EXPECT_EQ(benchmark.name, "smaps_rollup");
    EXPECT_EQ(benchmark.scanner, Scanner::pread);
    EXPECT_EQ(benchmark.boots, 6);
    EXPECT_EQ(benchmark.samples, 2);
    const Selftest& selftest = matrix.cells[0].selftests.at(0);
    EXPECT_EQ(selftest.test, "");
    EXPECT_EQ(selftest.repeat, 1);
    EXPECT_FALSE(selftest.timeout_s);
    EXPECT_TRUE(matrix.gate.tests);
    EXPECT_FALSE(matrix.gate.latency);
    EXPECT_EQ(matrix.gate.margin, 0.05);
}

TEST(ReadMatrix, ReadsEveryKey) {
    const Matrix matrix = parsed(R"(
        [axes]
        arch = ["arm64"]
        config = ["default+64k"]
        vcpus = [24]
        compiler = ["clang"]
        cmdline = ["nopti mitigations=off"]
        [vm]
        memory = "4G"
        accel = "tcg"
        uri = "qemu:///system"
        numa_nodes = 2
        [[selftest]]
        target = "drivers/net"
        test = "ping.py"
        repeat = 20
        timeout = 300
        only = "vcpus=24"
        [[benchmark]]
        name = "maps-exec"
        procfile = "maps"
        scanner = "exec"
        boots = 10
        samples = 3
        duration = 2.5
        busyduration = 7
        busycpus = 3
        busytasks = 4
        fragment = false
        force = true
        only = "arch=arm64"
        [gate]
        build = false
        warnings = true
        boot = false
        splat = false
        tests = false
        latency = true
        latency_emulated = true
        margin = 0.1
    )");
    ASSERT_EQ(matrix.cells.size(), 1u);
    const Cell& cell = matrix.cells[0];
    EXPECT_EQ(cell.axes, (Axes{Arch::arm64, "default+64k", 24, "clang", "nopti mitigations=off"}));
    EXPECT_EQ(matrix.vm.memory_mib, 4096);
    EXPECT_EQ(matrix.vm.accel, Accel::tcg);
    EXPECT_EQ(matrix.vm.uri, "qemu:///system");
    EXPECT_EQ(matrix.vm.numa_nodes, 2);
    const Selftest& selftest = cell.selftests.at(0);
    EXPECT_EQ(selftest.target, "drivers/net");
    EXPECT_EQ(selftest.test, "ping.py");
    EXPECT_EQ(selftest.repeat, 20);
    EXPECT_EQ(selftest.timeout_s, 300);
    EXPECT_THAT(selftest.only.values.at("vcpus"), ElementsAre("24"));
    const Benchmark& benchmark = cell.benchmarks.at(0);
    EXPECT_EQ(benchmark.name, "maps-exec");
    EXPECT_EQ(benchmark.procfile, "maps");
    EXPECT_EQ(benchmark.scanner, Scanner::exec);
    EXPECT_EQ(benchmark.boots, 10);
    EXPECT_EQ(benchmark.samples, 3);
    EXPECT_EQ(benchmark.duration_s, 2.5);
    EXPECT_EQ(benchmark.busyduration_ms, 7);
    EXPECT_EQ(benchmark.busycpus, 3);
    EXPECT_EQ(benchmark.busytasks, 4);
    EXPECT_FALSE(benchmark.fragment);
    EXPECT_TRUE(benchmark.force);
    EXPECT_THAT(benchmark.only.values.at("arch"), ElementsAre("arm64"));
    EXPECT_FALSE(matrix.gate.build);
    EXPECT_TRUE(matrix.gate.warnings);
    EXPECT_FALSE(matrix.gate.boot);
    EXPECT_FALSE(matrix.gate.splat);
    EXPECT_FALSE(matrix.gate.tests);
    EXPECT_TRUE(matrix.gate.latency);
    EXPECT_TRUE(matrix.gate.latency_emulated);
    EXPECT_EQ(matrix.gate.margin, 0.1);
}

TEST(ReadMatrix, ReadsMemoryInEitherUnit) {
    const auto memory = [](const std::string& value) {
        return parsed("[axes]\nvcpus = [1]\n[vm]\nmemory = " + value + "\n").vm.memory_mib;
    };
    EXPECT_EQ(memory("512"), 512);
    EXPECT_EQ(memory("\"512M\""), 512);
    EXPECT_EQ(memory("\"3G\""), 3072);
    EXPECT_EQ(memory("\"3GiB\""), 3072);
    EXPECT_EQ(memory("\"1024G\""), 1 << 20);
}

TEST(ReadMatrix, ExcludesFromTheProductAndIncludesAfterwards) {
    const Matrix matrix = parsed(R"(
        [axes]
        arch = ["x86_64", "arm64"]
        vcpus = [4, 8, 16]
        [[exclude]]
        arch = "x86_64"
        vcpus = [8, 16]
        [[exclude]]
        vcpus = 4
        arch = "arm64"
        [[include]]
        config = "default+debug"
        [[include]]
        arch = "x86_64"
        vcpus = 16
    )");
    EXPECT_THAT(ids(matrix), ElementsAre("x86_64-default-4cpu-gcc", "arm64-default-8cpu-gcc",
                                         "arm64-default-16cpu-gcc",
                                         "x86_64-default+debug-4cpu-gcc", // the first of each axis
                                         "x86_64-default-16cpu-gcc"));    // excluded, and back
}

TEST(ReadMatrix, NeedsNoAxesWhereThereAreIncludes) {
    EXPECT_THAT(ids(parsed("[[include]]\narch = \"arm64\"\n[[include]]\nvcpus = 2\n")),
                ElementsAre("arm64-default-4cpu-gcc", "x86_64-default-2cpu-gcc"));
}

TEST(ReadMatrix, GivesEachCellWhatIsForIt) {
    const Matrix matrix = parsed(R"(
        [axes]
        arch = ["x86_64", "arm64"]
        [[include]]
        config = "default+debug"
        selftests = ["mm", "proc:read"]
        benchmarks = []
        [[include]]
        vcpus = 2
        selftests = []
        benchmarks = []
        [[selftest]]
        target = "proc"
        test = "read"
        [[selftest]]
        target = "mm"
        [[selftest]]
        target = "arm64"
        only = "arch=arm64"
        [[benchmark]]
        procfile = "maps"
        [[benchmark]]
        procfile = "smaps"
        only = "arch=arm64 config=default"
    )");
    ASSERT_EQ(matrix.cells.size(), 4u);
    EXPECT_THAT(tests(matrix.cells[0]), ElementsAre("proc:read", "mm:"));
    EXPECT_THAT(benchmarks(matrix.cells[0]), ElementsAre("maps"));
    EXPECT_THAT(tests(matrix.cells[1]), ElementsAre("proc:read", "mm:", "arm64:"));
    EXPECT_THAT(benchmarks(matrix.cells[1]), ElementsAre("maps", "smaps"));
    EXPECT_THAT(tests(matrix.cells[2]), ElementsAre("proc:read", "mm:")); // in the file's order
    EXPECT_THAT(benchmarks(matrix.cells[2]), IsEmpty());
    EXPECT_THAT(tests(matrix.cells[3]), IsEmpty());
    EXPECT_THAT(benchmarks(matrix.cells[3]), IsEmpty());
}

TEST(ReadMatrix, TakesOneTestTwiceWhereNoCellRunsBoth) {
    const Matrix matrix = parsed(R"(
        [axes]
        arch = ["x86_64", "arm64"]
        [[selftest]]
        target = "proc"
        test = "read"
        only = "arch=x86_64"
        [[selftest]]
        target = "proc"
        test = "read"
        timeout = 90
        only = "arch=arm64"
    )");
    EXPECT_FALSE(matrix.cells.at(0).selftests.at(0).timeout_s);
    EXPECT_EQ(matrix.cells.at(1).selftests.at(0).timeout_s, 90);
}

TEST(ReadMatrix, TakesCommandsRelativeToItself) {
    const Matrix matrix = parsed(R"(
        [axes]
        vcpus = [8]
        [[benchmark]]
        name = "mine"
        command = "../bench/"
        pattern = 'mean ([0-9.]+) ms'
        duration = 60
    )");
    const Benchmark& benchmark = matrix.cells.at(0).benchmarks.at(0);
    EXPECT_EQ(benchmark.command, fs::current_path() / "bench");
    EXPECT_EQ(benchmark.pattern, "mean ([0-9.]+) ms");
    EXPECT_EQ(benchmark.duration_s, 60);
}

TEST(ReadMatrix, TakesConfigFilesRelativeToItself) {
    const Matrix matrix = parsed(R"(
        [axes]
        config = ["./my.config", "defconfig+/etc/extra"]
        arch = ["x86_64", "arm64"]
        [[exclude]]
        arch = "arm64"
        config = "./my.config"
        [[selftest]]
        target = "proc"
        only = "config=my.config"
    )");
    EXPECT_THAT(ids(matrix),
                ElementsAre("x86_64-my.config-4cpu-gcc", "x86_64-defconfig+extra-4cpu-gcc",
                            "arm64-defconfig+extra-4cpu-gcc"));
    EXPECT_EQ(matrix.cells[0].axes.config, (fs::current_path() / "dir/my.config").string());
    EXPECT_EQ(matrix.cells[1].axes.config, "defconfig+/etc/extra");
    EXPECT_EQ(matrix.cells[0].selftests.size(), 1u);
    EXPECT_EQ(matrix.cells[1].selftests.size(), 0u);
}

// ---- On disk -----------------------------------------------------------------------------------

class ReadMatrixFile : public ::testing::Test {
  protected:
    ReadMatrixFile() {
        std::string pattern = (fs::temp_directory_path() / "kmatrix-read-XXXXXX").string();
        directory = ::mkdtemp(pattern.data());
        fs::create_directory(directory / "kconfigs");
        write("kconfigs/default.config", "");
        write("kconfigs/numa.arm64.config", "");
    }
    ~ReadMatrixFile() override { fs::remove_all(directory); }

    void write(const fs::path& name, std::string_view text) const {
        fs::create_directories((directory / name).parent_path());
        std::ofstream(directory / name) << text;
    }
    Result<Matrix> read() const {
        return read_matrix(directory / "m.toml", directory / "kconfigs");
    }
    std::string error() const {
        const Result<Matrix> matrix = read();
        return matrix ? "" : matrix.error().message;
    }

    fs::path directory;
};

TEST_F(ReadMatrixFile, FindsFragmentsOfEveryKind) {
    write("my.config", "");
    write("m.toml", "[axes]\narch = [\"arm64\"]\nconfig = [\"default\", \"default+numa\", "
                    "\"defconfig\", \"./my.config+numa\"]\n");
    EXPECT_EQ(error(), "");
}

TEST_F(ReadMatrixFile, KnowsFragmentsOfOneArchitecture) {
    write("m.toml", "[axes]\narch = [\"arm64\", \"x86_64\"]\nconfig = [\"default+numa\"]\n");
    EXPECT_EQ(error(), (directory / "m.toml").string() +
                           ":3:11: axes.config: the fragment numa is not for x86_64: there is "
                           "neither numa.config nor numa.x86_64.config");
}

TEST_F(ReadMatrixFile, MissesAConfigFile) {
    write("m.toml", "[axes]\nconfig = [\"./my.config\"]\n");
    EXPECT_EQ(error(), (directory / "m.toml").string() +
                           ":2:11: axes.config: \"./my.config\": there is no file " +
                           (directory / "my.config").string());
}

TEST_F(ReadMatrixFile, MissesAFragment) {
    write("m.toml", "[axes]\nconfig = [\"default+nuna\"]\n");
    EXPECT_EQ(error(), (directory / "m.toml").string() +
                           ":2:11: axes.config: \"default+nuna\": there is no fragment "
                           "nuna.config; did you mean \"numa\"? (there are default, numa)");
}

TEST_F(ReadMatrixFile, LooksForTheCommand) {
    const std::string text = "[axes]\nvcpus = [4]\n[[benchmark]]\nname = \"b\"\ncommand = \"b\"\n"
                             "pattern = '(\\d+)'\n";
    write("m.toml", text);
    EXPECT_THAT(error(), HasSubstr("m.toml:5:11: benchmark.command: "));
    EXPECT_THAT(error(), HasSubstr("is no directory; expected one"));
    write("b/run", "#!/bin/sh\n");
    EXPECT_THAT(error(), HasSubstr("there is no executable"));
    fs::permissions(directory / "b/run", fs::perms::owner_exec, fs::perm_options::add);
    EXPECT_EQ(error(), "");
    EXPECT_EQ(read().value().cells.at(0).benchmarks.at(0).command, directory / "b");
}

TEST_F(ReadMatrixFile, BlamesTheUserForAFileThatIsNone) {
    EXPECT_THAT(error(), HasSubstr("m.toml: there is no such matrix file"));
    EXPECT_EQ(read().error().blame, Blame::user);
    fs::create_directory(directory / "m.toml");
    EXPECT_THAT(error(), HasSubstr("this is no file"));
    const Result<Matrix> device = read_matrix("/dev/zero", directory / "kconfigs");
    EXPECT_THAT(device.error().message, HasSubstr("/dev/zero: expected a matrix file"));
}

TEST_F(ReadMatrixFile, RefusesAFileTooLargeBeforeItReadsIt) {
    write("m.toml", "");
    fs::resize_file(directory / "m.toml", 1ull << 40); // sparse
    EXPECT_THAT(error(), HasSubstr("1099511627776 bytes; expected a matrix file of at most"));
}

TEST_F(ReadMatrixFile, DoesNotBlameTheUserForMissingKconfigs) {
    write("m.toml", "[axes]\nvcpus = [4]\n");
    const Result<Matrix> matrix = read_matrix(directory / "m.toml", directory / "none");
    ASSERT_FALSE(matrix);
    EXPECT_EQ(matrix.error().blame, Blame::infrastructure);
}

} // namespace
} // namespace kmatrix
