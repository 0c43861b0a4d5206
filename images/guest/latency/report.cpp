// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/report.h"

#include <nlohmann/json.hpp>

namespace kmatrix::guest {
namespace {

using Json = nlohmann::ordered_json;

std::string report_line(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string setup_line(const Options& options, const CpuRoles& cpus, std::int64_t vmas,
                       std::size_t page_bytes) {
    return report_line(
        {{"type", "setup"},
         {"vmas", vmas},
         {"cpus", {{"mapper", cpus.mapper}, {"scanners", cpus.busy}, {"busy", cpus.busy}}},
         {"page_bytes", page_bytes},
         {"options",
          {{"samples", options.samples},
           {"duration", options.duration_s},
           {"busyduration", options.busyduration_ms},
           {"procfile", options.procfile},
           {"busycpus", options.busycpus},
           {"busytasks", options.busytasks},
           {"scanner", options.scanner == ScannerStyle::exec ? "exec" : "pread"},
           {"fragment", options.fragment},
           {"seed", options.seed},
           {"force", options.force}}}});
}

std::string sample_line(const SampleFigures& sample) {
    const Histogram& calls = sample.mapper.calls;
    Json histogram = Json::array();
    for (std::size_t bucket = 0; bucket < Histogram::bucket_count; ++bucket) {
        if (calls.at(bucket) != 0) {
            histogram.push_back({Histogram::upper_bound_ns(bucket), calls.at(bucket)});
        }
    }
    return report_line({{"type", "sample"},
                        {"index", sample.index},
                        {"seconds", sample.mapper.seconds},
                        {"maps", sample.mapper.maps},
                        {"unmaps", sample.mapper.unmaps},
                        {"mean_ns", calls.mean_ns()},
                        {"max_ns", calls.max_ns()},
                        {"p50_ns", calls.percentile_ns(0.5)},
                        {"p90_ns", calls.percentile_ns(0.9)},
                        {"p99_ns", calls.percentile_ns(0.99)},
                        {"p999_ns", calls.percentile_ns(0.999)},
                        {"histogram", std::move(histogram)},
                        {"scans", sample.scans},
                        {"scan_bytes", sample.scan_bytes},
                        {"busy_loops", sample.busy_loops},
                        {"vmas_start", sample.mapper.vmas_start},
                        {"vmas_end", sample.mapper.vmas_end},
                        {"cpus", sample.cpus}});
}

std::string error_line(const std::string& message) {
    return report_line({{"type", "error"}, {"message", message}});
}

std::string end_line(int samples) {
    return report_line({{"type", "end"}, {"samples", samples}});
}

} // namespace kmatrix::guest
