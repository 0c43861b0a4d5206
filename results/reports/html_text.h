// SPDX-License-Identifier: GPL-2.0-only
// Text that is HTML, told apart by its type from text that is not: what a guest or a series said
// gets into a page only through html(), which escapes it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace kmatrix {

class Html {
  public:
    Html() = default;
    // The caller vouches for it.
    explicit Html(std::string markup) : markup_(std::move(markup)) {}

    Html& operator+=(const Html& other) {
        markup_ += other.markup_;
        return *this;
    }
    bool empty() const { return markup_.empty(); }
    const std::string& text() const { return markup_; }

  private:
    std::string markup_;
};

// For element content and for attributes in quotes: printable(), the five characters that mean
// something to HTML as references, and U+FFFD for the controls that make text run backwards, which
// could show a line as what it is not.
std::string escaped(std::string_view text);

// A relative URL: all but RFC 3986's unreserved characters and '/' is %-encoded.
std::string url_path(const std::filesystem::path& path);

namespace html_detail {

inline const std::string& safe(const Html& html) {
    return html.text();
}
inline std::string safe(std::string_view text) {
    return escaped(text);
}
template <class Number>
    requires std::is_arithmetic_v<Number>
Number safe(Number number) {
    return number;
}
template <class T>
using Safe = decltype(safe(std::declval<const T&>()));

} // namespace html_detail

// fmt::format() with a format that is HTML: strings are escaped, Html and numbers are not.
template <class... Args>
Html html(fmt::format_string<html_detail::Safe<Args>...> format, const Args&... args) {
    return Html(fmt::format(format, html_detail::safe(args)...));
}

// "<TAG>...</TAG>" around each, one after the other; nothing for none.
Html each(std::string_view tag, const std::vector<std::string>& texts);

} // namespace kmatrix
