// SPDX-License-Identifier: GPL-2.0-only
// Builds the tree of results from lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/ktap/grammar.h"
#include "results/ktap/ktap.h"
#include "results/ktap/line.h"
#include "results/ktap/lines.h"
#include "results/ktap/result_line.h"
#include "results/ktap/scope.h"

namespace kmatrix::ktap {

// The levels that are open, by column. A result closes those to its right: they are its children.
class Tree {
  public:
    void line(std::string_view raw);
    Report finish();

  private:
    Position piece(std::string_view text, const std::optional<Position>& before);
    void content(Position at, std::string_view text);
    void other(const Position& at, std::string_view text);
    bool announcement(const Position& at, std::string_view text);
    bool reckoning(const Position& at, std::string_view text);
    bool harness(const Position& at, std::string_view text);
    void result(const Position& at, const ResultLine& line, std::string_view text);
    void unnumbered(const Position& at, std::string_view text);
    void plan(const Position& at, const PlanLine& line);
    void subtest(std::size_t column, std::string_view name);
    void words(const Position& at, std::string_view text);

    std::vector<Scope>::iterator place_of(std::size_t column);
    Scope* at_column(std::size_t column); // that level, if it is open
    Scope* around(std::size_t column);    // the innermost that holds this column
    Scope& open(std::size_t column);      // that level, opened if need be
    Closed gather(std::size_t column, bool with_itself = false);
    void end_announced(Scope& scope, Closed&& inner);
    std::size_t tests_below(std::size_t column);

    std::vector<Scope> scopes_; // columns ascending
    Lines before_all_;          // text before the first sign of KTAP
    // Lines "ok" and "not ok" without number where nothing has yet said that results stand there.
    std::vector<std::string> unnumbered_;
    std::size_t unnumbered_column_ = 0;
};

} // namespace kmatrix::ktap
