// SPDX-License-Identifier: GPL-2.0-only
// The stage that boots a kernel, runs what the plan asks for in it, and reads what came of it.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "runner/build/kernel_build.h"
#include "runner/run/context.h"
#include "runner/run/image_stage.h"

namespace kmatrix {

// The machine of a boot, with its kernel and that kernel's command line.
GuestSpec guest_spec(const Prepared& prepared, const Cell& cell, const PlannedBoot& boot,
                     const KernelBuild& kernel, const std::filesystem::path& initrd, Accel accel);

boost::asio::awaitable<Result<BootResult>> boot_stage(const RunContext& context, PlannedBoot boot,
                                                      const KernelBuild& kernel,
                                                      const GuestImage& image, Accel accel,
                                                      Detail detail);

} // namespace kmatrix
