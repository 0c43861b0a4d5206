// SPDX-License-Identifier: GPL-2.0-only
// The stage that builds a kernel.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "runner/build/kernel_build.h"
#include "runner/engine/tasks.h"
#include "runner/run/context.h"

namespace kmatrix {

boost::asio::awaitable<Result<KernelBuild>> kernel_stage(const RunContext& context, BuildTask task,
                                                         Detail detail);

} // namespace kmatrix
