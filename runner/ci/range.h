// SPDX-License-Identifier: GPL-2.0-only
// A change of a CI's as the commits of a checkout.
#pragma once

#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "runner/ci/detect.h"
#include "runner/source/repository.h"

namespace kmatrix {

struct CommitRange {
    std::string base, head; // ids; base is where the change left the branch that it is to go on
    std::vector<std::string> notes;

    std::string text() const { return base + ".." + head; } // as --series takes it
};

// Where the head is a merge that the CI made of the change and its target, it is the change's side
// of it. Errors (the user's): a commit is not in the checkout (of a shallow one: how to have it
// deep), the two have none in common, the head is in the target already.
boost::asio::awaitable<Result<CommitRange>> find_range(const Repository& repository, Change change,
                                                       CiKind kind);

} // namespace kmatrix
