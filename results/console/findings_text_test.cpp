// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/findings_text.h"

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

const std::vector<Finding> two = {
    {"oops", "page fault in gizmo", "gizmo", {"gizmo", "vfs_read"}, {"[1] \"BUG\"", "[2]"}, 12},
    {"reboot", "unexpected reboot", "", {}, {}, 99},
};

TEST(FindingsJson, IsAnArrayInOrder) {
    EXPECT_EQ(findings_json(two), R"([
  {
    "class": "oops",
    "title": "page fault in gizmo",
    "function": "gizmo",
    "line": 12,
    "stack": [
      "gizmo",
      "vfs_read"
    ],
    "lines": [
      "[1] \"BUG\"",
      "[2]"
    ]
  },
  {
    "class": "reboot",
    "title": "unexpected reboot",
    "function": null,
    "line": 99,
    "stack": [],
    "lines": []
  }
]
)");
    EXPECT_EQ(findings_json({}), "[]\n");
}

TEST(FindingsText, IsForPeople) {
    EXPECT_EQ(findings_text(two), "line 12: oops: page fault in gizmo\n"
                                  "    [1] \"BUG\"\n"
                                  "    [2]\n"
                                  "line 99: reboot: unexpected reboot\n");
    EXPECT_EQ(findings_text({}), "nothing found\n");
}

} // namespace
} // namespace kmatrix
