// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/writing.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kmatrix::ktap {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t shown_diagnostics = 20;

std::array<std::pair<const char*, std::size_t>, 8> named(const Counts& counts) {
    return {{{"pass", counts.pass},
             {"fail", counts.fail},
             {"timeout", counts.timeout},
             {"error", counts.error},
             {"missing", counts.missing},
             {"skip", counts.skip},
             {"xfail", counts.xfail},
             {"xpass", counts.xpass}}};
}

Json to_json(const std::vector<Test>& tests) {
    Json list = Json::array();
    for (const Test& test : tests) {
        Json json = Json::object(); // member by member: an initializer list would copy the children
        json["name"] = test.name;
        json["status"] = test.status;
        json["effective"] = test.effective;
        json["reason"] = test.reason;
        json["diagnostics"] = test.diagnostics;
        json["children"] = to_json(test.children);
        list.push_back(std::move(json));
    }
    return list;
}

Json to_json(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json();
}

bool went_wrong(const Test& test) {
    return test.effective == "fail" || test.effective == "timeout" || test.effective == "error" ||
           test.effective == "missing";
}

void write(const std::vector<Test>& tests, std::size_t depth, std::string& text) {
    for (const Test& test : tests) {
        const std::string indent(2 * depth, ' ');
        text += fmt::format("{}{:<7} {}", indent, test.effective, test.name);
        if (!test.reason.empty())
            text += fmt::format(" ({})", test.reason);
        if (test.effective != test.status)
            text += fmt::format(" [its line says {}]", test.status);
        text += '\n';
        const bool shown_below =
            std::any_of(test.children.begin(), test.children.end(), went_wrong);
        if (went_wrong(test) && !shown_below) {
            const std::size_t all = test.diagnostics.size();
            const std::size_t first = all > shown_diagnostics ? all - shown_diagnostics : 0;
            if (first > 0)
                text += fmt::format("{}        | [{} lines before]\n", indent, first);
            for (std::size_t i = first; i < all; ++i)
                text += fmt::format("{}        | {}\n", indent, test.diagnostics[i]);
        }
        write(test.children, depth + 1, text);
    }
}

} // namespace

std::string json_text(const Report& report) {
    Json counts = Json::object();
    for (const auto& [status, tests] : named(count(report.tests)))
        counts[status] = tests;
    Json json = Json::object();
    json["effective"] = report.effective;
    json["bail_out"] = to_json(report.bail_out);
    json["skip"] = to_json(report.skip);
    json["counts"] = std::move(counts);
    json["notes"] = report.notes;
    json["tests"] = to_json(report.tests);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string plain_text(const Report& report) {
    std::string text;
    write(report.tests, 0, text);
    for (const std::string& note : report.notes)
        text += fmt::format("note: {}\n", note);
    if (report.bail_out)
        text += fmt::format("Bail out! {}\n", *report.bail_out);
    if (report.skip && report.tests.empty())
        text += fmt::format("skipped as a whole: {}\n",
                            report.skip->empty() ? "no reason given" : *report.skip);
    const Counts counts = count(report.tests);
    text += fmt::format("{}: {} result{}", report.effective, counts.all(),
                        counts.all() == 1 ? "" : "s");
    const char* separator = ": ";
    for (const auto& [status, tests] : named(counts)) {
        if (tests == 0)
            continue;
        text += fmt::format("{}{} {}", std::exchange(separator, ", "), tests, status);
    }
    return text + '\n';
}

Printed print_file(std::string_view content, const std::string& file, bool json) {
    const Report report = parse(content);
    Printed printed;
    if (report.empty())
        printed.error = Error{
            Blame::user,
            fmt::format("{}: no KTAP result in it: neither \"ok\" nor \"not ok\" begins a line{}; "
                        "give the output of a test, or a console that holds it",
                        file, report.bail_out ? ", it bailed out before the first" : ""),
            {},
            {}};
    if (json)
        printed.text = json_text(report);
    else if (!report.empty())
        printed.text = plain_text(report);
    return printed;
}

} // namespace kmatrix::ktap
