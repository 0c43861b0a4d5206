// SPDX-License-Identifier: GPL-2.0-only
// The stages of a real run: kernels from the sandbox, guests from libvirt.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "runner/engine/engine.h"
#include "runner/progress.h"
#include "runner/run/boot_stage.h"
#include "runner/run/context.h"
#include "runner/run/image_stage.h"
#include "runner/run/kernel_stage.h"

namespace kmatrix {

class RealStages : public Stages {
  public:
    RealStages(const RunContext& context, Progress& progress)
        : context_(context), progress_(progress) {}

    boost::asio::awaitable<Result<TaskResult>> run(const Task& task) override;

    // Whether what this task makes is at hand already. Boots are never.
    bool has(const Task& task) const override;

    // What a reader of the results should know of how they came about. A sentence each.
    const std::vector<std::string>& notes() const { return notes_; }
    // What boots took that had to be done again.
    double repeated_s() const { return repeated_s_; }

  private:
    boost::asio::awaitable<Result<TaskResult>> build(BuildTask task, Detail detail);
    boost::asio::awaitable<Result<TaskResult>> image(ImageTask task, Detail detail);
    boost::asio::awaitable<Result<TaskResult>> boot(BootTask task, Detail detail);
    boost::asio::awaitable<Result<Accel>> accel_for(const Cell& cell, const KernelBuild& kernel,
                                                    const GuestImage& image);
    void note(const std::string& sentence);

    RunContext context_;
    Progress& progress_;
    // What boots need of what was made before; the cache keeps the files as long as these live.
    std::map<std::tuple<BuildKey, Kernel, int>, KernelBuild> kernels_; // by patches, too
    std::map<Arch, GuestImage> images_;
    std::map<Arch, Accel> accels_;
    std::vector<std::string> notes_;
    double repeated_s_ = 0;
};

} // namespace kmatrix
