// SPDX-License-Identifier: GPL-2.0-only
// How long a plan will take: what earlier runs took on this machine, or else a first guess.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "matrix/host.h"
#include "matrix/matrix.h"

namespace kmatrix {

// Seconds that things took, by duration_key(). Kept from run to run as JSON:
// {"version": 1, "seconds": {"build/x86_64/default/gcc/baseline": 218.4, ...}}
struct Durations {
    std::map<std::string, double> seconds;
};

// Errors: no such JSON. Single values that are no durations are left out.
Result<Durations> parse_durations(std::string_view json);
std::string durations_json(const Durations& durations);

// Notes what something took. Each time counts as much as all before it together, so that the
// estimate follows a machine that changes. Not for work that a cache or an error cut short.
void learn(Durations& durations, const std::string& key, double seconds);

// What builds and boots are remembered by: the same key, about the same time. A boot's key has what
// runs in it, so that an edited matrix file is guessed anew rather than wrongly remembered.
std::string duration_key(const BuildKey& build, Kernel kernel);
std::string duration_key(const Matrix& matrix, const PlannedBoot& boot, const Host& host);

struct Expected {
    double seconds = 0;
    bool measured = false; // by an earlier run; otherwise a guess
};
Expected expected(const BuildKey& build, Kernel kernel, const Durations& durations,
                  const Host& host);
Expected expected(const Matrix& matrix, const PlannedBoot& boot, const Durations& durations,
                  const Host& host);

// The whole plan, one thing after the other and with nothing in the build cache.
struct Estimate {
    double builds_s = 0, boots_s = 0;
    int measured = 0, guessed = 0; // how many of its parts are which

    double seconds() const { return builds_s + boots_s; }
};
Estimate estimate(const Matrix& matrix, const Plan& plan, const Durations& durations,
                  const Host& host);

} // namespace kmatrix
