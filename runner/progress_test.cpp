// SPDX-License-Identifier: GPL-2.0-only
#include "runner/progress.h"

#include <cstdlib>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

namespace kmatrix {
namespace {
using testing::HasSubstr;
using testing::Not;

class ProgressTest : public testing::Test {
  protected:
    ProgressTest() : stream(open_memstream(&buffer, &size)) {}
    ~ProgressTest() override {
        std::fclose(stream);
        std::free(buffer);
    }
    std::string text() {
        std::fflush(stream);
        return {buffer, size};
    }
    boost::asio::io_context context;
    char* buffer = nullptr;
    std::size_t size = 0;
    std::FILE* stream;
};

TEST_F(ProgressTest, PipedItIsPlainLines) {
    Progress progress(context.get_executor(), stream, {false, false, 80});
    progress.started("build x", 10);
    progress.detail("build x", "3 objects");
    progress.finished("build x", "1 warning", Tone::good);
    EXPECT_EQ(text(), "start  build x\nok     build x: 1 warning (0.0 s)\n");
}

TEST_F(ProgressTest, OnATerminalWhatRunsIsDrawnAndErased) {
    {
        Progress progress(context.get_executor(), stream, {true, true, 50});
        progress.expect(100);
        progress.started("a name that is longer than the terminal is wide", 10);
        EXPECT_THAT(text(), HasSubstr("about 1 min 40 s left"));
        EXPECT_THAT(text(), Not(HasSubstr("is wide")));
        progress.finished("a name that is longer than the terminal is wide", "", Tone::bad);
        EXPECT_THAT(text(), HasSubstr("\x1b[31mFAILED "));
    }
    EXPECT_THAT(text(), HasSubstr("\x1b[2A\x1b[J"));
}

TEST_F(ProgressTest, WhatAGuestSaysCannotDriveTheTerminal) {
    Progress progress(context.get_executor(), stream, {false, false, 80});
    progress.say("evil \x1b[2J\x1b]0;title\a name");
    EXPECT_EQ(text(), "evil  name\n");
}

} // namespace
} // namespace kmatrix
