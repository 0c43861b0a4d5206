// SPDX-License-Identifier: GPL-2.0-only
// One series in every form that it can come in, and the hostile ones, with the real git.
#include <fcntl.h>

#include <gmock/gmock.h>

#include "base/text.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::HasSubstr;

class ReadSeriesTest : public SmallTree {
  protected:
    ReadSeriesTest() {
        branch("topic", "fs/a.c", with_line(numbers(40), "line 3\n", "three\n"));
        git(argv("checkout", "-q", "topic"));
        write("fs/b.c", "b\nc\n");
        commit("more");
        git(argv("checkout", "-q", "main"));
    }
    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(root_ / name) << text;
        return (root_ / name).string();
    }
    std::string mbox() const {
        return git(argv("format-patch", "--stdout", "--cover-letter", "--thread", "main..topic"));
    }
    Result<Series> from_stdin(const std::string& path) {
        const int before = ::dup(0);
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        ::dup2(fd, 0);
        ::close(fd);
        auto read = series("-");
        ::dup2(before, 0);
        ::close(before);
        return read;
    }
    std::string patched_tree(const Result<Series>& read) {
        if (!read)
            return read.error().text();
        const auto sources = apply(*read);
        return sources ? sources->patched.id : sources.error().text();
    }
    std::string refused(const std::string& source) {
        const auto read = series(source);
        EXPECT_FALSE(read) << source;
        EXPECT_EQ(read ? Blame::infrastructure : read.error().blame, Blame::user);
        return read ? "" : read.error().message;
    }
    std::string refused_diff(const std::string& diff) {
        return refused(file("evil.patch", "From: a@x.org\nSubject: [PATCH] evil\n\n---\n" + diff));
    }
};

TEST_F(ReadSeriesTest, GivesTheSameTreeInEveryForm) {
    const std::string wanted(trim(git(argv("rev-parse", "topic^{tree}"))));
    const std::string box = file("s.mbox", mbox());
    const std::string crlf = file("crlf.mbox", [&] {
        std::string text;
        for (const std::string& line : split(trim(mbox()), '\n'))
            text += line + "\r\n";
        return text;
    }());
    git(argv("format-patch", "-q", "-o", (root_ / "patches").string(), "main..topic"));
    file("s.diff", git(argv("diff", "main..topic")));
    Command gzip;
    gzip.argv = {"gzip", "--keep", box};
    ASSERT_TRUE(run_blocking(gzip)->ok());
    for (const std::string& source :
         {box, crlf, box + ".gz", (root_ / "patches").string(), (root_ / "s.diff").string(),
          std::string("main..topic"), std::string("topic")})
        EXPECT_EQ(patched_tree(series(source)), wanted) << source;
    // As a run keeps it, and reads it again.
    for (const std::string& source : {box, crlf, (root_ / "patches").string(),
                                      std::string("main..topic"), std::string("topic")})
        EXPECT_EQ(patched_tree(series(file("kept.mbox", series(source)->mbox))), wanted) << source;
    EXPECT_EQ(series((root_ / "s.diff").string())->mbox, "");
    EXPECT_EQ(patched_tree(from_stdin(box)), wanted);
    EXPECT_EQ(patched_tree(from_stdin(box + ".gz")), wanted);
}

TEST_F(ReadSeriesTest, RefusesWhatIsTooLarge) {
    const std::string large = file("large.patch", "Subject: x\n\n");
    fs::resize_file(large, 200u << 20);
    EXPECT_THAT(refused(large), HasSubstr("larger than a series can be"));
    EXPECT_FALSE(from_stdin(large));
    std::string many;
    for (int i = 1; i <= 5000; ++i)
        many += "From mboxrd@z Thu Jan  1 00:00:00 1970\nSubject: [PATCH " + std::to_string(i) +
                "/5000] x\n\nx\n";
    EXPECT_THAT(refused(file("many.mbox", many)), HasSubstr("refused: 5000 mails"));
}

