// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cache/cache.h"

#include <chrono>
#include <fstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <gmock/gmock.h>

#include "base/files.h"
#include "runner/cache/work_directory.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
namespace asio = boost::asio;
using testing::HasSubstr;

class CacheTest : public testing::Test {
  protected:
    ~CacheTest() override { remove_tree(root_); }

    // Makes an entry of so many bytes, which counts how often it is made.
    Cache::Make maker(std::size_t bytes = 10) {
        return [this, bytes](const fs::path& directory) -> asio::awaitable<Result<void>> {
            ++made_;
            std::ofstream(directory / "file") << std::string(bytes, 'x');
            co_return Result<void>{};
        };
    }

    Result<CacheEntry> get(const Cache& cache, const CacheKey& key, const Cache::Make& make) {
        asio::io_context context;
        std::optional<Result<CacheEntry>> result;
        asio::co_spawn(
            context, [&]() -> asio::awaitable<void> { result = co_await cache.get(key, make); },
            asio::detached);
        context.run();
        return std::move(*result);
    }

    static void last_used(const Cache& cache, const CacheKey& key, std::time_t when) {
        const timespec times[2] = {{when, 0}, {when, 0}};
        ::utimensat(AT_FDCWD, (cache.root() / key.kind / key.hash / "entry.json").c_str(), times,
                    0);
    }

    fs::path root_ = fs::temp_directory_path() / ("kmatrix-cache-" + std::to_string(::getpid()));
    int made_ = 0;
};

TEST_F(CacheTest, MakesAThingOnce) {
    const Cache cache(root_);
    const CacheKey key{"kernels", "k1", "a kernel"};
    EXPECT_FALSE(*cache.find(key));
    {
        const auto entry = get(cache, key, maker());
        ASSERT_TRUE(entry) << entry.error().message;
        EXPECT_FALSE(entry->found());
        EXPECT_EQ(read_file(entry->directory() / "file").value_or(""), "xxxxxxxxxx");
    }
    const auto again = get(cache, key, maker());
    EXPECT_TRUE(again->found());
    EXPECT_EQ(made_, 1);
    EXPECT_TRUE(*cache.find(key));
    ASSERT_EQ(cache.list().size(), 1u);
    EXPECT_EQ(cache.list()[0].key.label, "a kernel");
    EXPECT_TRUE(cache.list()[0].in_use);
}

TEST_F(CacheTest, KeepsNothingOfAFailure) {
    const Cache cache(root_);
    const CacheKey key{"kernels", "k1", "a kernel"};
    const Cache::Make fails = [](const fs::path& directory) -> asio::awaitable<Result<void>> {
        std::ofstream(directory / "half") << "x";
        co_return infrastructure_error("no disk");
    };
    const auto entry = get(cache, key, fails);
    ASSERT_FALSE(entry);
    EXPECT_THAT(entry.error().message, HasSubstr("no disk"));
    EXPECT_TRUE(fs::is_empty(root_ / "kernels"));
    EXPECT_TRUE(get(cache, key, maker()));
}

