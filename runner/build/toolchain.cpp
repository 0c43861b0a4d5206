// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/toolchain.h"

#include <sys/utsname.h>

#include <fmt/format.h>

#include "base/command.h"
#include "base/text.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace asio = boost::asio;
namespace {

constexpr const char* llvm_suffix = "-19";

std::string cross_prefix(Arch arch) {
    utsname host{};
    ::uname(&host);
    const std::string machine = host.machine;
    switch (arch) {
    case Arch::x86_64:
        return machine == "x86_64" ? "" : "x86_64-linux-gnu-";
    case Arch::arm64:
        return machine == "aarch64" ? "" : "aarch64-linux-gnu-";
    }
    return {};
}

// The first line that a tool says of its version; nothing if it is not there.
asio::awaitable<std::string> version_of(std::string tool) {
    Command command;
    command.argv = argv(tool, "--version");
    command.environment = argv("LC_ALL=C");
    const auto exit = co_await run(std::move(command));
    if (!exit || !exit->ok())
        co_return std::string{};
    co_return printable(trim(exit->output.substr(0, exit->output.find('\n'))));
}

} // namespace

asio::awaitable<Result<Toolchain>> find_toolchain(Arch arch, std::string compiler) {
    Toolchain toolchain;
    toolchain.make_variables.push_back(fmt::format("ARCH={}", to_string(arch)));
    const std::string cross = cross_prefix(arch);
    std::vector<std::string> tools;
    if (compiler == "clang") {
        toolchain.make_variables.push_back(fmt::format("LLVM={}", llvm_suffix));
        toolchain.compiler = fmt::format("clang{}", llvm_suffix);
        tools = argv(fmt::format("ld.lld{}", llvm_suffix), fmt::format("llvm-ar{}", llvm_suffix));
    } else {
        if (!cross.empty())
            toolchain.make_variables.push_back("CROSS_COMPILE=" + cross);
        toolchain.compiler = cross + "gcc";
        tools = argv(cross + "ld");
    }
    toolchain.compiler_version = co_await version_of(toolchain.compiler);
    if (toolchain.compiler_version.empty())
        co_return infrastructure_error(
            fmt::format("{}: not installed, and {} kernels cannot be built with {} without it; "
                        "tools/setup installs it",
                        toolchain.compiler, to_string(arch), compiler));
    toolchain.fingerprint = toolchain.compiler_version;
    // Kconfig asks for the last three; whether they are there changes a configuration.
    for (const char* tool : {"gcc", "make", "pahole", "rustc", "bindgen"})
        tools.emplace_back(tool);
    for (const std::string& tool : tools)
        toolchain.fingerprint += fmt::format("\n{}: {}", tool, co_await version_of(tool));
    co_return toolchain;
}

std::string image_target(Arch arch) {
    switch (arch) {
    case Arch::x86_64:
        return "bzImage";
    case Arch::arm64:
        return "Image";
    }
    return {};
}

std::string image_path(Arch arch) {
    switch (arch) {
    case Arch::x86_64:
        return "arch/x86/boot/bzImage";
    case Arch::arm64:
        return "arch/arm64/boot/Image";
    }
    return {};
}

} // namespace kmatrix
