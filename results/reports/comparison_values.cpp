// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/comparison_values.h"

namespace kmatrix {
namespace {

using nlohmann::json;

json value_of(const LatencySide& side) {
    return {
        {"boots", side.boots.size()}, {"mean_ms", side.mean_ms}, {"p50_ms", side.p50_ms},
        {"p90_ms", side.p90_ms},      {"p99_ms", side.p99_ms},   {"p999_ms", side.p999_ms},
        {"max_ms", side.max_ms},      {"calls", side.calls},     {"calls_per_s", side.calls_per_s}};
}

} // namespace

json value_of(const BootTally& tally) {
    return {{"planned", tally.planned},
            {"booted", tally.booted},
            {"completed", tally.completed},
            {"outcomes", tally.outcomes}};
}

json value_of(const TestTally& tally) {
    return {{"passed", tally.passed},
            {"failed", tally.failed},
            {"skipped", tally.skipped},
            {"missing", tally.missing}};
}

json value_of(const std::vector<Warning>& warnings) {
    json all = json::array();
    for (const Warning& warning : warnings)
        all.push_back(text(warning));
    return all;
}

json value_of(const LatencyComparison& latency, const char* baseline, const char* patched) {
    json value = {{"verdict", to_string(latency.verdict)},
                  {"sentence", sentence(latency)},
                  {"emulated", latency.emulated},
                  {"overcommitted", latency.overcommitted},
                  {"margin", latency.margin},
                  {"margin_why", latency.margin_why}};
    if (latency.ratio)
        value["ratio"] = *latency.ratio;
    if (latency.test) {
        value["ratio_95"] = {latency.test->ratio_95.low, latency.test->ratio_95.high};
        value["p_welch"] = latency.test->p;
        value["p_permutation"] = latency.test->p_permutation;
    }
    if (latency.p_holm)
        value["p_holm"] = *latency.p_holm;
    value[baseline] = value_of(latency.side.baseline);
    value[patched] = value_of(latency.side.patched);
    return value;
}

} // namespace kmatrix
