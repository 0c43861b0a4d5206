// SPDX-License-Identifier: GPL-2.0-only
// Expected texts are worked out by hand from what .config files look like.
#include "kconfigs/fragments.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Fragment fragment(std::string_view text, const std::string& file = "f.config") {
    auto result = parse_fragment(text, file);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : Fragment{};
}

TEST(Fragments, ReadsValuesAndTheTwoWaysOfSayingNo) {
    const Fragment read = fragment("# words\n\nCONFIG_SMP=y\nCONFIG_NR_CPUS=64\n"
                                   "# CONFIG_SWAP is not set\nCONFIG_VT=n\n"
                                   "CONFIG_LOCALVERSION=\"-x y\"\n");
    ASSERT_EQ(read.lines.size(), 5u);
    EXPECT_EQ(read.lines[1].symbol, "CONFIG_NR_CPUS");
    EXPECT_EQ(read.lines[1].value, "64");
    EXPECT_EQ(read.lines[1].line, 4);
    EXPECT_EQ(read.lines[2].symbol, "CONFIG_SWAP");
    EXPECT_EQ(read.lines[2].value, "n");
    EXPECT_EQ(read.lines[3].value, "n");
    EXPECT_EQ(read.lines[4].value, "\"-x y\"");
}

TEST(Fragments, RefusesWhatIsNoSettingWithFileAndLine) {
    for (const char* bad : {"CONFIG_SMP", "SMP=y", "CONFIG_SMP=", "CONFIG_A B=y", "=y"}) {
        const auto result = parse_fragment(std::string("CONFIG_OK=y\n") + bad + "\n", "f.config");
        ASSERT_FALSE(result) << bad;
        EXPECT_THAT(result.error().message, HasSubstr("f.config:2: "));
        EXPECT_EQ(result.error().blame, Blame::user);
    }
}

TEST(Fragments, RefusesASymbolWithTwoValuesAndTakesOneSaidTwice) {
    const auto result = parse_fragment("CONFIG_A=y\nCONFIG_B=y\nCONFIG_A=n\n", "f.config");
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("f.config:3: CONFIG_A is set to n here, and to "
                                                  "y at line 1"));
    EXPECT_EQ(fragment("CONFIG_A=y\nCONFIG_A=y\n").lines.size(), 1u);
}

TEST(Fragments, MergeReplacesWhatTheBaseSaysAndTheLaterFragmentWins) {
    const std::string merged =
        merge_config("# CONFIG_A is not set\nCONFIG_AB=y\nCONFIG_B=7\n# words\n",
                     {fragment("CONFIG_A=y\nCONFIG_B=8\n"), fragment("CONFIG_B=n\n")});
    EXPECT_THAT(merged, HasSubstr("CONFIG_A=y\n"));
    EXPECT_THAT(merged, Not(HasSubstr("CONFIG_A is not set")));
    EXPECT_THAT(merged, HasSubstr("CONFIG_AB=y\n"));
    EXPECT_THAT(merged, HasSubstr("# CONFIG_B is not set\n"));
    EXPECT_THAT(merged, Not(HasSubstr("CONFIG_B=")));
    EXPECT_THAT(merged, HasSubstr("# words\n"));
}

TEST(Fragments, LeavesASelftestsModulesOutWhereModulesAreOff) {
    const Fragment selftest = parse_selftest_config("CONFIG_T=m\nCONFIG_U=y\nwhat\n", "mm/config");
    EXPECT_FALSE(selftest.required);
    EXPECT_EQ(merge_config("# x\n", {selftest}), "# x\nCONFIG_U=y\n");
    EXPECT_THAT(merge_config("CONFIG_MODULES=y\n", {selftest}), HasSubstr("CONFIG_T=m\n"));
    EXPECT_THAT(merge_config("CONFIG_MODULES=y\n", {selftest, fragment("CONFIG_MODULES=n\n")}),
                Not(HasSubstr("CONFIG_T")));
    EXPECT_THAT(merge_config("", {fragment("CONFIG_T=m\n")}), HasSubstr("CONFIG_T=m\n"));
}

