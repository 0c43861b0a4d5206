// SPDX-License-Identifier: GPL-2.0-only
// What is started for a series: an ordinary run, the draft of the reply, and the hook that
// publishes. Pure.
#pragma once

#include <filesystem>
#include <string>

#include "base/command.h"
#include "runner/watch/config.h"
#include "runner/watch/queue.h"

namespace kmatrix::watch {

// The mails, in the run's directory: under the name that `kmatrix run` keeps fetched ones.
std::filesystem::path series_file(const Entry& entry);

// "000012-v2-mm-read-less" for entry 12.
std::string directory_name(const Entry& entry);

// Goes on with the run where is_begun, and else begins it. `kmatrix` is this program. Both print to
// watch.log in the run's directory.
Command run_command(const WatchConfig& config, const Entry& entry,
                    const std::filesystem::path& kmatrix, bool is_begun);
Command reply_command(const Entry& entry, const std::filesystem::path& kmatrix);
Command publish_command(const WatchConfig& config, const Entry& entry);

// What the hook reads: directory, status, list, rule, reply (a path, or null), and of the series
// subject, version, patches, message_id and sender.
std::string hook_json(const Entry& entry);

} // namespace kmatrix::watch
