// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/kernel_build.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/build/build_log.h"
#include "runner/build/build_record.h"
#include "runner/build/layer.h"
#include "runner/build/make_run.h"
#include "runner/build/toolchain.h"
#include "runner/cache/work_directory.h"
#include "runner/cache/worker.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

// Of everything here that decides what comes out; a change makes all that is cached worthless.
constexpr const char* build_recipe = "1";

// What make leaves may be anything that a stranger thought of.
constexpr std::uint64_t most_config_bytes = 16u << 20;
constexpr std::uint64_t most_built_bytes = 4ull << 30; // of a vmlinux with all debug info

std::int64_t now_s() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

tl::unexpected<Error> failure(const fs::path& path, const std::error_code& error) {
    return infrastructure_error(
        fmt::format("{}: cannot be made or copied: {}", path.string(), error.message()));
}

Result<void> make_directory(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        return failure(path, error);
    return {};
}

Result<void> keep_file(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    if (error)
        return failure(to, error);
    return {};
}

// Where a build takes place: the directories of the sandbox, and what of them is a layer.
struct Place {
    fs::path source, output;
    std::vector<Layer> layers;

    std::optional<fs::path> find(const fs::path& built) const {
        for (const Layer& layer : layers)
            if (layer.merged() == output)
                return layer.find(built);
        return find_plain_file(output, built);
    }
};

class Builder {
  public:
    Builder(const Cache& cache, const Sources& sources, BuildRequest request, Toolchain toolchain)
        : cache_(cache), sources_(sources), request_(std::move(request)),
          toolchain_(std::move(toolchain)) {}

    asio::awaitable<Result<KernelBuild>> build();

  private:
    bool is_baseline() const { return request_.kernel == Kernel::baseline; }
    CacheKey key() const;
    void tell(std::string stage) const {
        if (request_.progress)
            request_.progress({std::move(stage), 0});
    }
    KernelBuild load(CacheEntry entry, const BuildRecord& record) const;

    asio::awaitable<Result<void>> fill(fs::path directory);
    asio::awaitable<Result<void>> fill_baseline(fs::path directory);
    asio::awaitable<Result<void>> fill_patched(fs::path directory);
    asio::awaitable<Result<std::optional<CacheEntry>>> baseline_output(fs::path work);
    asio::awaitable<Result<void>> fill_from(Place place, fs::path directory);
    Result<std::optional<std::string>> known_config(const CacheEntry& baseline);
    asio::awaitable<Result<std::string>> configure(const Place& place);
    asio::awaitable<Result<void>> make_kernel(const Place& place);
    Result<void> collect(const Place& place, const fs::path& directory);
    MakeRun make_run(const Place& place, std::vector<std::string> targets) const;
    asio::awaitable<Result<Exit>> run_counted(MakeRun make);
    tl::unexpected<Error> broken(const Exit& exit);

    const Cache& cache_;
    const Sources& sources_;
    BuildRequest request_;
    Toolchain toolchain_;
    BuildRecord record_;
    std::optional<std::string> config_; // where it is known without asking kconfig
    double cpu_s_ = 0;                  // of all that was run
    std::string broken_;                // why the source does not build
};

CacheKey Builder::key() const {
    const SourceTree& tree = sources_.tree(request_.kernel);
    HashOf hash;
    hash.add("recipe", build_recipe)
        .add("source", tree.id)
        .add("arch", to_string(request_.key.arch))
        .add("config", request_.config.fingerprint())
        .add("compiler", toolchain_.compiler)
        .add("tools", toolchain_.fingerprint);
    if (!is_baseline())
        hash.add("built on", request_.clean ? "nothing" : sources_.baseline.id);
    return {is_baseline() ? "baselines" : "kernels", hash.hex().substr(0, 40),
            fmt::format("{} {} {} {}, Linux {}, tree {}", to_string(request_.kernel),
                        to_string(request_.key.arch), request_.config.name, request_.key.compiler,
                        tree.version, tree.id.substr(0, 12))};
}

