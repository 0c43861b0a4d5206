// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/pictures.h"

#include "results/reports/picture_distribution.h"
#include "results/reports/picture_ratio.h"
#include "results/reports/picture_samples.h"

namespace kmatrix {

std::vector<Picture> pictures(const RunResult& run, const Comparison& comparison) {
    std::vector<Picture> all;
    all.reserve(3 * comparison.latency.size());
    for (const LatencyComparison& latency : comparison.latency)
        for (const std::optional<Picture>& picture :
             {distribution_picture(run, latency), samples_picture(run, latency),
              ratio_picture(latency)})
            if (picture)
                all.push_back(*picture);
    return all;
}

} // namespace kmatrix
