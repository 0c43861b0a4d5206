// SPDX-License-Identifier: GPL-2.0-only
// Which series are tested: rules of the watch file, and what they look at.
#pragma once

#include <string>
#include <vector>

#include "runner/series/series.h"

namespace kmatrix::watch {

// Patterns are globs as fnmatch(3) has them, upper and lower case alike but in paths: `*` is any
// text, slashes too. A key without patterns holds for everything; a key with several holds where
// one of them fits; a rule holds where all of its keys do.
struct Rule {
    std::string name = {};
    std::vector<std::string> lists = {};   // an inbox's name, or an address in To or Cc
    std::vector<std::string> files = {};   // "mm/" is everything below it
    std::vector<std::string> subject = {}; // of any of its mails, as sent: "[PATCH v2 0/3] mm: x"
    std::vector<std::string> not_subject = {};
    std::vector<std::string> author = {}; // of any of its mails: "Name <address>"
    std::vector<std::string> not_author = {};
    int priority = 0;
    std::string matrix = {};                 // instead of [run]'s; empty: that
    std::vector<std::string> arguments = {}; // after [run]'s
};

// What a rule looks at of a series.
struct Facts {
    std::vector<std::string> lists, files, subjects, authors;
};
Facts facts_of(const std::string& inbox, const std::vector<SeriesMail>& mails);

bool holds(const Rule& rule, const Facts& facts);
// The first that holds, or nullptr.
const Rule* chosen(const std::vector<Rule>& rules, const Facts& facts);

} // namespace kmatrix::watch
