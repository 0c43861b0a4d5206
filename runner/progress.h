// SPDX-License-Identifier: GPL-2.0-only
// What a person sees of long work: on a terminal a line for each thing that runs, with its time and
// what is left; elsewhere a plain line when something starts and when it ends.
#pragma once

#include <chrono>
#include <cstdio>
#include <map>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace kmatrix {

enum class Tone { good, bad, neutral };

struct ProgressStyle {
    bool terminal = false; // lines may be drawn again
    bool colour = false;
    int columns = 80;

    // Of the stream, and of NO_COLOR (https://no-color.org) and TERM=dumb.
    static ProgressStyle of(std::FILE* stream);
};

class Progress {
  public:
    Progress(const boost::asio::any_io_executor& executor, std::FILE* stream, ProgressStyle style);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress(); // leaves the terminal as it was

    // How many seconds of work there are in all, as far as is known.
    void expect(double seconds);

    void started(const std::string& what, double expected_s);
    void detail(const std::string& what, const std::string& text); // "412 objects"
    void finished(const std::string& what, const std::string& how, Tone tone);
    void say(const std::string& line, Tone tone = Tone::neutral);

  private:
    struct Running {
        std::chrono::steady_clock::time_point begin;
        double expected_s = 0;
        std::string detail;
    };

    void line(const std::string& text, Tone tone);
    void erase();
    void draw();
    void tick();
    double left_s() const;
    std::string coloured(const std::string& text, Tone tone) const;
    std::string fitted(const std::string& text) const;

    std::FILE* stream_;
    ProgressStyle style_;
    boost::asio::steady_timer timer_;
    std::map<std::string, Running> running_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    double waiting_s_ = 0; // of work that has not started
    int drawn_ = 0;        // lines on the terminal that erase() takes away
};

} // namespace kmatrix
