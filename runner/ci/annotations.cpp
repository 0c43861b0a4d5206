// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ci/annotations.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "runner/build/build_log.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_bytes_of_a_message = 4000;

using Level = Annotation::Level;

class Collection {
  public:
    void add(Annotation annotation) {
        const bool known = std::any_of(all_.begin(), all_.end(), [&](const Annotation& other) {
            return other.file == annotation.file && other.line == annotation.line &&
                   other.message == annotation.message;
        });
        if (!known)
            all_.push_back(std::move(annotation));
    }
    std::vector<Annotation> all() && { return std::move(all_); }

  private:
    std::vector<Annotation> all_;
};

Level level_of(bool gates) {
    return gates ? Level::error : Level::warning;
}

Annotation verdict_of(const Comparison& comparison) {
    return {comparison.outcome == Outcome::as_wanted ? Level::notice : Level::error,
            {},
            0,
            "kmatrix",
            comparison.verdict};
}

Annotation annotation_of(const Regression& regression) {
    Annotation annotation;
    annotation.level = level_of(regression.gates);
    annotation.title = fmt::format("kmatrix: {}", regression.cell);
    annotation.message = regression.what;
    if (!regression.line.empty() && regression.what.find(regression.line) == std::string::npos)
        annotation.message += ": " + regression.line;
    if (regression.lane == Lane::build)
        if (auto place = place_of(regression.line)) {
            annotation.file = std::move(place->file);
            annotation.line = place->line;
            annotation.message = regression.line;
        }
    return annotation;
}

// Not data(): for a string that would be std::data().
std::string escaped_data(std::string_view text) {
    std::string escaped;
    for (const char c : printable(text.substr(0, most_bytes_of_a_message))) {
        if (c == '%')
            escaped += "%25";
        else if (c == '\n')
            escaped += "%0A";
        else
            escaped += c;
    }
    return escaped;
}

std::string escaped_property(std::string_view text) {
    std::string escaped;
    for (const char c : escaped_data(text)) {
        if (c == ':')
            escaped += "%3A";
        else if (c == ',')
            escaped += "%2C";
        else
            escaped += c;
    }
    return escaped;
}

std::string_view command_of(Level level) {
    switch (level) {
    case Level::error:
        return "error";
    case Level::warning:
        return "warning";
    case Level::notice:
        return "notice";
    }
    return "notice";
}

std::string command(const Annotation& annotation) {
    std::vector<std::string> properties;
    if (!annotation.file.empty())
        properties.push_back("file=" + escaped_property(annotation.file));
    if (!annotation.file.empty() && annotation.line > 0)
        properties.push_back(fmt::format("line={}", annotation.line));
    if (!annotation.title.empty())
        properties.push_back("title=" + escaped_property(annotation.title));
    return fmt::format("::{}{}{}::{}\n", command_of(annotation.level),
                       properties.empty() ? "" : " ", join(properties, ","),
                       escaped_data(annotation.message));
}

} // namespace

std::vector<Annotation>
annotations_of(const RunResult& run, const Comparison& comparison,
               const std::function<std::string(const std::filesystem::path&)>& log) {
    Collection collection;
    collection.add(verdict_of(comparison));
    for (const Regression& regression : comparison.regressions)
        if (regression.lane != Lane::warning)
            collection.add(annotation_of(regression));
    for (const BuildComparison& build : comparison.builds) {
        if (build.new_warnings.empty())
            continue;
        const std::string text = log(build.side.patched.log);
        for (const Warning& warning : build.new_warnings)
            collection.add({level_of(run.matrix.gate.warnings), warning.file,
                            warning.file.empty() ? 0 : line_of(text, warning),
                            fmt::format("kmatrix: {}", name(build.key)),
                            warning.option.empty()
                                ? warning.message
                                : fmt::format("{} [{}]", warning.message, warning.option)});
    }
    return std::move(collection).all();
}

std::string workflow_commands(const std::vector<Annotation>& annotations) {
    std::string text;
    std::map<Level, std::size_t> shown;
    std::size_t left = 0;
    for (const Annotation& annotation : annotations) {
        if (shown[annotation.level]++ < annotations_of_a_level)
            text += command(annotation);
        else
            ++left;
    }
    if (left > 0)
        text += fmt::format("kmatrix: {} more of these are in the report, beyond the {} of a kind "
                            "that GitHub shows\n",
                            left, annotations_of_a_level);
    return text;
}

std::string stop_commands(std::string_view token) {
    return fmt::format("::stop-commands::{}\n", token);
}

std::string resume_commands(std::string_view token) {
    return fmt::format("::{}::\n", token);
}

std::string code_quality_json(const std::vector<Annotation>& annotations) {
    nlohmann::json report = nlohmann::json::array();
    for (const Annotation& annotation : annotations) {
        if (annotation.file.empty())
            continue;
        report.push_back(
            {{"description", printable(annotation.message)},
             {"check_name", annotation.title},
             {"fingerprint", sha256(fmt::format("{}\n{}\n{}", annotation.file, annotation.line,
                                                annotation.message))},
             {"severity", annotation.level == Level::error ? "critical" : "minor"},
             {"location",
              {{"path", annotation.file}, {"lines", {{"begin", std::max(1, annotation.line)}}}}}});
    }
    return report.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace kmatrix