MakeRun Builder::make_run(const Place& place, std::vector<std::string> targets) const {
    MakeRun make;
    make.sandbox.source = place.source;
    make.sandbox.output = place.output;
    make.layers = place.layers;
    make.variables = toolchain_.make_variables;
    make.variables.emplace_back("O=/build");
    make.targets = std::move(targets);
    make.jobs = request_.jobs;
    make.log = request_.log;
    if (record_.ccache) {
        // Whoever sent the patch does not get to write what later baselines are linked from.
        make.variables.push_back("CC=ccache " + toolchain_.compiler);
        make.sandbox.binds.push_back({cache_.root() / "ccache", "/ccache", is_baseline()});
        make.sandbox.environment = {"CCACHE_DIR=/ccache", "CCACHE_TEMPDIR=/tmp",
                                    "CCACHE_MAXSIZE=5G"};
        if (!is_baseline())
            make.sandbox.environment.insert(make.sandbox.environment.end(),
                                            {"CCACHE_READONLY=1", "CCACHE_NOSTATS=1"});
    }
    return make;
}

asio::awaitable<Result<Exit>> Builder::run_counted(MakeRun make) {
    auto exit = co_await run_make(std::move(make));
    if (exit)
        cpu_s_ += exit->cpu_s;
    co_return exit;
}

// Notes why, and ends the making of the cache's entry: a failure is not kept.
tl::unexpected<Error> Builder::broken(const Exit& exit) {
    auto words = failure_words(exit, request_.log);
    if (!words)
        return tl::unexpected(std::move(words.error()));
    broken_ = words->empty() ? fmt::format("make exited with status {}", exit.status) : *words;
    return infrastructure_error(broken_);
}

// Computes the configuration in an output of its own: what it is depends on nothing that was built
// before.
asio::awaitable<Result<std::string>> Builder::configure(const Place& place) {
    tell("configuring");
    const auto work = WorkDirectory::make(cache_.work_parent(), "configure");
    if (!work)
        co_return tl::unexpected(work.error());
    Place here = place;
    here.output = work->path();
    std::erase_if(here.layers, [&](const Layer& layer) { return layer.merged() != place.source; });
    const fs::path file = work->path() / ".config";

    std::string base = request_.config.base_text;
    if (!request_.config.base_target.empty()) {
        auto made = co_await run_counted(make_run(here, argv(request_.config.base_target)));
        if (!made)
            co_return tl::unexpected(made.error());
        if (!made->ok())
            co_return broken(*made);
        auto text = read_plain_file(work->path(), ".config", most_config_bytes);
        if (!text)
            co_return text;
        base = std::move(*text);
    }
    const std::string merged = merge_config(base, request_.config.fragments);
    if (auto written = write_file(file, merged); !written)
        co_return tl::unexpected(written.error());
    auto made = co_await run_counted(make_run(here, argv("olddefconfig")));
    if (!made)
        co_return tl::unexpected(made.error());
    if (!made->ok())
        co_return broken(*made);
    auto config = read_plain_file(work->path(), ".config", most_config_bytes);
    if (!config)
        co_return config;
    auto notes = verify_config(*config, request_.config.fragments);
    if (!notes)
        co_return tl::unexpected(
            std::move(notes.error())
                .in(fmt::format("config {} for {} of Linux {}", request_.config.name,
                                to_string(request_.key.arch),
                                sources_.tree(request_.kernel).version)));
    record_.notes.insert(record_.notes.end(), notes->begin(), notes->end());
    co_return config;
}

asio::awaitable<Result<void>> Builder::make_kernel(const Place& place) {
    MakeRun make = make_run(place, argv(image_target(request_.key.arch)));
    make.on_line = [progress = request_.progress, steps = 0](std::string_view line) mutable {
        if (progress && is_compile_step(line))
            progress({"compiling", ++steps});
    };
    tell("compiling");
    auto made = co_await run_counted(std::move(make));
    if (!made)
        co_return tl::unexpected(made.error());
    if (!made->ok())
        co_return broken(*made);
    co_return Result<void>{};
}

Result<void> Builder::collect(const Place& place, const fs::path& directory) {
    const std::pair<fs::path, const char*> files[] = {
        {image_path(request_.key.arch), "image"},
        {"vmlinux", "vmlinux"},
        {"System.map", "System.map"},
        {".config", "config"},
    };
    for (const auto& [built, name] : files) {
        const auto from = place.find(built);
        if (!from)
            return infrastructure_error(fmt::format("make succeeded and built no {}; its log: {}",
                                                    built.string(), request_.log.string()));
        std::error_code error;
        if (const auto size = fs::file_size(*from, error); error || size > most_built_bytes)
            return infrastructure_error(fmt::format("make built {}, which is larger than {} bytes",
                                                    built.string(), most_built_bytes));
        if (auto copied = keep_file(*from, directory / name); !copied)
            return copied;
    }
    const auto sum = sha256_file(directory / "image");
    if (!sum)
        return tl::unexpected(sum.error());
    const auto log = read_file(request_.log);
    if (!log)
        return tl::unexpected(log.error());
    record_.image_sha256 = *sum;
    record_.warnings = parse_warnings(*log);
    record_.compiler_version = toolchain_.compiler_version;
    if (auto copied = keep_file(request_.log, directory / "build.log"); !copied)
        return copied;
    return {};
}