TEST_F(ReadSeriesTest, RefusesWhatNoPatchMayTouchBeforeGitSeesIt) {
    const auto added = [](const std::string& path, const std::string& mode) {
        return "diff --git a/x b/x\nnew file mode " + mode + "\n--- /dev/null\n+++ " + path +
               "\n@@ -0,0 +1 @@\n+x\n";
    };
    for (const auto& [diff, reason] : std::vector<std::pair<std::string, std::string>>{
             {added("b/link", "120000"), "symbolic link"},
             {added("b/module", "160000"), "submodule"},
             {added("b/.git/hooks/post-checkout", "100755"), "tells git"},
             {added("b/fs/.gitattributes", "100644"), "tells git"},
             {added("b/.gitmodules", "100644"), "tells git"},
             {added("\"b/a\\nb\"", "100644"), "control byte"},
             {added("b/../../x", "100644"), "component"},
             {added("b//etc/passwd", "100644"), "absolute"},
             {"diff --git a/x b/.git/config\nsimilarity index 100%\nrename from x\n"
              "rename to .git/config\n",
              "tells git"},
             {"diff --git a/x b/../y\nsimilarity index 100%\ncopy from x\ncopy to ../y\n",
              "component"},
             {"diff --git a/x b/x\nold mode 100644\nnew mode 120000\n", "symbolic link"},
             {"diff --git a/x b/x\nold mode 100644\nnew mode 104755\n", "unknown kind"}}) {
        const std::string why = refused_diff(diff);
        EXPECT_THAT(why, HasSubstr(reason)) << diff;
        EXPECT_THAT(why, HasSubstr("evil")) << diff; // which patch
    }
}

TEST_F(ReadSeriesTest, RefusesItInEveryForm) {
    git(argv("checkout", "-q", "-b", "evil"));
    fs::create_symlink("/etc/passwd", tree_ / "evil");
    commit("evil");
    git(argv("checkout", "-q", "main"));
    const std::string box =
        file("evil.mbox", git(argv("format-patch", "--stdout", "--cover-letter", "main..evil")));
    git(argv("format-patch", "-q", "-o", (root_ / "evil patches").string(), "main..evil"));
    Command gzip;
    gzip.argv = {"gzip", "--keep", box};
    ASSERT_TRUE(run_blocking(gzip)->ok());
    for (const std::string& source : {box, box + ".gz", (root_ / "evil patches").string(),
                                      std::string("main..evil"), std::string("evil")})
        EXPECT_THAT(refused(source), HasSubstr("evil: a symbolic link (mode 120000)")) << source;
    const auto read = from_stdin(box);
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message, HasSubstr("symbolic link"));
}

TEST_F(ReadSeriesTest, RefusesControlCharactersInHeaders) {
    const std::string diff = "\n---\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
    EXPECT_THAT(refused(file("s.patch", "From: a@x.org\nSubject: [PATCH] a\x1b[31m\n" + diff)),
                HasSubstr("its Subject holds"));
    EXPECT_THAT(refused(file("n.patch", "From: =?utf-8?q?a=0AX-Evil:_b?= <a@x.org>\n"
                                        "Subject: [PATCH] a\n" +
                                            diff)),
                HasSubstr("its From holds"));
}

TEST_F(ReadSeriesTest, RunsNothingThatTheTreeOrTheUserConfigured) {
    const std::string ran = (root_ / "ran").string();
    const std::string program = file("program", "#!/bin/sh\ntouch '" + ran + "'\ncat\n");
    fs::permissions(program, fs::perms::owner_all);
    git(argv("config", "core.fsmonitor", program));
    git(argv("config", "core.hooksPath", root_.string()));
    git(argv("config", "diff.external", program));
    git(argv("config", "diff.c.textconv", program));
    git(argv("config", "core.sshCommand", program));
    std::ofstream(tree_ / ".git/info/attributes") << "*.c diff=c\n";
    fs::remove(ran); // git itself may have run it above
    for (const char* hook : {"post-index-change", "reference-transaction", "post-checkout"}) {
        fs::copy_file(program, tree_ / ".git/hooks" / hook, fs::copy_options::overwrite_existing);
        fs::copy_file(program, root_ / hook, fs::copy_options::overwrite_existing);
    }
    const auto read = series("main..topic");
    ASSERT_TRUE(read) << read.error().text();
    const Repository opened = repository();
    ASSERT_TRUE(wait_for(find_base(opened, *read, {})));
    ASSERT_TRUE(apply(*read));
    EXPECT_FALSE(fs::exists(ran));
}

} // namespace
} // namespace kmatrix