TEST(Fragments, VerifyNamesFragmentLineSymbolAndWhatItBecame) {
    const auto result =
        verify_config("CONFIG_A=y\nCONFIG_B=m\n# CONFIG_C is not set\n",
                      {fragment("CONFIG_A=y\nCONFIG_B=y\n", "one.config"),
                       fragment("\nCONFIG_C=y\nCONFIG_D=12\nCONFIG_E=n\n", "two.config")});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().blame, Blame::user);
    const std::string& message = result.error().message;
    EXPECT_THAT(message,
                HasSubstr("one.config:2: CONFIG_B=y was asked for, but CONFIG_B became m"));
    EXPECT_THAT(message,
                HasSubstr("two.config:2: CONFIG_C=y was asked for, but CONFIG_C became n"));
    EXPECT_THAT(message, HasSubstr("two.config:3: CONFIG_D=12 was asked for, but CONFIG_D is not "
                                   "in .config at all"));
    EXPECT_THAT(message, Not(HasSubstr("CONFIG_A")));
    EXPECT_THAT(message, Not(HasSubstr("CONFIG_E"))); // absent is as good as n
}

TEST(Fragments, VerifyLooksAtTheLastWordOnlyAndForgivesWhatIsNotRequired) {
    const auto result = verify_config(
        "CONFIG_A=n\nCONFIG_S=y\n", {parse_selftest_config("CONFIG_S=y\nCONFIG_T=m\n", "mm/config"),
                                     fragment("CONFIG_A=y\n"), fragment("CONFIG_A=n\n")});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_THAT(*result, ElementsAre(HasSubstr("mm/config:2: CONFIG_T=m was asked for")));
}

class Recipe : public testing::Test {
  protected:
    Recipe() {
        std::filesystem::create_directories(directory_);
        write("default.config", "CONFIG_A=y\n");
        write("default.arm64.config", "CONFIG_ARM=y\n");
        write("debug.config", "CONFIG_D=y\n");
        write("64k.arm64.config", "CONFIG_64K=y\n");
    }
    ~Recipe() override { std::filesystem::remove_all(directory_); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(directory_ / name) << text;
    }

    std::filesystem::path directory_ =
        std::filesystem::temp_directory_path() / ("kmatrix-recipe-" + std::to_string(::getpid()));
};

TEST_F(Recipe, TakesThePartsInOrderWithTheArchitecturesOwnAfterEach) {
    const auto recipe = read_recipe(directory_, "default+debug", Arch::arm64,
                                    {parse_selftest_config("CONFIG_S=y\n", "s/config")});
    ASSERT_TRUE(recipe) << recipe.error().message;
    EXPECT_EQ(recipe->base_target, "tinyconfig");
    std::vector<std::string> symbols;
    for (const Fragment& fragment : recipe->fragments)
        symbols.push_back(fragment.lines.at(0).symbol);
    EXPECT_THAT(symbols, ElementsAre("CONFIG_S", "CONFIG_A", "CONFIG_ARM", "CONFIG_D"));
    const auto other = read_recipe(directory_, "default+debug", Arch::x86_64);
    EXPECT_EQ(other->fragments.size(), 2u);
    EXPECT_NE(other->fingerprint(), recipe->fingerprint());
}

TEST_F(Recipe, TakesAnotherBase) {
    EXPECT_EQ(read_recipe(directory_, "defconfig+debug", Arch::x86_64)->base_target, "defconfig");
    const std::string own = (directory_ / "own").string();
    write("own", "CONFIG_WHOLE=y\n");
    const auto recipe = read_recipe(directory_, own + "+debug", Arch::x86_64);
    ASSERT_TRUE(recipe) << recipe.error().message;
    EXPECT_EQ(recipe->base_target, "");
    EXPECT_EQ(recipe->base_text, "CONFIG_WHOLE=y\n");
    EXPECT_EQ(recipe->fragments.size(), 1u);
}

TEST_F(Recipe, RefusesWhatIsNotThereAndSaysWhatIs) {
    const auto unknown = read_recipe(directory_, "default+dbug", Arch::x86_64);
    ASSERT_FALSE(unknown);
    EXPECT_THAT(unknown.error().message, HasSubstr("there is no dbug.config"));
    EXPECT_THAT(unknown.error().message, HasSubstr("debug, default"));
    EXPECT_FALSE(read_recipe(directory_, "default+64k", Arch::x86_64));
    EXPECT_TRUE(read_recipe(directory_, "default+64k", Arch::arm64));
    EXPECT_FALSE(read_recipe(directory_, "default+", Arch::x86_64));
    EXPECT_FALSE(read_recipe(directory_, "/nowhere/at/all", Arch::x86_64));
}

} // namespace
} // namespace kmatrix
