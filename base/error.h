// SPDX-License-Identifier: GPL-2.0-only
// What went wrong on our side, as a value. A verdict on a kernel is never an Error.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace kmatrix {

// Whose it is to mend, and so kmatrix's exit status (2 or 3).
enum class Blame { user, infrastructure };

struct Error {
    Blame blame = Blame::infrastructure;
    // What happened, where, and what to do. Each hop up may put one line of context before it.
    std::string message;
    // The last lines of the output of the command that failed, and where all of it is; may be
    // empty.
    std::string output_tail;
    std::filesystem::path log;

    Error&& in(const std::string& context) && {
        message = context + ": " + message;
        return std::move(*this);
    }
    // The whole of it for a person: message, output tail (indented), path of the log.
    std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> infrastructure_error(std::string message) {
    return tl::unexpected<Error>(Error{Blame::infrastructure, std::move(message), {}, {}});
}

inline tl::unexpected<Error> user_error(std::string message) {
    return tl::unexpected<Error>(Error{Blame::user, std::move(message), {}, {}});
}

} // namespace kmatrix
