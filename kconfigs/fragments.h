// SPDX-License-Identifier: GPL-2.0-only
// Fragments of kernel configuration: read, merged over a base, and checked against what became of
// them. Everything here is pure but read_recipe().
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

// "CONFIG_NR_CPUS=64", or "# CONFIG_SWAP is not set" and "CONFIG_SWAP=n", which are the same.
struct ConfigLine {
    std::string symbol; // "CONFIG_NR_CPUS"
    std::string value;  // as .config has it: y, m, n, 64, "text" with its quotes
    int line = 0;       // of the fragment, from 1
};

struct Fragment {
    std::string file; // for messages
    // Whether a symbol that does not come out as asked is an error. The `config` files of selftest
    // targets are no such fragments: they name modules and symbols of other architectures.
    bool required = true;
    std::vector<ConfigLine> lines;
};

// Errors, with file and line, are the user's: a line that is no setting, a symbol set twice
// with different values.
Result<Fragment> parse_fragment(std::string_view text, const std::string& file);

// A selftest target's own `config`; lines that say nothing are passed over.
Fragment parse_selftest_config(std::string_view text, const std::string& file);

// The base (a whole .config) with the fragments over it; of two that set a symbol the later wins.
// What comes out is input for `make olddefconfig`. Where modules are off, a module that is not
// required is left out: kconfig would build it in, and some of mm's test modules then run at boot.
std::string merge_config(std::string_view base, const std::vector<Fragment>& fragments);

// Compares what was asked for with what olddefconfig made of it. The Error names, for every
// required line that did not come true: fragment, line, symbol, and what it became. The value:
// the same sentences for lines that are not required.
Result<std::vector<std::string>> verify_config(std::string_view config,
                                               const std::vector<Fragment>& fragments);

// How a configuration comes about.
struct ConfigRecipe {
    std::string name;        // as the matrix says it
    std::string base_target; // of make: "tinyconfig", "defconfig"; empty: base_text is the base
    std::string base_text;   // a .config that the user named
    std::vector<Fragment> fragments;

    // Everything of it that decides the outcome, as one text, for a hash.
    std::string fingerprint() const;
};

// The recipe for a name: parts joined by '+'. The first may be "tinyconfig" (which is meant where
// it is left out), "defconfig", or a path (it has a '/' in it): a whole .config. Each other is a
// fragment's path, or stands for directory/PART.config and directory/PART.ARCH.config, of which one
// at least must be there. `selftests` go first, so that what kmatrix or the user sets is kept.
Result<ConfigRecipe> read_recipe(const std::filesystem::path& directory, const std::string& name,
                                 Arch arch, std::vector<Fragment> selftests = {});

} // namespace kmatrix
