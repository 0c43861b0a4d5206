// SPDX-License-Identifier: GPL-2.0-only
// What an agent says, or whoever writes to its port.
#include "results/transcript.h"

#include "tests/fuzz/fuzz.h"

using namespace kmatrix;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    Transcript whole, pieces;
    whole.feed(text);
    whole.finish();
    const auto [first, second] = fuzz::halves(text);
    pieces.feed(first);
    pieces.feed(second);
    pieces.finish();
    fuzz::expect(whole.jobs().size() == pieces.jobs().size() &&
                     whole.anomaly_count() == pieces.anomaly_count() &&
                     whole.is_done() == pieces.is_done(),
                 "it says the same in pieces");
    fuzz::expect_printable(whole.last_record());
    for (const auto& anomaly : whole.anomalies())
        fuzz::expect_printable(anomaly.text);
    return 0;
}