// The baseline's configuration, where the series cannot make another one. Asking kconfig takes half
// as long as all the rest of a patched build.
Result<std::optional<std::string>> Builder::known_config(const CacheEntry& baseline) {
    const auto may_change = [](const std::string& path) { return may_change_config(path); };
    if (std::any_of(sources_.written.begin(), sources_.written.end(), may_change) ||
        std::any_of(sources_.removed.begin(), sources_.removed.end(), may_change))
        return std::nullopt;
    auto record = read_record(baseline.directory());
    if (!record)
        return tl::unexpected(std::move(record.error()));
    auto text = read_file(baseline.directory() / "config");
    if (!text)
        return tl::unexpected(std::move(text.error()));
    record_.notes.insert(record_.notes.end(), record->notes.begin(), record->notes.end());
    return std::move(*text);
}

asio::awaitable<Result<void>> Builder::fill_from(Place place, fs::path directory) {
    Result<std::string> config = config_.value_or("");
    if (!config_)
        config = co_await configure(place);
    if (!config)
        co_return tl::unexpected(config.error());
    // The same configuration keeps its file, and so its time.
    fs::path config_file = place.output / ".config";
    for (const Layer& layer : place.layers)
        if (layer.merged() == place.output)
            config_file = layer.writable() / ".config";
    const auto present = place.find(".config");
    const auto text = present ? read_file(*present) : Result<std::string>{};
    if (!present || !text || *text != *config)
        if (auto written = write_file(config_file, *config); !written)
            co_return written;
    if (auto made = co_await make_kernel(place); !made)
        co_return made;
    co_return collect(place, directory);
}

asio::awaitable<Result<void>> Builder::fill_baseline(fs::path directory) {
    record_.ccache = request_.ccache;
    tell("checking out the source");
    const auto source = co_await checkout_baseline(cache_, sources_);
    if (!source)
        co_return tl::unexpected(source.error());
    const Place place{source->directory() / "source", directory / "output", {}};
    if (auto made = make_directory(place.output); !made)
        co_return made;
    co_return co_await fill_from(place, directory);
}

// The baseline's entry, to build on; nothing if the patched kernel has to be built clean.
asio::awaitable<Result<std::optional<CacheEntry>>> Builder::baseline_output(fs::path work) {
    if (request_.clean)
        co_return std::nullopt;
    BuildRequest request = request_;
    request.kernel = Kernel::baseline;
    request.log = work / "baseline.log";
    auto baseline = co_await build_kernel(cache_, sources_, std::move(request));
    if (!baseline)
        co_return tl::unexpected(baseline.error());
    cpu_s_ += baseline->result.cpu_s;
    if (!baseline->result.ok)
        co_return std::nullopt; // and perhaps the series mends that
    const auto record = read_record(baseline->entry->directory());
    if (!record)
        co_return tl::unexpected(record.error());
    if (now_s() < record->finished_s) {
        record_.notes.emplace_back(
            "the clock stands before the end of the baseline's build, so that the patched kernel "
            "was built clean");
        co_return std::nullopt;
    }
    record_.ccache = record->ccache;
    co_return std::move(baseline->entry);
}

