// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/points.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/config_value.h"

namespace kmatrix {
namespace {

constexpr std::size_t most_points = 1024;

// The values of one axis as the file lists them.
struct AxisValues {
    const Axis* axis = nullptr;
    std::vector<Placed<std::string>> values; // as Axis::get writes them
};

// Reads one value of an axis into `axes`. False: it was wrong, and complained of.
bool read_value(const Axis& axis, const toml::node& node, const std::string& section,
                const Surroundings& surroundings, Complaints& complaints, Axes& axes) {
    const std::string key = fmt::format("{}.{}", section, axis.name);
    const auto refuse = [&](const std::string& message) {
        complaints.add(node.source().begin, key, message);
        return false;
    };
    std::string value;
    if (axis.number && node.is_integer())
        value = std::to_string(node.as_integer()->get());
    else if (!axis.number && node.is_string())
        value = node.as_string()->get();
    else
        return refuse(found_is(node) +
                      (axis.number ? ", expected an integer" : ", expected a string"));
    if (axis.name == "config")
        value = resolve_config(value, surroundings.directory);
    if (const std::optional<std::string> expected = axis.set(axes, value))
        return refuse(found_text(node) + ": " + *expected);
    if (axis.name == "config" && surroundings.fragments)
        if (const auto missing = missing_in_config(value, *surroundings.fragments))
            return refuse(found_text(node) + ": " + *missing);
    return true;
}

std::vector<AxisValues> read_axes(const toml::table& table, const Surroundings& surroundings,
                                  Complaints& complaints) {
    std::vector<AxisValues> all;
    TableReader reader(table, "axes", complaints);
    for (const Axis& axis : all_axes()) {
        AxisValues values{&axis, {}};
        const toml::node* node = reader.take(axis.name);
        const toml::array* list = node == nullptr ? nullptr : node->as_array();
        if (node == nullptr)
            values.values.push_back({axis.get(Axes{}), reader.place()});
        else if (list == nullptr)
            reader.refuse(axis.name, fmt::format("expected a list, as {}",
                                                 axis.number ? "[4, 8]" : "[\"...\"]"));
        else if (list->empty())
            reader.refuse(axis.name, "is empty; expected at least one value, or no such key for "
                                     "the default");
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            Axes axes;
            const toml::node& element = (*list)[i];
            if (!read_value(axis, element, "axes", surroundings, complaints, axes))
                continue;
            const std::string value = axis.get(axes);
            const bool twice = std::any_of(values.values.begin(), values.values.end(),
                                           [&](const auto& v) { return v.value == value; });
            if (twice)
                complaints.add(element.source().begin, fmt::format("axes.{}", axis.name),
                               fmt::format("{} stands there twice", found_text(element)));
            else
                values.values.push_back({value, element.source().begin});
        }
        all.push_back(std::move(values));
    }
    reader.finish();
    if (table.empty())
        complaints.add(reader.place(), "axes",
                       "names no axis; expected at least one of " + join(axis_names(), ", "));
    return all;
}

std::vector<Point> product(const std::vector<AxisValues>& all, Place section_place,
                           Complaints& complaints) {
    std::vector<Point> points{Point{{}, "axes", section_place, {}, {}, {}}};
    for (const AxisValues& axis : all) {
        std::vector<Point> grown;
        if (points.size() * axis.values.size() > most_points) {
            complaints.add(section_place, "axes",
                           fmt::format("more than {} cells, expected fewer", most_points));
            return {};
        }
        for (const Point& point : points) {
            for (const Placed<std::string>& value : axis.values) {
                grown.push_back(point);
                axis.axis->set(grown.back().axes, value.value);
                grown.back().value_places.push_back(value.place);
            }
        }
        points = std::move(grown);
    }
    return points;
}

// The values that an [[exclude]] names for one axis: one, or a list.
std::vector<std::string> excluded_values(const AxisValues& axis, const toml::node& node,
                                         const std::filesystem::path& directory,
                                         Complaints& complaints) {
    std::vector<const toml::node*> nodes{&node};
    if (const toml::array* list = node.as_array()) {
        nodes.clear();
        for (const toml::node& element : *list)
            nodes.push_back(&element);
    }
    std::vector<std::string> values;
    for (const toml::node* element : nodes) {
        Axes axes;
        if (!read_value(*axis.axis, *element, "exclude", {directory, std::nullopt}, complaints,
                        axes))
            continue;
        std::vector<std::string> known;
        for (const Placed<std::string>& value : axis.values)
            known.push_back(value.value);
        values.push_back(axis.axis->get(axes));
        if (!known.empty() && std::find(known.begin(), known.end(), values.back()) == known.end())
            complaints.add(element->source().begin, fmt::format("exclude.{}", axis.axis->name),
                           fmt::format("{} excludes nothing: the axis has {}", found_text(*element),
                                       join(known, ", ")));
    }
    return values;
}

void exclude(const toml::table& table, const std::vector<AxisValues>& all,
             const std::filesystem::path& directory, std::vector<Point>& points,
             Complaints& complaints) {
    TableReader reader(table, "exclude", complaints);
    std::vector<std::pair<const Axis*, std::vector<std::string>>> wanted;
    bool sound = true;
    for (const AxisValues& axis : all) {
        const toml::node* node = reader.take(axis.axis->name);
        if (node == nullptr)
            continue;
        wanted.emplace_back(axis.axis, excluded_values(axis, *node, directory, complaints));
        const auto in_axis = [&](const std::string& value) {
            return std::any_of(axis.values.begin(), axis.values.end(),
                               [&](const auto& v) { return v.value == value; });
        };
        sound = sound && !wanted.back().second.empty() &&
                std::all_of(wanted.back().second.begin(), wanted.back().second.end(), in_axis);
    }
    reader.finish();
    if (wanted.empty()) {
        complaints.add(reader.place(), "exclude",
                       "names no axis; expected at least one of " + join(axis_names(), ", "));
        return;
    }
    const std::size_t excluded = std::erase_if(points, [&](const Point& point) {
        return std::all_of(wanted.begin(), wanted.end(), [&](const auto& axis) {
            return std::find(axis.second.begin(), axis.second.end(), axis.first->get(point.axes)) !=
                   axis.second.end();
        });
    });
    if (excluded == 0 && sound)
        complaints.add(reader.place(), "exclude",
                       "excludes nothing: no cell of [axes] that is left has all of it");
}

Point read_include(const toml::table& table, const std::vector<AxisValues>& all,
                   const Surroundings& surroundings, Complaints& complaints, bool& sound) {
    Point point{{}, "include", table.source().begin, {}, {}, {}};
    TableReader reader(table, "include", complaints);
    for (const AxisValues& axis : all) {
        const toml::node* node = reader.take(axis.axis->name);
        point.value_places.push_back(reader.place(axis.axis->name));
        if (node == nullptr && !axis.values.empty())
            axis.axis->set(point.axes, axis.values.front().value);
        else if (node != nullptr && node->is_array())
            reader.refuse(axis.axis->name, "is a list, expected one value: an include is one cell");
        if (node != nullptr &&
            (node->is_array() ||
             !read_value(*axis.axis, *node, "include", surroundings, complaints, point.axes)))
            sound = false;
    }
    point.selftests = reader.texts("selftests");
    point.benchmarks = reader.texts("benchmarks");
    reader.finish();
    return point;
}

void check_fragments(const Point& point, const Surroundings& surroundings, Complaints& complaints) {
    if (!surroundings.fragments)
        return;
    const auto missing =
        missing_for_arch(point.axes.config, point.axes.arch, *surroundings.fragments);
    if (missing)
        complaints.add(value_place(point, "config"), point.section + ".config", *missing);
}

} // namespace

