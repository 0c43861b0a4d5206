// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/plan.h"

#include <nlohmann/json.hpp>

#include "images/protocol.h"

namespace kmatrix::guest {
namespace {

using AnyJson = nlohmann::json;

Job read_job(const AnyJson& value) {
    Job job;
    value.at("id").get_to(job.id);
    value.at("argv").get_to(job.argv);
    value.at("cwd").get_to(job.cwd);
    value.at("timeout_s").get_to(job.timeout_s);
    if (const auto environment = value.find("environment"); environment != value.end()) {
        environment->get_to(job.environment);
    }
    return job;
}

} // namespace

Expected<Plan> parse_plan(std::string_view text) {
    Plan plan;
    try {
        const AnyJson root = AnyJson::parse(text);
        if (const int version = root.at("protocol").get<int>(); version != protocol::version) {
            return tl::unexpected("the plan has protocol " + std::to_string(version) +
                                  ", and this agent speaks " + std::to_string(protocol::version));
        }
        if (const auto sysctls = root.find("sysctls"); sysctls != root.end()) {
            for (const auto& [name, value] : sysctls->get<std::map<std::string, std::string>>()) {
                plan.sysctls.emplace_back(name, value);
            }
        }
        for (const AnyJson& value : root.at("jobs")) {
            plan.jobs.push_back(read_job(value));
            if (plan.jobs.back().argv.empty()) {
                return tl::unexpected("job " + plan.jobs.back().id + " has an empty argv");
            }
        }
    } catch (const AnyJson::exception& error) {
        return tl::unexpected(std::string("the plan cannot be read: ") + error.what());
    }
    return plan;
}

} // namespace kmatrix::guest
