// SPDX-License-Identifier: GPL-2.0-only
#include "runner/progress.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

// A terminal may have gone away, and a reader have had enough; that ends no run.
void put(std::FILE* stream, const std::string& text) {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stream));
}

double since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

ProgressStyle ProgressStyle::of(std::FILE* stream) {
    ProgressStyle style;
    const int fd = ::fileno(stream);
    const char* term = std::getenv("TERM");
    const char* no_color = std::getenv("NO_COLOR");
    style.terminal = ::isatty(fd) != 0 && term && std::string_view(term) != "dumb";
    style.colour = style.terminal && !(no_color && *no_color);
    winsize size{};
    if (style.terminal && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.columns = size.ws_col;
    return style;
}

Progress::Progress(const boost::asio::any_io_executor& executor, std::FILE* stream,
                   ProgressStyle style)
    : stream_(stream), style_(style), timer_(executor) {}

Progress::~Progress() {
    erase();
}

void Progress::expect(double seconds) {
    waiting_s_ = seconds;
}

void Progress::started(const std::string& what, double expected_s) {
    running_[what] = {std::chrono::steady_clock::now(), expected_s, {}};
    waiting_s_ = std::max(0.0, waiting_s_ - expected_s);
    if (style_.terminal) {
        erase();
        draw();
        tick();
    } else {
        line("start  " + what, Tone::neutral);
    }
}

void Progress::detail(const std::string& what, const std::string& text) {
    if (const auto found = running_.find(what); found != running_.end())
        found->second.detail = text;
}

void Progress::finished(const std::string& what, const std::string& how, Tone tone) {
    double elapsed_s = 0;
    if (const auto found = running_.find(what); found != running_.end()) {
        elapsed_s = since(found->second.begin);
        running_.erase(found);
    }
    const char* word = tone == Tone::bad ? "FAILED " : tone == Tone::good ? "ok     " : "-      ";
    line(fmt::format("{}{}{}{} ({})", word, what, how.empty() ? "" : ": ", how,
                     duration_text(elapsed_s)),
         tone);
    if (running_.empty())
        timer_.cancel();
}

void Progress::say(const std::string& text, Tone tone) {
    line(text, tone);
}

void Progress::line(const std::string& text, Tone tone) {
    erase();
    put(stream_, coloured(printable(text), tone) + "\n");
    if (style_.terminal)
        draw();
    std::fflush(stream_);
}

void Progress::erase() {
    if (drawn_ > 0)
        put(stream_, fmt::format("\x1b[{}A\x1b[J", drawn_));
    drawn_ = 0;
    std::fflush(stream_);
}

void Progress::draw() {
    for (const auto& [what, running] : running_) {
        const double elapsed_s = since(running.begin);
        const std::string of = running.expected_s > 0
                                   ? " of about " + duration_text(running.expected_s)
                                   : std::string();
        const std::string detail = running.detail.empty() ? "" : ", " + running.detail;
        // The name comes last: it is what may be cut.
        const std::string text =
            fmt::format("  > {}{}  {}{}", duration_text(elapsed_s), of, what, detail);
        put(stream_, fitted(text) + "\n");
        ++drawn_;
    }
    if (drawn_ > 0) {
        const std::string text = fmt::format("    {} so far, about {} left",
                                             duration_text(since(begin_)), duration_text(left_s()));
        put(stream_, fitted(text) + "\n");
        ++drawn_;
    }
    std::fflush(stream_);
}

double Progress::left_s() const {
    double left = waiting_s_;
    for (const auto& [what, running] : running_)
        left += std::max(0.0, running.expected_s - since(running.begin));
    return left;
}

void Progress::tick() {
    timer_.expires_after(std::chrono::seconds(1));
    timer_.async_wait([this](boost::system::error_code error) {
        if (error || running_.empty())
            return;
        erase();
        draw();
        tick();
    });
}

std::string Progress::coloured(const std::string& text, Tone tone) const {
    if (!style_.colour || tone == Tone::neutral)
        return text;
    return fmt::format("\x1b[{}m{}\x1b[0m", tone == Tone::good ? 32 : 31, text);
}

// A line that wraps could not be erased.
std::string Progress::fitted(const std::string& text) const {
    return printable(text).substr(0, static_cast<std::size_t>(std::max(20, style_.columns - 1)));
}

} // namespace kmatrix
