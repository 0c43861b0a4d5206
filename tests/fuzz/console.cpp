// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/scanner.h"

#include "tests/fuzz/fuzz.h"

using namespace kmatrix;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const std::vector<Finding> whole = scan_console(text);
    ConsoleScanner scanner;
    const auto [first, second] = fuzz::halves(text);
    scanner.feed(first);
    scanner.feed(second);
    scanner.finish();
    fuzz::expect(scanner.findings().size() == whole.size(), "it finds the same in pieces");
    for (std::size_t i = 0; i < whole.size(); ++i) {
        fuzz::expect(scanner.findings()[i].title == whole[i].title, "and calls it the same");
        fuzz::expect(!whole[i].klass.empty() && !whole[i].title.empty(), "findings have a title");
        fuzz::expect_printable(whole[i].title);
        fuzz::expect_printable(whole[i].function);
        for (const std::string& line : whole[i].lines)
            fuzz::expect_printable(line);
    }
    return 0;
}
