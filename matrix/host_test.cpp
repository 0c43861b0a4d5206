// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/host.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const Host small_tcg{2, {Arch::x86_64, Arch::arm64}};

Matrix one_cell(Arch arch, int vcpus, int benchmarks = 0) {
    Matrix matrix;
    const Axes axes{arch, "default", vcpus, "gcc", ""};
    matrix.file = "m.toml";
    matrix.cells = {{cell_id(axes), axes, {}, {}}};
    for (int i = 0; i < benchmarks; ++i) {
        matrix.cells[0].benchmarks.emplace_back();
        matrix.cells[0].benchmarks.back().name = "b" + std::to_string(i);
    }
    return matrix;
}

TEST(Advice, WarnsOfManyEmulatedCpusOnASmallHost) {
    EXPECT_THAT(advice(one_cell(Arch::x86_64, 8), small_tcg), IsEmpty());
    EXPECT_THAT(advice(one_cell(Arch::x86_64, 9), small_tcg),
                ElementsAre(AllOf(StartsWith("cell x86_64-default-9cpu-gcc: more than 8 emulated "
                                             "x86_64 vCPUs on 2 host CPUs"),
                                  HasSubstr("no verdict"))));
    EXPECT_THAT(advice(one_cell(Arch::arm64, 24), small_tcg), IsEmpty());
    EXPECT_THAT(advice(one_cell(Arch::arm64, 25), small_tcg),
                ElementsAre(HasSubstr("more than 24 emulated arm64 vCPUs")));
}

TEST(Advice, DoesNotWarnOfManyCpusThatTheHostHasOrVirtualizes) {
    EXPECT_THAT(advice(one_cell(Arch::x86_64, 48), Host{64, small_tcg.emulated}), IsEmpty());
    EXPECT_THAT(advice(one_cell(Arch::x86_64, 48), Host{2, {Arch::arm64}}), IsEmpty());
}

TEST(Advice, SaysWhatTheGateDoesUnderEmulation) {
    Matrix matrix = one_cell(Arch::x86_64, 8, 1);
    matrix.gate.latency = true;
    EXPECT_THAT(advice(matrix, small_tcg), ElementsAre(HasSubstr("gates nothing here")));
    EXPECT_THAT(advice(matrix, Host{2, {}}), IsEmpty());
    matrix.gate.latency_emulated = true;
    EXPECT_THAT(advice(matrix, small_tcg), ElementsAre(StartsWith("gate.latency_emulated:")));
}

// 2/C(8,4) = 2/70 = 0.0286, and 2/C(10,5) = 2/252 = 0.0079: four boots a side can reach 0.05 for
// one comparison, five for up to six (6 x 0.0079 = 0.048).
TEST(Advice, CountsTheBootsThatHolmNeeds) {
    Matrix matrix = one_cell(Arch::x86_64, 8, 1);
    matrix.cells[0].benchmarks[0].boots = 4;
    EXPECT_THAT(advice(matrix, small_tcg), IsEmpty());

    matrix = one_cell(Arch::x86_64, 8, 6);
    matrix.cells[0].benchmarks[3].boots = 5;
    EXPECT_THAT(advice(matrix, small_tcg), IsEmpty());
    matrix.cells[0].benchmarks[3].boots = 4;
    EXPECT_THAT(advice(matrix, small_tcg),
                ElementsAre(AllOf(StartsWith("benchmark b3: with 4 boots a side"),
                                  HasSubstr("for 6 comparisons"), HasSubstr("; 5 boots can"))));
}

TEST(CheckHost, RefusesMoreBusyCpusThanTheHostHas) {
    Matrix matrix = one_cell(Arch::x86_64, 8, 1);
    EXPECT_TRUE(check_host(matrix, Host{2, {}}));
    const Result<void> refused = check_host(matrix, Host{1, {}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().blame, Blame::user);
    EXPECT_THAT(refused.error().message,
                AllOf(StartsWith("m.toml: the benchmark \"b0\" keeps 2 vCPUs busy"),
                      HasSubstr("this host has 1 CPUs"), HasSubstr("force = true")));
}

TEST(CheckHost, LetsForceThroughAndWarns) {
    Matrix matrix = one_cell(Arch::x86_64, 8, 1);
    matrix.cells[0].benchmarks[0].busycpus = 4;
    matrix.cells[0].benchmarks[0].force = true;
    EXPECT_TRUE(check_host(matrix, Host{2, {}}));
    EXPECT_THAT(advice(matrix, Host{2, {}}),
                ElementsAre(HasSubstr("keeps 5 vCPUs busy on 2 host CPUs because it says force")));
}

} // namespace
} // namespace kmatrix
