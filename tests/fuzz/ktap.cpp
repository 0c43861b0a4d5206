// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/ktap.h"

#include "tests/fuzz/fuzz.h"

using namespace kmatrix;

namespace {

void look(const std::vector<ktap::Test>& tests, int depth) {
    fuzz::expect(depth <= ktap::max_depth + 1, "no deeper than max_depth");
    for (const ktap::Test& test : tests) {
        fuzz::expect(!test.status.empty() && !test.effective.empty(), "every test has a status");
        fuzz::expect(test.name.size() <= 1000, "names are short");
        fuzz::expect_printable(test.name);
        fuzz::expect_printable(test.reason);
        for (const std::string& line : test.diagnostics)
            fuzz::expect_printable(line);
        look(test.children, depth + 1);
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const ktap::Report whole = ktap::parse(text);
    look(whole.tests, 1);
    ktap::Parser parser;
    const auto [first, second] = fuzz::halves(text);
    parser.feed(first);
    parser.feed(second);
    const ktap::Report pieces = parser.finish();
    fuzz::expect(pieces.effective == whole.effective && pieces.notes == whole.notes &&
                     ktap::count(pieces.tests).all() == ktap::count(whole.tests).all(),
                 "it says the same in pieces");
    return 0;
}
