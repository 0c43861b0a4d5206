// SPDX-License-Identifier: GPL-2.0-only
// Overlays themselves are tried in the end-to-end tests; here is what is done around them.
#include "runner/build/layer.h"

#include <fstream>
#include <iterator>

#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/cache/work_directory.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Not;

class LayerTest : public testing::TestWithParam<Layer::Kind> {
  protected:
    LayerTest() {
        write(root_ / "below/a/one", "1");
        write(root_ / "below/a/two", "2");
        write(root_ / "below/b/c/deep", "3");
        write(root_ / "below/top", "4");
    }
    ~LayerTest() override { remove_tree(root_); }

    static void write(const fs::path& path, const std::string& text) {
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    Layer make() {
        boost::asio::io_context context;
        std::optional<Layer> made;
        boost::asio::co_spawn(
            context,
            [&]() -> boost::asio::awaitable<void> {
                auto layer = co_await Layer::make(GetParam(), root_ / "below", root_ / "layer");
                if (layer)
                    made = *layer;
            },
            boost::asio::detached);
        context.run();
        EXPECT_TRUE(made);
        return *made;
    }

    static std::string content(const std::optional<fs::path>& path) {
        return path ? read_file(*path).value_or("unreadable") : "not there";
    }

    fs::path root_ = fs::temp_directory_path() / ("kmatrix-layer-" + std::to_string(::getpid()));
};

TEST_P(LayerTest, ShowsTheUpperBeforeTheLower) {
    const Layer layer = make();
    EXPECT_EQ(content(layer.find("a/one")), "1");
    write(layer.writable() / "a/one", "new");
    write(layer.writable() / "fresh/file", "more");
    EXPECT_EQ(content(layer.find("a/one")), "new");
    EXPECT_EQ(content(layer.find("a/two")), "2");
    EXPECT_EQ(content(layer.find("fresh/file")), "more");
    EXPECT_EQ(content(layer.find("nowhere")), "not there");
    EXPECT_EQ(content(layer.find("a")), "not there"); // a directory is no file
    EXPECT_EQ(read_file(root_ / "below/a/one").value_or(""), "1");
}

TEST_P(LayerTest, RemovesAFileAndTheDirectoriesThatAreEmptyThen) {
    const Layer layer = make();
    ASSERT_TRUE(layer.remove("b/c/deep"));
    EXPECT_EQ(content(layer.find("b/c/deep")), "not there");
    ASSERT_TRUE(layer.remove("a/one"));
    EXPECT_EQ(content(layer.find("a/one")), "not there");
    EXPECT_EQ(content(layer.find("a/two")), "2");
    EXPECT_TRUE(fs::exists(root_ / "below/b/c/deep"));
    if (GetParam() == Layer::Kind::copy) {
        EXPECT_FALSE(fs::exists(layer.merged() / "b"));
        EXPECT_TRUE(fs::exists(layer.merged() / "a"));
        return;
    }
    struct stat info{};
    ASSERT_EQ(::lstat((layer.writable() / "b").c_str(), &info), 0); // the whole of b is gone
    EXPECT_TRUE(S_ISCHR(info.st_mode));
    EXPECT_EQ(info.st_rdev, 0u);
}

TEST_P(LayerTest, KeepsADirectoryWithNewFilesInIt) {
    const Layer layer = make();
    write(layer.writable() / "b/c/new", "n");
    ASSERT_TRUE(layer.remove("b/c/deep"));
    EXPECT_EQ(content(layer.find("b/c/new")), "n");
    EXPECT_EQ(content(layer.find("b/c/deep")), "not there");
}

TEST_P(LayerTest, RemovesWhatWasWrittenAndWhatIsNotThere) {
    const Layer layer = make();
    write(layer.writable() / "top", "written");
    ASSERT_TRUE(layer.remove("top"));
    EXPECT_EQ(content(layer.find("top")), "not there");
    ASSERT_TRUE(layer.remove("never/was"));
}

TEST_P(LayerTest, FindsNothingBehindALink) {
    const Layer layer = make();
    fs::create_directories(layer.writable());
    fs::create_symlink(root_ / "below/a", layer.writable() / "link");
    fs::create_symlink(root_ / "below/top", layer.writable() / "file-link");
    EXPECT_EQ(content(layer.find("link/one")), "not there");
    EXPECT_EQ(content(layer.find("file-link")), "not there");
}

INSTANTIATE_TEST_SUITE_P(Kinds, LayerTest, testing::Values(Layer::Kind::overlay, Layer::Kind::copy),
                         [](const auto& kind) {
                             return kind.param == Layer::Kind::overlay ? "overlay" : "copy";
                         });

class OneLayer : public LayerTest {};

TEST_P(OneLayer, IsMountedInANamespaceOfTheCommandsOwn) {
    const std::vector<Layer> layers(1, make());
    const auto as_user = in_layers(layers, false, {"make", "all"});
    EXPECT_EQ(as_user.front(), "unshare");
    EXPECT_THAT(as_user, Contains("--map-root-user"));
    EXPECT_THAT(as_user, Contains("userxattr,"));
    const std::vector<std::string> end = {(root_ / "layer").string(), (root_ / "below").string(),
                                          "--", "make", "all"};
    EXPECT_EQ(std::vector(std::prev(as_user.end(), 5), as_user.end()), end);
    const auto as_root = in_layers(layers, true, {"make", "all"});
    EXPECT_THAT(as_root, Not(Contains("--map-root-user")));
    EXPECT_THAT(as_root, Not(Contains("userxattr,")));
    const std::vector<std::string> command = {"make"};
    EXPECT_EQ(in_layers({}, false, command), command);
}

INSTANTIATE_TEST_SUITE_P(Kinds, OneLayer, testing::Values(Layer::Kind::overlay));

} // namespace
} // namespace kmatrix
