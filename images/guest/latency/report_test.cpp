// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/report.h"

#include <gtest/gtest.h>

namespace kmatrix::guest {
namespace {

TEST(LatencyReport, Setup) {
    Options options;
    options.scanner = ScannerStyle::exec;
    options.fragment = false;
    EXPECT_EQ(setup_line(options, CpuRoles{0, {2, 3}}, 9495, 4096),
              R"({"type":"setup","vmas":9495,"cpus":{"mapper":0,"scanners":[2,3],"busy":[2,3]},)"
              R"("page_bytes":4096,"options":{"samples":2,"duration":5.0,"busyduration":2,)"
              R"("procfile":"smaps_rollup","busycpus":1,"busytasks":1,"scanner":"exec",)"
              R"("fragment":false,"seed":1,"force":false}})"
              "\n");
}

// Values by hand: calls of 10, 10 and 70 ns; 70 shares its bucket with 71, the maximum is 70.
TEST(LatencyReport, Sample) {
    SampleFigures sample;
    sample.index = 2;
    sample.mapper.seconds = 5.25;
    sample.mapper.maps = 2;
    sample.mapper.unmaps = 1;
    for (const std::uint64_t ns : {10, 10, 70}) {
        sample.mapper.calls.add(ns);
    }
    sample.mapper.vmas_start = 9495;
    sample.mapper.vmas_end = 9500;
    sample.scans = 4;
    sample.scan_bytes = 2048;
    sample.busy_loops = 9;
    sample.cpus = {0, 2};
    EXPECT_EQ(sample_line(sample),
              R"({"type":"sample","index":2,"seconds":5.25,"maps":2,"unmaps":1,"mean_ns":30.0,)"
              R"("max_ns":70,"p50_ns":10,"p90_ns":70,"p99_ns":70,"p999_ns":70,)"
              R"("histogram":[[10,2],[71,1]],"scans":4,"scan_bytes":2048,"busy_loops":9,)"
              R"("vmas_start":9495,"vmas_end":9500,"cpus":[0,2]})"
              "\n");
}

TEST(LatencyReport, ErrorAndEnd) {
    EXPECT_EQ(error_line("a \"word\"\n"),
              "{\"type\":\"error\",\"message\":\"a \\\"word\\\"\\n\"}\n");
    EXPECT_EQ(end_line(2), "{\"type\":\"end\",\"samples\":2}\n");
}

} // namespace
} // namespace kmatrix::guest