Place value_place(const Point& point, std::string_view axis) {
    for (std::size_t i = 0; i < all_axes().size() && i < point.value_places.size(); ++i)
        if (all_axes()[i].name == axis)
            return point.value_places[i];
    return point.place;
}

std::vector<Point> read_points(const toml::table& root, const Surroundings& surroundings,
                               Complaints& complaints) {
    std::vector<AxisValues> all;
    std::vector<Point> points;
    const toml::table* axes = single_table(root, "axes", complaints);
    bool sound = true;
    if (axes != nullptr) {
        all = read_axes(*axes, surroundings, complaints);
        sound = std::none_of(all.begin(), all.end(),
                             [](const AxisValues& axis) { return axis.values.empty(); });
        points = product(all, axes->source().begin, complaints);
    } else {
        for (const Axis& axis : all_axes()) // for the includes, which may stand alone
            all.push_back({&axis, {{axis.get(Axes{}), {}}}});
    }
    for (const toml::table* table : table_array(root, "exclude", most_entries, complaints)) {
        if (axes == nullptr)
            complaints.add(table->source().begin, "exclude",
                           "excludes nothing: there are no [axes] whose cells it could exclude");
        else
            exclude(*table, all, surroundings.directory, points, complaints);
    }
    const std::vector<const toml::table*> includes =
        table_array(root, "include", most_entries, complaints);
    for (const toml::table* table : includes) {
        bool include_sound = sound;
        Point point = read_include(*table, all, surroundings, complaints, include_sound);
        const auto twin = std::find_if(points.begin(), points.end(), [&](const Point& other) {
            return other.axes == point.axes;
        });
        if (include_sound && twin != points.end())
            complaints.add(
                point.place, "include",
                fmt::format("the cell {} is there already, from {} in line {}", cell_id(point.axes),
                            twin->section == "axes" ? "[axes]" : "[[include]]", twin->place.line));
        points.push_back(std::move(point));
    }
    for (const Point& point : points)
        check_fragments(point, surroundings, complaints);
    if (points.empty() && complaints.empty())
        complaints.add({}, "",
                       axes == nullptr ? "no cells; expected [axes] or [[include]]"
                                       : "no cells are left: everything is excluded");
    return points;
}

} // namespace kmatrix
