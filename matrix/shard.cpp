// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/shard.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/estimate.h"

namespace kmatrix {
namespace {

// A shorter longest part is worth a kernel built twice only from here on.
constexpr double worth_a_build = 0.9;

// Cells of one build that stay together.
struct Piece {
    BuildKey build;
    double build_s = 0;
    std::vector<std::size_t> cells;
    double boots_s = 0;

    double seconds() const { return build_s + boots_s; }
};

struct Part {
    std::map<BuildKey, double> builds_s;
    double boots_s = 0;
    std::vector<std::size_t> cells;

    double seconds() const {
        double sum = boots_s;
        for (const auto& [key, build_s] : builds_s)
            sum += build_s;
        return sum;
    }
    double seconds_with(const Piece& piece) const {
        return seconds() + piece.boots_s + (builds_s.contains(piece.build) ? 0 : piece.build_s);
    }
    void add(const Piece& piece) {
        builds_s.emplace(piece.build, piece.build_s);
        boots_s += piece.boots_s;
        cells.insert(cells.end(), piece.cells.begin(), piece.cells.end());
    }
};

class Division {
  public:
    Division(const Matrix& matrix, std::size_t count) : count_(count) {
        Host host;
        host.cpus = 2;
        const Durations nothing_measured;
        const Plan planned = plan(matrix);
        for (const PlannedBoot& boot : planned.boots)
            boots_s_[boot.cell] += expected(matrix, boot, nothing_measured, host).seconds;
        for (const BuildKey& build : planned.builds) {
            Piece piece;
            piece.build = build;
            for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
                piece.build_s += expected(build, kernel, nothing_measured, host).seconds;
            for (std::size_t i = 0; i < matrix.cells.size(); ++i)
                if (matrix.cells[i].build() == build)
                    piece.cells.push_back(i);
            weigh(piece);
            pieces_.push_back(std::move(piece));
        }
    }

    std::vector<Part> parts() const {
        std::vector<Piece> pieces = pieces_;
        std::vector<Part> best = dealt(pieces);
        while (const auto divisible = to_divide(pieces, best)) {
            divide(pieces, *divisible);
            std::vector<Part> next = dealt(pieces);
            if (!has_empty(best) && longest_s(next) >= worth_a_build * longest_s(best))
                break;
            best = std::move(next);
        }
        return best;
    }

  private:
    void weigh(Piece& piece) const {
        piece.boots_s = 0;
        for (const std::size_t cell : piece.cells)
            if (const auto found = boots_s_.find(cell); found != boots_s_.end())
                piece.boots_s += found->second;
    }

    std::vector<Part> dealt(std::vector<Piece> pieces) const {
        std::stable_sort(pieces.begin(), pieces.end(),
                         [](const Piece& a, const Piece& b) { return a.seconds() > b.seconds(); });
        std::vector<Part> parts(count_);
        for (const Piece& piece : pieces)
            std::min_element(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
                return a.seconds_with(piece) < b.seconds_with(piece);
            })->add(piece);
        for (Part& part : parts)
            std::sort(part.cells.begin(), part.cells.end());
        return parts;
    }

    static bool has_empty(const std::vector<Part>& parts) {
        return std::any_of(parts.begin(), parts.end(),
                           [](const Part& part) { return part.cells.empty(); });
    }

    static double longest_s(const std::vector<Part>& parts) {
        double longest = 0;
        for (const Part& part : parts)
            longest = std::max(longest, part.seconds());
        return longest;
    }

    // The heaviest piece that can be halved: of the longest part or, while a part is empty, of all.
    static std::optional<std::size_t> to_divide(const std::vector<Piece>& pieces,
                                                const std::vector<Part>& parts) {
        const auto longest =
            std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
                return a.seconds() < b.seconds();
            });
        const bool anywhere = has_empty(parts);
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const Piece& piece = pieces[i];
            const bool here =
                anywhere || std::binary_search(longest->cells.begin(), longest->cells.end(),
                                               piece.cells.front());
            if (here && piece.cells.size() > 1 &&
                (!found || piece.boots_s > pieces[*found].boots_s))
                found = i;
        }
        return found;
    }

    // Where its two sides weigh the most alike.
    void divide(std::vector<Piece>& pieces, std::size_t index) const {
        Piece best_first;
        Piece best_second;
        for (std::size_t at = 1; at < pieces[index].cells.size(); ++at) {
            Piece first = pieces[index];
            Piece second = pieces[index];
            const auto middle = static_cast<std::ptrdiff_t>(at);
            first.cells.erase(first.cells.begin() + middle, first.cells.end());
            second.cells.erase(second.cells.begin(), second.cells.begin() + middle);
            weigh(first);
            weigh(second);
            if (best_first.cells.empty() || std::max(first.boots_s, second.boots_s) <
                                                std::max(best_first.boots_s, best_second.boots_s)) {
                best_first = std::move(first);
                best_second = std::move(second);
            }
        }
        pieces[index] = std::move(best_first);
        pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                      std::move(best_second));
    }

    std::size_t count_;
    std::map<std::size_t, double> boots_s_; // by cell
    std::vector<Piece> pieces_;             // one for each build
};

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::string to_string(const Shard& shard) {
    return shard.of == 0 ? "" : fmt::format("{}/{}", shard.number, shard.of);
}

Result<Shard> parse_shard(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash != std::string_view::npos) {
        const auto first = number(text.substr(0, slash));
        const auto second = number(text.substr(slash + 1));
        if (first && second && *first >= 1 && *first <= *second)
            return Shard{*first, *second};
    }
    return user_error(
        fmt::format("\"{}\": no shard; expected K/N with K from 1 to N, as 2/3", printable(text)));
}

std::vector<std::vector<std::size_t>> shards(const Matrix& matrix, std::size_t count) {
    assert(count >= 1 && count <= matrix.cells.size());
    std::vector<std::vector<std::size_t>> cells;
    cells.reserve(count);
    for (Part& part : Division(matrix, count).parts())
        cells.push_back(std::move(part.cells));
    return cells;
}

Result<Matrix> narrow_to_shard(Matrix matrix, const Shard& shard) {
    if (shard.of == 0)
        return matrix;
    const auto count = static_cast<std::size_t>(shard.of);
    if (count > matrix.cells.size())
        return user_error(fmt::format("shard {}: {} has {} cell{} to run, and a shard without any "
                                      "would say nothing; use at most {} shard{}",
                                      to_string(shard), matrix.name, matrix.cells.size(),
                                      matrix.cells.size() == 1 ? "" : "s", matrix.cells.size(),
                                      matrix.cells.size() == 1 ? "" : "s"));
    const auto parts = shards(matrix, count);
    const auto& chosen_cells = parts[static_cast<std::size_t>(shard.number) - 1];
    std::vector<Cell> cells;
    cells.reserve(chosen_cells.size());
    for (const std::size_t cell : chosen_cells)
        cells.push_back(std::move(matrix.cells[cell]));
    matrix.cells = std::move(cells);
    return matrix;
}

} // namespace kmatrix
