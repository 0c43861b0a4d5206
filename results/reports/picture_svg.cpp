// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/picture_svg.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <tinyxml2.h>

#include "results/reports/pictures.h"

namespace kmatrix {
namespace {

using tinyxml2::XMLElement;

struct Colour {
    const char* name;  // of the custom property
    const char* drawn; // by gnuplot; none: only pages have it
    const char* light;
    const char* dark;
};

// Text in ink on paper, and words in baseline and patched, have a contrast of at least 4.5 to 1
// (WCAG 2.2, 1.4.3). The two are told apart by those who do not see red and green.
constexpr Colour colours[] = {
    {"ink", picture_colour::ink, "#1b1f24", "#e6e8ea"},
    {"paper", nullptr, "#ffffff", "#14171a"},
    {"faint", picture_colour::faint, "#dde1e5", "#33393f"},
    {"band", picture_colour::band, "#cfd5db", "#3f474f"},
    {"baseline", picture_colour::baseline, "#b35806", "#f5a04c"},
    {"patched", picture_colour::patched, "#1f5fa8", "#6cb2f5"},
};

std::string properties(const char* Colour::* scheme) {
    std::string text;
    for (const Colour& colour : colours)
        text += fmt::format("--{}:{};", colour.name, colour.*scheme);
    return text;
}

// As gnuplot writes a colour, without its spaces.
std::string as_rgb(const char* hex) {
    const unsigned long value = std::strtoul(hex + 1, nullptr, 16);
    return fmt::format("rgb({},{},{})", value >> 16, value >> 8 & 0xFF, value & 0xFF);
}

std::string in_page_colours(std::string value) {
    value.erase(std::remove(value.begin(), value.end(), ' '), value.end());
    if (value == "black")
        value = as_rgb(picture_colour::ink);
    for (const Colour& colour : colours)
        if (colour.drawn && value == as_rgb(colour.drawn))
            return fmt::format("var(--{},{})", colour.name, colour.light);
    return value;
}

class Cleaner {
  public:
    void clean(XMLElement& root) {
        walk(root, false);
        // One may be made of another, which stands before it.
        for (auto mark = marks_.rbegin(); mark != marks_.rend(); ++mark) {
            if (used_.count(std::string("#") + (*mark)->Attribute("id")) != 0)
                use(**mark);
            else
                (*mark)->Parent()->DeleteChild(*mark);
        }
    }

  private:
    void walk(XMLElement& element, bool in_definitions) {
        for (const char* attribute : {"stroke", "fill", "color"})
            if (const char* value = element.Attribute(attribute))
                element.SetAttribute(attribute, in_page_colours(value).c_str());
        if (!in_definitions)
            use(element);
        const bool defines = std::string_view(element.Name()) == "defs";
        for (XMLElement* child = element.FirstChildElement(); child != nullptr;) {
            XMLElement* next = child->NextSiblingElement();
            const std::string_view name = child->Name();
            if (name == "title" || name == "desc" || (name == "g" && child->NoChildren())) {
                element.DeleteChild(child);
            } else {
                if (defines && child->Attribute("id") != nullptr)
                    marks_.push_back(child);
                walk(*child, in_definitions || defines);
            }
            child = next;
        }
    }

    void use(const XMLElement& element) {
        if (const char* value = element.Attribute("xlink:href"))
            used_.insert(value);
    }

    std::set<std::string> used_; // "#gpPt6"
    std::vector<XMLElement*> marks_;
};

} // namespace

std::string colours_css() {
    return fmt::format(
        ":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
        properties(&Colour::light), properties(&Colour::dark));
}

Result<std::string> picture_svg(const std::string& from_gnuplot) {
    tinyxml2::XMLDocument document;
    if (document.Parse(from_gnuplot.data(), from_gnuplot.size()) != tinyxml2::XML_SUCCESS)
        return infrastructure_error(
            fmt::format("what gnuplot wrote is no XML: {}", document.ErrorStr()));
    XMLElement* root = document.RootElement();
    if (root == nullptr || std::string_view(root->Name()) != "svg")
        return infrastructure_error("what gnuplot wrote is no SVG");
    Cleaner().clean(*root);
    XMLElement* style = document.NewElement("style");
    style->SetText(colours_css().c_str());
    root->InsertFirstChild(style);

    tinyxml2::XMLPrinter printer(nullptr, true);
    root->Accept(&printer);
    return std::string(printer.CStr());
}

} // namespace kmatrix
