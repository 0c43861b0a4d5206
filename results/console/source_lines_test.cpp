// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/source_lines.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/command.h"
#include "results/console/elf_file.h"

namespace kmatrix {
namespace {

using testing::_;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

TEST(WithSizes, CountsUpToTheNextSymbol) {
    const auto symbols = with_sizes({{0xffffffff81000100, "gizmo"},
                                     {0xffffffff81000000, "start"},
                                     {0xffffffff81000100, "alias"},
                                     {0xffffffff81000180, "gizmo"}});
    EXPECT_EQ(symbols.size(), 4u);
    EXPECT_EQ(symbols.find("start")->second.size, 0x100u);
    EXPECT_EQ(symbols.find("alias")->second.size, 0x80u);
    EXPECT_EQ(symbols.count("gizmo"), 2u);
    for (auto [each, end] = symbols.equal_range("gizmo"); each != end; ++each)
        EXPECT_EQ(each->second.size, each->second.address == 0xffffffff81000100 ? 0x80u : 0u);
}

class FrameAddress : public testing::Test {
  protected:
    std::multimap<std::string, TextSymbol> symbols = {{"gizmo", {0x1000, 0x40}},
                                                      {"twin", {0x2000, 0x40}},
                                                      {"twin", {0x3000, 0x50}},
                                                      {"a.cold", {0x4000, 0x10}}};
};

TEST_F(FrameAddress, IsInTheCallForAReturnAddress) {
    EXPECT_EQ(frame_address("[    1.000001][   T1]  gizmo+0x1a/0x40", symbols), 0x1019u);
    EXPECT_EQ(frame_address(" gizmo+0x0/0x40", symbols), 0x1000u);
}

TEST_F(FrameAddress, IsTheInstructionItselfForARegister) {
    EXPECT_EQ(frame_address("[    1.000001] RIP: 0010:gizmo+0x1a/0x40", symbols), 0x101au);
    EXPECT_EQ(frame_address("pc : gizmo+0x1a/0x40", symbols), 0x101au);
}

TEST_F(FrameAddress, TellsTwinsBySize) {
    EXPECT_EQ(frame_address(" twin+0x10/0x50", symbols), 0x300fu);
    EXPECT_EQ(frame_address(" twin+0x10/0x60", symbols), std::nullopt);
}

TEST_F(FrameAddress, IsNoneForOthers) {
    EXPECT_EQ(frame_address(" gizmo+0x1a/0x40 [module]", symbols), std::nullopt);
    EXPECT_EQ(frame_address(" unknown+0x1a/0x40", symbols), std::nullopt);
    EXPECT_EQ(frame_address("Call Trace:", symbols), std::nullopt);
    EXPECT_EQ(frame_address(" a.cold+0x2/0x10", symbols), 0x4001u);
}

// Output of addr2line -a -i, as binutils 2.40 prints it.
TEST(ParsePlaces, JoinsWhatIsInlined) {
    const auto places =
        parse_places({"0xffffffff81000010", "/src/include/linux/gizmo.h:7 (discriminator 2)",
                      "/src/fs/gizmo.c:99", "0xffffffff81000020", "??:0", "0xffffffff81000030",
                      "/src/fs/gizmo.c:?", "0xffffffff81000040", "/elsewhere/gizmo.c:5"},
                     "/src/");
    EXPECT_THAT(places,
                ElementsAre(Pair(0xffffffff81000010, "include/linux/gizmo.h:7, fs/gizmo.c:99"),
                            Pair(0xffffffff81000040, "/elsewhere/gizmo.c:5")));
}

// A program of two functions, built with debugging information at a path that is left out.
class WithSourceLines : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "kmatrix-lines-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        directory = pattern;
        std::ofstream(directory / "gizmo.c") << "int gizmo(int *p)\n"
                                                "{ return *p; }\n"
                                                "void _start(void)\n"
                                                "{ for (;;) {} }\n";
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    Result<Exit> build(const std::string& compiler) const {
        Command command;
        command.argv = {compiler,  "-g", "-O1",     "-nostdlib",
                        "-static", "-o", "vmlinux", (directory / "gizmo.c").string()};
        command.cwd = directory;
        return run_blocking(command);
    }
    std::vector<std::string> annotated() const {
        Finding finding;
        finding.lines = {"Call Trace:", " gizmo+0x0/0x4", " no_such_function+0x1/0x10"};
        const auto result =
            with_source_lines({finding}, directory / "vmlinux", directory.string() + "/");
        EXPECT_TRUE(result) << result.error().text();
        return result ? result->front().lines : std::vector<std::string>();
    }
    std::filesystem::path directory;
};

TEST_F(WithSourceLines, AddsThePlace) {
    const auto exit = build("gcc");
    ASSERT_TRUE(exit) << exit.error().text();
    ASSERT_TRUE(exit->ok()) << exit->tail;
    EXPECT_THAT(annotated(), ElementsAre("Call Trace:", " gizmo+0x0/0x4 (gizmo.c:2)",
                                         " no_such_function+0x1/0x10"));
}

TEST_F(WithSourceLines, TakesTheToolsOfTheArchitecture) {
    const auto exit = build("aarch64-linux-gnu-gcc");
    if (!exit) {
        GTEST_SKIP() << exit.error().message;
    }
    ASSERT_TRUE(exit->ok()) << exit->tail;
    EXPECT_EQ(annotated()[1], " gizmo+0x0/0x4 (gizmo.c:2)");
    // "$x", where its code begins, is no name of a function.
    const auto elf = read_elf(directory / "vmlinux");
    ASSERT_TRUE(elf);
    EXPECT_THAT(elf->functions, Not(Contains(Pair(_, HasSubstr("$")))));
    EXPECT_THAT(elf->functions, Contains(Pair(_, "gizmo")));
}

TEST_F(WithSourceLines, LeavesLinesAloneWithoutDebuggingInformation) {
    const auto exit = build("gcc");
    ASSERT_TRUE(exit && exit->ok());
    Command strip;
    strip.argv = {"strip", "-g", (directory / "vmlinux").string()};
    ASSERT_TRUE(run_blocking(strip)->ok());
    EXPECT_EQ(annotated()[1], " gizmo+0x0/0x4");
    const auto elf = read_elf(directory / "vmlinux");
    ASSERT_TRUE(elf);
    EXPECT_FALSE(elf->has_lines); // so that nobody is asked
    EXPECT_THAT(elf->functions, IsEmpty());
}

TEST_F(WithSourceLines, SaysWhatIsWrongWithAFile) {
    const auto result = with_source_lines({}, "/etc/passwd");
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("/etc/passwd: not an ELF file"));
}

} // namespace
} // namespace kmatrix
