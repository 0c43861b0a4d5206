// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/shell.h"

#include <optional>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <fmt/format.h>

#include "base/files.h"
#include "images/protocol.h"
#include "runner/run/boot_stage.h"
#include "runner/run/image_stage.h"
#include "runner/run/kernel_stage.h"
#include "runner/run/part.h"
#include "runner/run/prepare.h"
#include "runner/vm/by_hand.h"
#include "runner/vm/guardian.h"
#include "runner/vm/kernel_cmdline.h"
#include "runner/vm/libvirt/hypervisor.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

// As the run's boots of that cell were; emulated if there were none.
Accel accel_of(const RunResult& run, const Cell& cell) {
    for (const BootResult& boot : run.boots)
        if (boot.cell == cell.id)
            return boot.machine.accel;
    return Accel::tcg;
}

asio::awaitable<Result<std::string>> make_command(const ShellRequest& request,
                                                  const Guardian& guardian) {
    const Cache cache(cache_directory());
    RunRequest run;
    run.directory = request.directory;
    run.resume = true;
    auto uri = vm_uri(run);
    if (!uri)
        co_return tl::unexpected(std::move(uri.error()));
    auto hypervisor = co_await open_hypervisor(*uri, guardian);
    if (!hypervisor)
        co_return tl::unexpected(std::move(hypervisor.error()));
    auto prepared = co_await prepare(cache, run, (*hypervisor)->machine());
    if (!prepared)
        co_return tl::unexpected(std::move(prepared.error()));
    const std::vector<Cell>& cells = prepared->matrix.cells;
    const bool only_one = request.cell.empty() && cells.size() == 1;
    auto cell = cell_of(prepared->matrix, only_one ? cells.front().id : request.cell);
    if (!cell)
        co_return tl::unexpected(std::move(cell.error()));
    const RunContext context{*prepared, cache, **hypervisor, request.jobs, false};
    const Detail quiet = [](const std::string&) {};

    std::optional<KernelBuild> kernel;
    // Patched kernels are built on from the baseline's objects.
    for (const Kernel which : {Kernel::baseline, Kernel::patched}) {
        // Named: g++ 12 destroys such a temporary of a co_await twice.
        const BuildTask task{(*cell)->build(), which};
        auto build = co_await kernel_stage(context, task, quiet);
        if (!build)
            co_return tl::unexpected(std::move(build.error()));
        if (!build->result.ok)
            co_return user_error(
                fmt::format("{} does not build: {}", to_string(which), build->result.error));
        kernel = std::move(*build);
        if (which == request.kernel)
            break;
    }
    auto image = co_await image_stage(context, (*cell)->axes.arch, quiet);
    if (!image)
        co_return tl::unexpected(std::move(image.error()));
    PlannedBoot boot;
    boot.id = fmt::format("{}/{}/shell", (*cell)->id, to_string(request.kernel));
    GuestSpec spec = guest_spec(*prepared, **cell, boot, *kernel, image->base,
                                accel_of(prepared->result, **cell));
    spec.cmdline += fmt::format(" {}", protocol::shell_word);
    co_return qemu_command(spec);
}

} // namespace

Result<std::string> shell_command(const ShellRequest& request) {
    auto guardian = Guardian::start();
    if (!guardian)
        return tl::unexpected(std::move(guardian.error()));
    asio::io_context context(1);
    Result<std::string> command = infrastructure_error("interrupted");
    asio::co_spawn(context, make_command(request, *guardian),
                   [&](const std::exception_ptr& thrown, Result<std::string> result) {
                       if (thrown)
                           std::rethrow_exception(thrown);
                       command = std::move(result);
                   });
    context.run();
    return command;
}

} // namespace kmatrix
