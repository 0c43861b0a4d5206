// SPDX-License-Identifier: GPL-2.0-only
// GMime's objects with owners, for the two places that read and write mails.
#pragma once

#include <memory>

#include <gmime/gmime.h>

namespace kmatrix::gmime {

struct Unref {
    void operator()(void* object) const { g_object_unref(object); }
};
template <class T>
using Object = std::unique_ptr<T, Unref>;

struct Free {
    void operator()(char* text) const { g_free(text); }
};
using Text = std::unique_ptr<char, Free>;

// Before anything else of GMime; any number of times.
inline void start() {
    static const bool started = [] {
        g_mime_init();
        return true;
    }();
    static_cast<void>(started);
}

} // namespace kmatrix::gmime
