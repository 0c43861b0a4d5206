// SPDX-License-Identifier: GPL-2.0-only
// The queue for people and for programs. Pure.
#pragma once

#include <string>
#include <vector>

#include "runner/watch/queue.h"

namespace kmatrix::watch {

// Two lines for each series, in this order; queued ones are numbered. Printable.
std::string queue_text(const std::vector<Entry>& entries);

// An object for each series, in this order: the names of Entry, times as ISO 8601 in UTC.
std::string queue_json(const std::vector<Entry>& entries);

} // namespace kmatrix::watch