asio::awaitable<Result<void>> Builder::fill_patched(fs::path directory) {
    const auto work = WorkDirectory::make(cache_.work_parent(), "build");
    if (!work)
        co_return tl::unexpected(work.error());
    record_.ccache = request_.ccache;
    const auto baseline = co_await baseline_output(work->path());
    if (!baseline)
        co_return tl::unexpected(baseline.error());
    tell("checking out the source");
    const auto source = co_await checkout_baseline(cache_, sources_);
    if (!source)
        co_return tl::unexpected(source.error());
    const auto kind = co_await probe_layers(work->path());
    if (!kind)
        co_return tl::unexpected(kind.error());

    const auto sources =
        co_await Layer::make(*kind, source->directory() / "source", work->path() / "source");
    if (!sources)
        co_return tl::unexpected(sources.error());
    if (auto written = co_await write_changes(cache_, sources_, sources->writable()); !written)
        co_return written;
    for (const std::string& path : sources_.removed)
        if (auto removed = sources->remove(path); !removed)
            co_return removed;
    Place place{sources->merged(), work->path() / "output", {}};
    place.layers.push_back(*sources);
    if (*baseline) {
        const auto output = co_await Layer::make(*kind, (*baseline)->directory() / "output",
                                                 work->path() / "output");
        if (!output)
            co_return tl::unexpected(output.error());
        place.output = output->merged();
        place.layers.push_back(*output);
        auto config = known_config(**baseline);
        if (!config)
            co_return tl::unexpected(std::move(config.error()));
        config_ = std::move(*config);
    } else if (auto made = make_directory(place.output); !made) {
        co_return made;
    }
    co_return co_await fill_from(place, directory);
}

asio::awaitable<Result<void>> Builder::fill(fs::path directory) {
    const auto begin = std::chrono::steady_clock::now();
    if (request_.ccache)
        if (auto made = make_directory(cache_.root() / "ccache"); !made)
            co_return made;
    Result<void> filled;
    if (is_baseline())
        filled = co_await fill_baseline(directory);
    else
        filled = co_await fill_patched(directory);
    record_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!filled)
        co_return filled;
    record_.finished_s = now_s();
    co_return write_record(directory, record_);
}

KernelBuild Builder::load(CacheEntry entry, const BuildRecord& record) const {
    const fs::path& directory = entry.directory();
    KernelBuild build;
    build.result.ok = true;
    build.result.cached = entry.found();
    build.result.warnings = record.warnings;
    build.result.image_sha256 = record.image_sha256;
    build.result.seconds = record.seconds;
    build.image = directory / "image";
    build.vmlinux = directory / "vmlinux";
    build.system_map = directory / "System.map";
    build.config = directory / "config";
    build.notes = record.notes;
    build.entry = std::move(entry);
    return build;
}

asio::awaitable<Result<KernelBuild>> Builder::build() {
    std::error_code error;
    fs::remove(request_.log, error); // of an earlier try
    if (request_.log.has_parent_path())
        if (auto made = make_directory(request_.log.parent_path()); !made)
            co_return tl::unexpected(made.error());
    const Cache::Make make = [this](const fs::path& directory) { return fill(directory); };
    const std::function<void()> waiting = [this] {
        tell("waiting for another kmatrix that builds the same");
    };
    auto entry = co_await cache_.get(key(), make, waiting);
    KernelBuild build;
    if (entry) {
        if (entry->found())
            if (auto copied = keep_file(entry->directory() / "build.log", request_.log); !copied)
                co_return tl::unexpected(copied.error());
        const auto record = read_record(entry->directory());
        if (!record)
            co_return tl::unexpected(record.error());
        build = load(std::move(*entry), *record);
    } else if (!broken_.empty()) {
        const auto log = read_file(request_.log);
        build.result.error = broken_;
        build.result.warnings = log ? parse_warnings(*log) : std::vector<Warning>{};
        build.result.seconds = record_.seconds;
    } else {
        co_return tl::unexpected(std::move(entry.error()));
    }
    build.result.key = request_.key;
    build.result.kernel = request_.kernel;
    build.result.cpu_s = cpu_s_;
    build.result.compiler_version = toolchain_.compiler_version;
    build.result.log = request_.log;
    co_return build;
}

} // namespace

bool may_change_config(std::string_view path) {
    constexpr std::array harmless = {".c", ".h", ".S", ".rst", ".txt", ".dts", ".dtsi", ".yaml"};
    if (path.starts_with("tools/testing/"))
        return false;
    if (path.starts_with("scripts/"))
        return true;
    return std::none_of(harmless.begin(), harmless.end(),
                        [&](std::string_view end) { return path.ends_with(end); });
}

asio::awaitable<Result<KernelBuild>> build_kernel(const Cache& cache, const Sources& sources,
                                                  BuildRequest request) {
    auto toolchain = co_await find_toolchain(request.key.arch, request.key.compiler);
    if (!toolchain)
        co_return tl::unexpected(toolchain.error());
    Builder builder(cache, sources, std::move(request), std::move(*toolchain));
    co_return co_await builder.build();
}

} // namespace kmatrix
