// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/selftests_build.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include <sys/stat.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "runner/build/build_log.h"
#include "runner/build/layer.h"
#include "runner/build/make_run.h"
#include "runner/build/toolchain.h"
#include "runner/cache/work_directory.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

// Of everything here that decides what comes out; a change makes all that is cached worthless.
constexpr const char* selftest_recipe = "1";
constexpr const char* selftests_record = "selftests.json";
constexpr const char* list_name = "kselftest-list.txt";
constexpr std::uint64_t most_text_bytes = 1u << 20; // of that, and of a target's settings

// Their tests do not survive being linked statically.
constexpr std::array dynamic_targets = {"timers"};

bool links_statically(const std::string& target) {
    return std::find(dynamic_targets.begin(), dynamic_targets.end(), target) ==
           dynamic_targets.end();
}

std::string debian_triplet(Arch arch) {
    switch (arch) {
    case Arch::x86_64:
        return "x86_64-linux-gnu";
    case Arch::arm64:
        return "aarch64-linux-gnu";
    }
    return {};
}

// When a file was last written: a cheap sign that what it stands for has changed.
std::string stamp_of(const fs::path& path) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0)
        return "none";
    return fmt::format("{}.{:09}", info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

class SelftestBuilder {
  public:
    SelftestBuilder(const Cache& cache, const Sources& sources, SelftestRequest request,
                    Toolchain toolchain)
        : cache_(cache), sources_(sources), request_(std::move(request)),
          toolchain_(std::move(toolchain)) {}

    asio::awaitable<Result<SelftestBuild>> build();

  private:
    asio::awaitable<Result<CacheKey>> key() const;
    fs::path guest() const { return cache_.root() / "guest" / to_string(request_.arch); }
    MakeRun make_run(const Layer& source, const fs::path& output) const;
    asio::awaitable<Result<void>> fill(fs::path directory);
    asio::awaitable<Result<Layer>> source_layer(fs::path baseline, fs::path directory);
    asio::awaitable<Result<bool>> make_all(Layer source, fs::path output);
    Result<void> look(const fs::path& directory, bool headers_made) const;
    Result<SelftestBuild> load(CacheEntry entry) const;

    const Cache& cache_;
    const Sources& sources_;
    SelftestRequest request_;
    Toolchain toolchain_;
    double cpu_s_ = 0; // of all that was run
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// The ids of the tree's entries that headers and selftests can be made from. What is left out is
// compiled into kernels alone; most series change nothing else.
std::string sources_of_selftests(const std::string& listing) {
    constexpr std::array kernel_only = {"Documentation", "block", "crypto",  "drivers",  "fs",
                                        "init",          "ipc",   "samples", "security", "sound"};
    std::string kept;
    for (const std::string& line : split(listing, '\n')) {
        const std::string name = line.substr(line.find('\t') + 1);
        if (std::find(kernel_only.begin(), kernel_only.end(), name) == kernel_only.end())
            kept += line + "\n";
    }
    return kept;
}

asio::awaitable<Result<CacheKey>> SelftestBuilder::key() const {
    const SourceTree& tree = sources_.tree(request_.origin);
    auto listing = co_await sources_.repository.git(argv("ls-tree", tree.id));
    if (!listing)
        co_return tl::unexpected(std::move(listing.error()));
    HashOf hash;
    hash.add("recipe", selftest_recipe)
        .add("source", sources_of_selftests(*listing))
        .add("target", request_.target)
        .add("arch", to_string(request_.arch))
        .add("tools", toolchain_.fingerprint)
        // A test that lacked a library yesterday may find it today.
        .add("packages", stamp_of("/var/lib/dpkg/status"))
        .add("guest libraries", stamp_of(guest()));
    co_return CacheKey{"selftests", hash.hex().substr(0, 40),
                       fmt::format("selftests {} {}, Linux {}, tree {}", request_.target,
                                   to_string(request_.arch), tree.version, tree.id.substr(0, 12))};
}

MakeRun SelftestBuilder::make_run(const Layer& source, const fs::path& output) const {
    MakeRun make;
    make.sandbox.source = source.merged();
    make.sandbox.source_writable = true; // mm's check_config.sh writes there
    make.sandbox.output = output;
    make.layers.push_back(source);
    make.variables = toolchain_.make_variables;
    make.variables.emplace_back("O=/build");
    make.jobs = request_.jobs;
    make.log = request_.log;
    return make;
}

// False: the headers did not even come out, and so no test.
asio::awaitable<Result<bool>> SelftestBuilder::make_all(Layer source, fs::path output) {
    MakeRun headers = make_run(source, output);
    headers.targets = argv("headers");
    auto made = co_await run_make(std::move(headers));
    if (!made)
        co_return tl::unexpected(made.error());
    cpu_s_ += made->cpu_s;
    if (!made->ok())
        co_return false;

    MakeRun tests = make_run(source, output);
    tests.directory = "/src/tools/testing/selftests";
    // One program that does not compile is no reason to go without the others.
    tests.options = argv("--ignore-errors");
    std::string compile, link = links_statically(request_.target) ? "-static" : "";
    std::error_code error;
    if (fs::exists(guest() / "usr/include", error)) {
        const std::string triplet = debian_triplet(request_.arch);
        tests.sandbox.binds.push_back({guest(), "/guest", false});
        // After the system's own, which know more than these libraries' headers.
        compile =
            fmt::format("-idirafter /guest/usr/include -idirafter /guest/usr/include/{}", triplet);
        link += fmt::format(" -L/guest/usr/lib/{}", triplet);
    }
    for (const std::string& variable :
         argv("TARGETS=" + request_.target, "KSFT_INSTALL_PATH=/build/install",
              "USERCFLAGS=" + compile, "USERLDFLAGS=" + link))
        tests.variables.push_back(variable);
    tests.targets = argv("install");
    made = co_await run_make(std::move(tests));
    if (!made)
        co_return tl::unexpected(made.error());
    cpu_s_ += made->cpu_s;
    if (!made->ok()) {
        // Make ignored errors, so that this is the machine's, or a Makefile that cannot be read.
        if (auto words = failure_words(*made, request_.log); !words)
            co_return tl::unexpected(std::move(words.error()));
    }
    co_return true;
}

// Compares what was asked for with what lies there, and notes it for ever.
Result<void> SelftestBuilder::look(const fs::path& directory, bool headers_made) const {
    const auto log = read_file(request_.log);
    if (!log)
        return tl::unexpected(log.error());
    if (const auto why = machine_failure(*log))
        return tl::unexpected(Error{Blame::infrastructure,
                                    "a build failed for a reason of this machine: " + *why,
                                    last_lines(printable(*log), 20), request_.log});
    const fs::path installed = directory / "install";
    std::vector<UnbuiltTest> unbuilt = failed_programs(*log, request_.target);
    std::set<std::string> known;
    for (const UnbuiltTest& test : unbuilt)
        known.insert(test.test);
    nlohmann::json tests = nlohmann::json::array();
    const auto list = read_plain_file(installed, list_name, most_text_bytes);
    bool any = false;
    for (const TestName& name : parse_test_list(list ? *list : std::string{})) {
        if (name.target != request_.target)
            continue;
        any = true;
        if (find_plain_file(installed, fs::path(name.target) / name.test))
            tests.push_back(name.test);
        else if (known.insert(name.test).second)
            unbuilt.push_back({name.test, "make did not install it, and printed no error for it"});
    }
    if (!any) {
        std::string words = first_error(*log);
        if (!headers_made)
            words = "the headers could not be installed: " + words;
        unbuilt.insert(unbuilt.begin(), {"", words});
    }
    nlohmann::json absent = nlohmann::json::array();
    for (const UnbuiltTest& test : unbuilt)
        absent.push_back({{"test", test.test}, {"words", test.words}});
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const nlohmann::json record = {{"tests", tests}, {"unbuilt", absent}, {"seconds", seconds}};
    return write_file(directory / selftests_record, record.dump(1) + "\n");
}

asio::awaitable<Result<Layer>> SelftestBuilder::source_layer(fs::path baseline,
                                                             fs::path directory) {
    const auto kind = co_await probe_layers(directory);
    if (!kind)
        co_return tl::unexpected(kind.error());
    auto source = co_await Layer::make(*kind, baseline, directory / "source");
    if (!source || request_.origin == Kernel::baseline)
        co_return source;
    if (auto written = co_await write_changes(cache_, sources_, source->writable()); !written)
        co_return tl::unexpected(written.error());
    for (const std::string& path : sources_.removed)
        if (auto removed = source->remove(path); !removed)
            co_return tl::unexpected(removed.error());
    co_return source;
}

asio::awaitable<Result<void>> SelftestBuilder::fill(fs::path directory) {
    if (request_.progress)
        request_.progress("checking out the source");
    const auto baseline = co_await checkout_baseline(cache_, sources_);
    if (!baseline)
        co_return tl::unexpected(baseline.error());
    const auto work = WorkDirectory::make(cache_.work_parent(), "selftests");
    if (!work)
        co_return tl::unexpected(work.error());
    const auto source = co_await source_layer(baseline->directory() / "source", work->path());
    if (!source)
        co_return tl::unexpected(source.error());
    const fs::path output = work->path() / "output";
    std::error_code error;
    fs::create_directories(output, error);
    if (error)
        co_return infrastructure_error(
            fmt::format("{}: cannot be made: {}", output.string(), error.message()));
    if (request_.progress)
        request_.progress("compiling");
    const auto made = co_await make_all(*source, output);
    if (!made)
        co_return tl::unexpected(made.error());
    if (fs::symlink_status(output / "install", error).type() == fs::file_type::directory)
        fs::rename(output / "install", directory / "install", error);
    else
        fs::create_directories(directory / "install", error);
    if (!error)
        fs::copy_file(request_.log, directory / "build.log", error);
    if (error)
        co_return infrastructure_error(
            fmt::format("{}: cannot be filled: {}", directory.string(), error.message()));
    co_return look(directory, *made);
}

Result<SelftestBuild> SelftestBuilder::load(CacheEntry entry) const {
    const auto text = read_file(entry.directory() / selftests_record);
    if (!text)
        return tl::unexpected(text.error());
    SelftestBuild build;
    build.target = request_.target;
    build.origin = request_.origin;
    build.directory = entry.directory() / "install";
    build.is_static = links_statically(request_.target);
    build.cached = entry.found();
    build.cpu_s = cpu_s_;
    try {
        const auto json = nlohmann::json::parse(*text);
        for (const auto& test : json.at("tests"))
            build.tests.push_back({request_.target, test});
        for (const auto& test : json.at("unbuilt"))
            build.unbuilt.push_back({test.at("test"), test.at("words")});
        build.seconds = json.at("seconds");
    } catch (const nlohmann::json::exception& e) {
        return infrastructure_error(fmt::format("{}: no record of selftests: {}; remove it",
                                                entry.directory().string(), e.what()));
    }
    if (const auto settings = read_plain_file(
            build.directory, fs::path(request_.target) / "settings", most_text_bytes))
        build.timeout_s = settings_timeout_s(*settings);
    build.entry = std::move(entry);
    return build;
}

asio::awaitable<Result<SelftestBuild>> SelftestBuilder::build() {
    std::error_code error;
    fs::remove(request_.log, error); // of an earlier try
    const Cache::Make make = [this](const fs::path& directory) { return fill(directory); };
    auto where = co_await key();
    if (!where)
        co_return tl::unexpected(std::move(where.error()));
    auto entry = co_await cache_.get(std::move(*where), make);
    if (!entry)
        co_return tl::unexpected(std::move(entry.error()));
    if (entry->found()) {
        fs::copy_file(entry->directory() / "build.log", request_.log, error);
        if (error)
            co_return infrastructure_error(
                fmt::format("{}: cannot be written: {}", request_.log.string(), error.message()));
    }
    co_return load(std::move(*entry));
}

// "make[2]: [../lib.mk:222: /build/kselftest/proc/read] Error 1 (ignored)": the program.
std::optional<std::string> failed_target(std::string_view line, const std::string& target) {
    const std::string mark = fmt::format(": /build/kselftest/{}/", target);
    const std::size_t begin = line.find(mark);
    if (!line.starts_with("make") || begin == std::string_view::npos)
        return std::nullopt;
    const std::size_t name = begin + mark.size();
    const std::size_t end = line.find("] Error ", name);
    if (end == std::string_view::npos)
        return std::nullopt;
    return std::string(line.substr(name, end - name));
}

} // namespace

std::vector<UnbuiltTest> failed_programs(std::string_view log, const std::string& target) {
    std::vector<UnbuiltTest> failed;
    std::set<std::string> known;
    std::string chunk; // what was printed since make last spoke
    while (!log.empty()) {
        const std::size_t newline = log.find('\n');
        const std::string_view line = log.substr(0, newline);
        log.remove_prefix(newline == std::string_view::npos ? log.size() : newline + 1);
        if (const auto program = failed_target(line, target)) {
            if (known.insert(*program).second)
                failed.push_back(
                    {printable(*program), chunk.empty() ? printable(line) : first_error(chunk)});
        }
        if (line.starts_with("make") || is_compile_step(line))
            chunk.clear();
        else
            chunk += std::string(line) + "\n";
    }
    return failed;
}

asio::awaitable<Result<SelftestBuild>> build_selftests(const Cache& cache, const Sources& sources,
                                                       SelftestRequest request) {
    // The compiler of the programs says nothing of the kernel: one will do.
    auto toolchain = co_await find_toolchain(request.arch, "gcc");
    if (!toolchain)
        co_return tl::unexpected(toolchain.error());
    SelftestBuilder builder(cache, sources, std::move(request), std::move(*toolchain));
    co_return co_await builder.build();
}

} // namespace kmatrix
