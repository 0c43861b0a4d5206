// SPDX-License-Identifier: GPL-2.0-only
#include "results/transcript.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "images/protocol.h"

namespace kmatrix {
namespace {

using Json = nlohmann::json;

// A record of 4,096 bytes of output has at most six bytes for each (\u0000); vitals are smaller.
constexpr std::size_t longest_record = std::size_t{1} << 20;
constexpr std::size_t kept_of_longer = std::size_t{1} << 18;
constexpr std::size_t most_anomalies = 100;
constexpr std::size_t most_notes = 1000;
// An agent sends 16 MiB a job and no more; whoever sends more is none of ours.
constexpr std::size_t most_jobs = 10'000;
constexpr std::size_t most_output_bytes = std::size_t{256} << 20;
constexpr std::size_t shown_bytes = 200;

std::string begin_of(std::string_view line) {
    return printable(line.substr(0, shown_bytes)) + (line.size() > shown_bytes ? "…" : "");
}

// A member of the wanted type, or the name of the one that is missing or wrong.
struct Members {
    const Json& json;
    std::string wrong;

    const Json* find(const char* name) const {
        const auto at = json.find(name);
        return at == json.end() ? nullptr : &*at;
    }
    void fail(const char* name) {
        if (wrong.empty())
            wrong = name;
    }
    std::string text(const char* name) {
        const Json* value = find(name);
        if (value != nullptr && value->is_string())
            return value->get<std::string>();
        fail(name);
        return {};
    }
    template <class T>
    T integer(const char* name) {
        const Json* value = find(name);
        if (value != nullptr && value->is_number_unsigned() &&
            value->get<std::uint64_t>() <=
                static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
            return static_cast<T>(value->get<std::uint64_t>());
        fail(name);
        return {};
    }
    bool boolean(const char* name) {
        const Json* value = find(name);
        if (value != nullptr && value->is_boolean())
            return value->get<bool>();
        fail(name);
        return false;
    }
    double seconds(const char* name) {
        const Json* value = find(name);
        if (value != nullptr && value->is_number() && std::isfinite(value->get<double>()) &&
            value->get<double>() >= 0)
            return value->get<double>();
        fail(name);
        return 0;
    }
};

Vitals read_vitals(Members members) {
    Vitals vitals;
    vitals.vcpus_online = members.integer<int>("vcpus_online");
    vitals.memory_kib = members.integer<std::int64_t>("memory_kib");
    vitals.release = members.text("release");
    vitals.machine = members.text("machine");
    vitals.cmdline = members.text("cmdline");
    vitals.clocksource = members.text("clocksource");
    vitals.preemption = members.text("preemption");
    vitals.hz = members.integer<int>("hz");
    vitals.page_size_bytes = members.integer<std::int64_t>("page_size_bytes");
    const Json* mitigations = members.find("mitigations");
    if (mitigations != nullptr && mitigations->is_array())
        for (const Json& line : *mitigations)
            if (line.is_string())
                vitals.mitigations.push_back(line.get<std::string>());
    return vitals;
}

transcript::Record read_members(const std::string& type, Members& members) {
    using namespace transcript;
    if (type == "hello") {
        Hello hello;
        Members lenient{members.json, {}};
        hello.protocol = lenient.integer<int>("protocol");
        if (const Json* vitals = members.find("vitals"); vitals != nullptr && vitals->is_object())
            hello.vitals = read_vitals(Members{*vitals, {}});
        return hello;
    }
    if (type == "note")
        return Note{members.text("message")};
    if (type == "start")
        return Started{members.text("id"), members.seconds("uptime_s")};
    if (type == "output") {
        const std::string stream = members.text("stream");
        if (stream != "out" && stream != "err")
            members.fail("stream");
        return Output{members.text("id"), stream == "err", members.text("text")};
    }
    if (type == "end")
        return Ended{members.text("id"), members.integer<int>("exit"),
                     members.integer<int>("signal"), members.boolean("timed_out"),
                     members.seconds("seconds")};
    if (type == "error")
        return AgentFailed{members.text("message")};
    if (type == "done")
        return Done{};
    members.fail("type");
    return Done{};
}

tl::expected<transcript::Record, std::string> read_json(const Json& json) {
    if (!json.is_object())
        return tl::unexpected<std::string>("no JSON object");
    Members members{json, {}};
    const std::string type = members.text("type");
    if (!members.wrong.empty())
        return tl::unexpected<std::string>("no \"type\" in it");
    transcript::Record record = read_members(type, members);
    if (!members.wrong.empty())
        return tl::unexpected<std::string>(
            members.wrong == "type"
                ? fmt::format("no record is of type \"{}\"", begin_of(type))
                : fmt::format("\"{}\" is missing or wrong in a record of type \"{}\"",
                              members.wrong, type));
    return record;
}

} // namespace

tl::expected<transcript::ReadRecord, std::string> transcript::read_record(std::string_view line) {
    constexpr int most_tries = 32;
    const auto placed = [](Record&& record, std::size_t at) {
        return ReadRecord{std::move(record), at};
    };
    const Json whole = Json::parse(line, nullptr, false);
    if (!whole.is_discarded())
        return read_json(whole).map([&](Record record) { return placed(std::move(record), 0); });
    // Backwards, since what follows a torn record is whole: `{"` begins every object, and inside a
    // string its quote would be escaped.
    std::size_t at = line.size();
    for (int tries = 0; tries < most_tries && at > 1; ++tries) {
        at = line.rfind("{\"", at - 1);
        if (at == std::string_view::npos || at == 0)
            break;
        const Json rest = Json::parse(line.substr(at), nullptr, false);
        if (rest.is_discarded())
            continue;
        if (auto record = read_json(rest))
            return placed(std::move(*record), at);
    }
    return tl::unexpected<std::string>("torn, or no JSON");
}

std::optional<std::size_t> Transcript::job(const std::string& id, std::string_view line) {
    if (jobs_.size() >= most_jobs && !job_by_id_.contains(id)) {
        anomaly("more jobs than any boot has", line);
        return std::nullopt;
    }
    const auto [at, is_new] = job_by_id_.try_emplace(id, jobs_.size());
    if (is_new) {
        jobs_.emplace_back().id = id;
        unfinished_.emplace_back();
    }
    return at->second;
}

void Transcript::anomaly(std::string what, std::string_view line) {
    ++anomaly_count_;
    if (anomalies_.size() < most_anomalies)
        anomalies_.push_back({lines_, std::move(what), begin_of(line)});
}

void Transcript::flush(std::size_t job) {
    Unfinished rest = std::exchange(unfinished_[job], {});
    for (std::string* text : {&rest.out, &rest.err})
        if (!text->empty())
            jobs_[job].output += *text + '\n';
}

void Transcript::note(const transcript::Record& record, std::string_view line) {
    using namespace transcript;
    struct Taker {
        Transcript& to;
        std::string_view line;

        void operator()(const Hello& hello) const {
            ++to.hellos_;
            if (to.hellos_ > 1)
                to.anomaly("a second hello: the guest has started again", line);
            else
                to.vitals_ = hello.vitals;
            if (hello.protocol != protocol::version)
                to.anomaly(fmt::format("the agent speaks protocol {}, kmatrix {}", hello.protocol,
                                       protocol::version),
                           line);
        }
        void operator()(const Note& note) const {
            if (to.notes_.size() < most_notes)
                to.notes_.push_back(note.message);
        }
        void operator()(const Started& started) const {
            const auto at = to.job(started.id, line);
            if (!at)
                return;
            JobOutcome& job = to.jobs_[*at];
            if (to.running_)
                to.anomaly("a job starts before the one before it has ended", line);
            if (job.started || job.end) {
                to.anomaly("a job starts for a second time", line);
                return;
            }
            job.started = true;
            job.started_uptime_s = started.uptime_s;
            to.running_ = at;
        }
        void operator()(const Output& output) const {
            const auto known = to.job(output.id, line);
            if (!known)
                return;
            const std::size_t at = *known;
            JobOutcome& job = to.jobs_[at];
            if (to.output_bytes_ + output.text.size() > most_output_bytes) {
                to.anomaly("more output than is kept", line);
                return;
            }
            to.output_bytes_ += output.text.size();
            if (!job.started || job.end)
                to.anomaly("output of a job that does not run", line);
            if (!output.is_stderr)
                job.out += output.text;
            // One stream's half line must not tear the other's lines.
            std::string& rest = output.is_stderr ? to.unfinished_[at].err : to.unfinished_[at].out;
            const std::size_t newline = output.text.rfind('\n');
            if (newline == std::string::npos) {
                rest += output.text;
            } else {
                job.output += std::exchange(rest, output.text.substr(newline + 1));
                job.output.append(output.text, 0, newline + 1);
            }
            if (job.end)
                to.flush(at);
        }
        void operator()(const Ended& ended) const {
            const auto known = to.job(ended.id, line);
            if (!known)
                return;
            const std::size_t at = *known;
            JobOutcome& job = to.jobs_[at];
            if (job.end) {
                to.anomaly("a job ends for a second time", line);
                return;
            }
            if (!job.started)
                to.anomaly("a job ends that did not start", line);
            job.end = ended;
            to.flush(at);
            if (to.running_ == at)
                to.running_.reset();
        }
        void operator()(const AgentFailed& failed) const {
            if (to.agent_error_.empty())
                to.agent_error_ = failed.message.empty() ? "no reason given" : failed.message;
        }
        void operator()(const Done&) const {
            if (to.running_)
                to.anomaly("done while a job runs", line);
            to.done_ = true;
        }
    };
    if (done_)
        anomaly("a record after \"done\"", line);
    std::visit(Taker{*this, line}, record);
}

void Transcript::read_line(std::string_view line, std::vector<transcript::Record>& records) {
    ++lines_;
    const std::string_view text = trim(line);
    if (text.empty() && !cut_)
        return;
    auto read = transcript::read_record(text);
    if (!read) {
        anomaly(cut_ ? "longer than any record" : std::move(read.error()), text);
    } else {
        if (cut_ || read->at > 0)
            anomaly("a torn record before a good one", text);
        last_record_ = begin_of(text.substr(read->at));
        note(read->record, text);
        records.push_back(std::move(read->record));
    }
    cut_ = false;
}

std::vector<transcript::Record> Transcript::feed(std::string_view bytes) {
    std::vector<transcript::Record> records;
    while (!bytes.empty()) {
        const std::size_t newline = bytes.find('\n');
        const std::string_view part = bytes.substr(0, newline);
        line_ += part;
        if (newline == std::string_view::npos) {
            if (line_.size() > longest_record) { // a record may still follow in its end
                line_.erase(0, line_.size() - kept_of_longer);
                cut_ = true;
            }
            return records;
        }
        read_line(line_, records);
        line_.clear();
        bytes.remove_prefix(newline + 1);
    }
    return records;
}

std::vector<transcript::Record> Transcript::finish() {
    std::vector<transcript::Record> records;
    if (!line_.empty())
        read_line(std::exchange(line_, {}), records);
    for (std::size_t at = 0; at < jobs_.size(); ++at)
        flush(at);
    return records;
}

const JobOutcome* Transcript::find(const std::string& id) const {
    const auto at = job_by_id_.find(id);
    return at == job_by_id_.end() ? nullptr : &jobs_[at->second];
}

const JobOutcome* Transcript::running() const {
    return running_ ? &jobs_[*running_] : nullptr;
}

} // namespace kmatrix
