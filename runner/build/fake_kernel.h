// SPDX-License-Identifier: GPL-2.0-only
// For tests: a "kernel" of three files whose Makefile has the targets of one, in a git tree, and
// whole builds of it, in the sandbox and over real layers.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/command.h"
#include "base/files.h"
#include "runner/build/kernel_build.h"
#include "runner/cache/work_directory.h"
#include "runner/series/series.h"

namespace kmatrix {

inline constexpr const char* fake_makefile = R"(VERSION = 7
PATCHLEVEL = 3
SUBLEVEL = 4
EXTRAVERSION =
objects = $(patsubst fs/%.c,$(O)/%.o,$(wildcard fs/*.c))
tinyconfig:
	@printf 'CONFIG_BASE=y\n# CONFIG_A is not set\n' > $(O)/.config
olddefconfig:
	@echo configured
	@grep -v CONFIG_GONE $(O)/.config > $(O)/new; mv $(O)/new $(O)/.config
bzImage: $(O)/vmlinux
	@mkdir -p $(O)/arch/x86/boot
	@cp $(O)/vmlinux $(O)/arch/x86/boot/bzImage
	@cp $(O)/vmlinux $(O)/System.map
$(O)/vmlinux: $(objects) $(O)/.config Makefile
	@cat $(objects) $(O)/.config > $@
$(O)/%.o: fs/%.c fs/h.h
	@echo "  CC      fs/$*.o"
	@if grep -q WARN $<; then echo "/src/$<:2:1: warning: odd [-Wodd]" >&2; fi
	@if grep -q BROKEN $<; then echo "/src/$<:3:1: error: it is broken" >&2; exit 1; fi
	@cat $< fs/h.h > $@
)";

class FakeKernel : public testing::Test {
  protected:
    FakeKernel() {
        std::filesystem::create_directories(tree_);
        git({"init", "-q", "-b", "main"});
        write("Makefile", fake_makefile);
        write("fs/a.c", "a\n");
        write("fs/b.c", "b WARN\n");
        write("fs/h.h", "h\n");
        commit();
        git({"checkout", "-q", "-b", "topic"});
    }
    ~FakeKernel() override { remove_tree(root_); }

    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((tree_ / path).parent_path());
        std::ofstream(tree_ / path) << text;
    }
    void git(std::vector<std::string> words) const {
        Command command;
        command.argv = {"git", "-c", "user.name=U", "-c", "user.email=u@x.org"};
        command.argv.insert(command.argv.end(), words.begin(), words.end());
        command.cwd = tree_;
        const auto exit = run_blocking(command);
        ASSERT_TRUE(exit && exit->ok()) << (exit ? exit->tail : exit.error().message);
    }
    void commit() const {
        git({"add", "-A"});
        git({"commit", "-q", "-m", "x"});
    }

    // Baseline main, patched topic.
    boost::asio::awaitable<void> build_it(BuildRequest request,
                                          std::optional<Result<KernelBuild>>& out) {
        const auto repository = co_await Repository::open(cache_.root(), tree_);
        const auto series = co_await read_series("main..topic", *repository);
        const auto base = co_await repository->commit("main");
        auto sources = co_await apply_series(cache_, *repository, *base, *series);
        if (!sources) {
            out = tl::unexpected(sources.error());
            co_return;
        }
        out = co_await build_kernel(cache_, *sources, std::move(request));
    }

    Result<KernelBuild> build(Kernel kernel, bool clean = false) {
        BuildRequest request;
        request.key = {Arch::x86_64, "default", "gcc"};
        request.kernel = kernel;
        request.config.name = "default";
        request.config.base_target = "tinyconfig";
        request.config.fragments.push_back(*parse_fragment(fragment_, "f.config"));
        request.log = root_ / "run/build.log";
        request.clean = clean;
        request.ccache = ccache_;
        boost::asio::io_context context;
        std::optional<Result<KernelBuild>> out;
        boost::asio::co_spawn(context, build_it(std::move(request), out),
                              [](std::exception_ptr failure) {
                                  if (failure)
                                      std::rethrow_exception(failure);
                              });
        context.run();
        return std::move(*out);
    }

    std::string log() const { return read_file(root_ / "run/build.log").value_or("no log"); }

    std::filesystem::path root_ =
        std::filesystem::temp_directory_path() / ("kmatrix-build-" + std::to_string(::getpid()));
    std::filesystem::path tree_ = root_ / "tree";
    Cache cache_{root_ / "cache"};
    std::string fragment_ = "CONFIG_A=y\n";
    bool ccache_ = false;
};

} // namespace kmatrix
