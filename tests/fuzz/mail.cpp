// SPDX-License-Identifier: GPL-2.0-only
// Mails and what is made of them: an mbox, its diffs, a series.
#include "runner/series/mail.h"

#include "runner/series/diff.h"
#include "runner/series/series.h"
#include "tests/fuzz/fuzz.h"

using namespace kmatrix;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    std::vector<SeriesMail> mails;
    for (const std::string& raw : split_mbox(text)) {
        Mail mail = parse_mail(raw);
        fuzz::expect_printable(mail.subject);
        fuzz::expect_printable(mail.author);
        mails.push_back({std::move(mail), "input"});
    }
    if (const auto series = assemble_series(std::move(mails), "input")) {
        fuzz::expect(!series->patches.empty(), "a series has a patch");
        for (const Patch& patch : series->patches) {
            fuzz::expect(!patch.diff.empty() && !patch.files.empty(), "a patch changes something");
            for (const FileDiff& file : patch.files)
                fuzz::expect(!refusal(file), "nothing that must be refused comes through");
        }
    }
    return 0;
}
