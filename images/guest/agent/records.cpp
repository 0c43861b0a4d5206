// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/records.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "images/protocol.h"

namespace kmatrix::guest {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

double rounded_ms(double seconds) {
    return std::round(seconds * 1000) / 1000;
}

// How many bytes at the end of the text begin a UTF-8 character that is not complete (RFC 3629).
std::size_t incomplete_tail(std::string_view text) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xc0) == 0x80) {
            continue; // in the middle of a character
        }
        const std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        return length > back ? back : 0;
    }
    return 0;
}

} // namespace

std::string hello_record(const Vitals& vitals) {
    return line({{"type", "hello"},
                 {"protocol", protocol::version},
                 {"vitals",
                  {{"vcpus_online", vitals.vcpus_online},
                   {"memory_kib", vitals.memory_kib},
                   {"release", vitals.release},
                   {"machine", vitals.machine},
                   {"cmdline", vitals.cmdline},
                   {"clocksource", vitals.clocksource},
                   {"preemption", vitals.preemption},
                   {"hz", vitals.hz},
                   {"page_size_bytes", vitals.page_size_bytes},
                   {"mitigations", vitals.mitigations}}}});
}

std::string note_record(std::string_view message) {
    return line({{"type", "note"}, {"message", message}});
}

std::string start_record(const std::string& id, double uptime_s) {
    return line({{"type", "start"}, {"id", id}, {"uptime_s", rounded_ms(uptime_s)}});
}

std::string output_record(const std::string& id, std::string_view stream, std::string_view bytes) {
    return line({{"type", "output"}, {"id", id}, {"stream", stream}, {"text", bytes}});
}

std::string end_record(const std::string& id, const JobEnd& end) {
    return line({{"type", "end"},
                 {"id", id},
                 {"exit", end.exit},
                 {"signal", end.signal},
                 {"timed_out", end.timed_out},
                 {"seconds", rounded_ms(end.seconds)}});
}

std::string error_record(std::string_view message) {
    return line({{"type", "error"}, {"message", message}});
}

std::string done_record() {
    return line({{"type", "done"}});
}

std::vector<std::string> Pieces::add(std::string_view bytes) {
    std::string all = std::exchange(held_, {});
    all += bytes;
    std::vector<std::string> pieces;
    std::string_view left = all;
    while (!left.empty()) {
        std::string_view piece = left.substr(0, output_record_bytes);
        piece.remove_suffix(incomplete_tail(piece));
        if (piece.empty()) {
            break;
        }
        pieces.emplace_back(piece);
        left.remove_prefix(piece.size());
    }
    held_ = left;
    return pieces;
}

std::string Pieces::rest() {
    return std::exchange(held_, {});
}

} // namespace kmatrix::guest
