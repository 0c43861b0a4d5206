// SPDX-License-Identifier: GPL-2.0-only
// The processes of a sample: forked, pinned to a CPU, dead when their parent dies, and talked to
// in words, so that the parent knows of each of them that it runs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace kmatrix::guest {

template <class T>
using Expected = tl::expected<T, std::string>;

// The child's end.
class ChildPort {
  public:
    ChildPort(int report_fd, int order_fd) : report_fd_(report_fd), order_fd_(order_fd) {}
    void say(const std::string& word) const;
    // Says the error and ends the process.
    [[noreturn]] void fail(const std::string& message) const;
    // Waits for Child::order; ends the process if the parent has gone.
    void wait_for_order() const;

  private:
    int report_fd_;
    int order_fd_;
};

struct ChildSetup {
    std::string name; // for messages: "scanner on CPU 2"
    int cpu = 0;
    int nice = 0;
};

// The parent's end. Killed and waited for on destruction.
class Child {
  public:
    // The child does not return from `body`'s end: it exits with status 0 there.
    static Expected<Child> start(ChildSetup setup, const std::function<void(ChildPort&)>& body);

    Child(Child&& other) noexcept;
    Child& operator=(Child&& other) = delete;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    const std::string& name() const { return name_; }
    pid_t pid() const { return pid_; }
    void order() const;
    // Waits until it has ended by itself. An error if it does not in time, or not with status 0.
    Expected<void> wait_for_end(std::chrono::milliseconds limit);

  private:
    friend Expected<void> await_word(std::span<Child*> children, std::size_t who,
                                     const std::string& word, std::chrono::milliseconds limit);
    Child(std::string name, pid_t pid, int report_fd, int order_fd)
        : name_(std::move(name)), pid_(pid), report_fd_(report_fd), order_fd_(order_fd) {}

    // Reads what there is. False: it has closed its end.
    bool read_report();
    // The next whole line that it said, if there is one.
    bool next_line(std::string& line);
    std::string how_it_ended();

    std::string name_;
    pid_t pid_ = -1;
    int report_fd_ = -1;
    int order_fd_ = -1;
    std::string heard_;
};

// Waits until children[who] says `word`. Any of the children that says an error, or ends, ends the
// waiting with that error.
Expected<void> await_word(std::span<Child*> children, std::size_t who, const std::string& word,
                          std::chrono::milliseconds limit);

} // namespace kmatrix::guest
