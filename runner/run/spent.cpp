// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/spent.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace kmatrix {

double Bound::seconds() const {
    return std::max({cpu_s, chain_s, alone_s});
}

Bound bound(const Spent& spent) {
    Bound least;
    std::map<std::string, double> end_s; // of each task, if only its chain counted
    for (const TaskCost& task : spent.tasks) {
        double begin_s = 0;
        for (const std::string& before : task.after)
            begin_s = std::max(begin_s, end_s[before]);
        end_s[task.id] = begin_s + task.seconds;
        least.chain_s = std::max(least.chain_s, end_s[task.id]);
        least.cpu_s += task.cpu_s / std::max(1, spent.cpus);
        if (task.alone)
            least.alone_s += task.seconds;
    }
    return least;
}

std::string spent_text(const Spent& spent) {
    const Bound least = bound(spent);
    const double seconds = least.seconds();
    const std::string why = seconds <= least.cpu_s
                                ? fmt::format("the CPU time of its work on {} CPUs", spent.cpus)
                            : seconds <= least.chain_s ? "its longest chain of build and boot"
                                                       : "its boots that must be alone";
    std::string text = duration_text(spent.wall_s);
    if (seconds > 0)
        text += fmt::format(", {:.2f} times the least possible here ({}: {})",
                            spent.wall_s / seconds, duration_text(seconds), why);
    return text + (spent.repeated_s > 0
                       ? fmt::format("; {} of it for boots that had to be repeated",
                                     duration_text(spent.repeated_s))
                       : "; nothing was done twice");
}

std::string spent_json(const Spent& spent) {
    const Bound least = bound(spent);
    auto tasks = nlohmann::ordered_json::array();
    for (const TaskCost& task : spent.tasks)
        tasks.push_back({{"id", task.id},
                         {"begin_s", task.begin_s},
                         {"seconds", task.seconds},
                         {"cpu_s", task.cpu_s},
                         {"alone", task.alone},
                         {"after", task.after}});
    const nlohmann::ordered_json all = {{"version", 1},
                                        {"wall_s", spent.wall_s},
                                        {"cpus", spent.cpus},
                                        {"repeated_s", spent.repeated_s},
                                        {"bound",
                                         {{"seconds", least.seconds()},
                                          {"cpu_s", least.cpu_s},
                                          {"chain_s", least.chain_s},
                                          {"alone_s", least.alone_s}}},
                                        {"tasks", tasks}};
    return all.dump(2) + "\n";
}

} // namespace kmatrix