TEST_F(CacheTest, TakesTheLeastRecentlyUsedFirstAndNothingInUse) {
    const Cache cache(root_);
    const CacheKey old{"kernels", "old", ""}, older{"selftests", "older", ""},
        fresh{"sources", "fresh", ""};
    for (const CacheKey& key : {old, older, fresh})
        ASSERT_TRUE(get(cache, key, maker(100'000)));
    last_used(cache, older, 1000);
    last_used(cache, old, 2000);
    last_used(cache, fresh, 3000);
    ASSERT_EQ(cache.list().size(), 3u);
    EXPECT_EQ(cache.list()[0].key.hash, "fresh");
    EXPECT_GE(cache.list()[0].bytes, 100'000u);

    auto used = cache.find(older);
    last_used(cache, older, 1000);
    const CacheTrimmed trimmed = cache.trim(250'000);
    EXPECT_EQ(trimmed.removed, 1u);
    EXPECT_FALSE(*cache.find(old));
    EXPECT_TRUE(*cache.find(older));
    EXPECT_TRUE(*cache.find(fresh));
    used->reset();
    EXPECT_EQ(cache.trim(0).removed, 2u);
    EXPECT_TRUE(cache.list().empty());
}

TEST_F(CacheTest, TrimsToItsCapAfterMakingButKeepsWhatWasMade) {
    const Cache cache(root_, 1);
    const CacheKey first{"kernels", "first", ""}, second{"kernels", "second", ""};
    ASSERT_TRUE(get(cache, first, maker()));
    const auto entry = get(cache, second, maker());
    ASSERT_TRUE(entry);
    EXPECT_FALSE(*cache.find(first));
    EXPECT_TRUE(fs::exists(entry->directory() / "file"));
}

TEST_F(CacheTest, SweepsWhatAKilledMakerLeftAndNotWhatALivingOneMakes) {
    const fs::path dead = root_ / "kernels/dead.making", living = root_ / "kernels/living.making",
                   torn = root_ / "kernels/torn";
    for (const fs::path& path : {dead, living, torn})
        fs::create_directories(path / "sub");
    const auto lock =
        SharedLock::try_take(root_ / "locks/kernels-living.lock", SharedLock::Strength::exclusive);
    ASSERT_TRUE(lock && *lock);
    const Cache cache(root_);
    EXPECT_FALSE(fs::exists(dead));
    EXPECT_FALSE(fs::exists(torn)); // a removal that was cut short
    EXPECT_TRUE(fs::exists(living));
}

TEST_F(CacheTest, WaitsForAnotherThatMakesTheSame) {
    const Cache cache(root_);
    const CacheKey key{"kernels", "k1", ""};
    asio::io_context context;
    int told = 0, found = 0;
    const Cache::Make slow = [&](const fs::path& directory) -> asio::awaitable<Result<void>> {
        ++made_;
        asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(20));
        co_await timer.async_wait(asio::use_awaitable);
        std::ofstream(directory / "file") << "x";
        co_return Result<void>{};
    };
    const auto ask = [&]() -> asio::awaitable<void> {
        const std::function<void()> waiting = [&] { ++told; };
        const auto entry = co_await cache.get(key, slow, waiting);
        EXPECT_TRUE(entry);
        found += entry && entry->found();
    };
    asio::co_spawn(context, ask, asio::detached);
    asio::co_spawn(context, ask, asio::detached);
    context.run();
    EXPECT_EQ(made_, 1);
    EXPECT_EQ(told, 1);
    EXPECT_EQ(found, 1);
}

TEST_F(CacheTest, WorkDirectoriesGoWithTheirOwnersAndSoDoDeadOnes) {
    fs::path path;
    {
        auto work = WorkDirectory::make(root_ / "work", "build");
        ASSERT_TRUE(work);
        path = work->path();
        // What overlayfs leaves behind: a directory that forbids even its owner to look inside.
        fs::create_directories(path / "work/work");
        ::chmod((path / "work/work").c_str(), 0);
        WorkDirectory::sweep(root_ / "work");
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::is_empty(root_ / "work"));
    fs::create_directories(root_ / "work/dead-1-0");
    std::ofstream(root_ / "work/dead-1-0.lock");
    WorkDirectory::sweep(root_ / "work");
    EXPECT_TRUE(fs::is_empty(root_ / "work"));
}

TEST(HashOf, TellsPartsApart) {
    const auto one = HashOf().add("a", "bc").add("d", "").hex();
    EXPECT_NE(one, HashOf().add("a", "b").add("c d", "").hex());
    EXPECT_NE(one, HashOf().add("a", "").add("d", "bc").hex());
    EXPECT_EQ(one.size(), 64u);
    EXPECT_EQ(one, HashOf().add("a", "bc").add("d", "").hex());
}

} // namespace
} // namespace kmatrix
