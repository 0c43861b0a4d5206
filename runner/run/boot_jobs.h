// SPDX-License-Identifier: GPL-2.0-only
// What a boot is asked to do, and what its transcript then says of it. Pure.
#pragma once

#include "images/plan.h"
#include "results/model.h"
#include "results/transcript.h"
#include "runner/run/image_stage.h"

namespace kmatrix {

struct BootJobs {
    BootPlan plan;
    std::vector<GuestImage::Absent> absent; // asked for and not in the image
};

// `edited`: the selftest targets that the series edits; of these the baseline's form runs too.
BootJobs boot_jobs(const Cell& cell, const PlannedBoot& boot, const GuestImage& image,
                   const std::vector<std::string>& edited, Accel accel);

// The limits of all jobs together, in seconds.
double limits_s(const BootPlan& plan);

// Fills tests, or samples and sample_error.
void read_results(BootResult& result, const Cell& cell, const PlannedBoot& boot,
                  const BootJobs& jobs, const Transcript& transcript);

} // namespace kmatrix
