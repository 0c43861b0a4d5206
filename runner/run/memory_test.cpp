// SPDX-License-Identifier: GPL-2.0-only
// What one run leaves for the next, with an A/A run that the engine does over fake stages.
#include "runner/run/memory.h"

#include <cstdlib>
#include <fstream>

#include <boost/asio.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "matrix/filter.h"
#include "results/comparison/hand_built_run.h"
#include "results/json.h"
#include "results/store.h"
#include "runner/engine/engine.h"
#include "runner/run/run_watcher.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
namespace asio = boost::asio;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view measured_matrix =
    "[axes]\narch = ['x86_64']\nvcpus = [4]\n"
    "[[selftest]]\ntarget = 'proc'\n"
    "[[benchmark]]\nprocfile = 'smaps_rollup'\nsamples = 1\n";

// R 4.2.2, as in results/comparison/noise_test.cpp: the floor of these is 0.1843394.
const std::vector<double> baseline_ms{0.9001, 1.1002, 1.0003, 1.2004, 0.8005, 1.0006};
const std::vector<double> patched_ms{1.0001, 0.9002, 1.2003, 1.1004, 0.8005, 1.1006};

// Builds one image and measures what the test says.
class MeasuredStages : public Stages {
  public:
    explicit MeasuredStages(const Plan& plan, const Matrix& matrix)
        : plan_(plan), matrix_(matrix) {}

    asio::awaitable<Result<TaskResult>> run(const Task& task) override {
        begun.push_back(task.id);
        if (const auto* work = std::get_if<BuildTask>(&task.work)) {
            BuildResult build;
            build.key = work->key;
            build.kernel = work->kernel;
            build.ok = true;
            build.image_sha256 = "the baseline's, twice";
            co_return TaskResult(build);
        }
        if (std::holds_alternative<ImageTask>(task.work))
            co_return TaskResult(ImageReady{});
        const PlannedBoot& planned = plan_.boots.at(std::get<BootTask>(task.work).boot);
        BootResult boot;
        boot.id = planned.id;
        boot.cell = matrix_.cells.at(planned.cell).id;
        boot.kernel = planned.kernel;
        boot.number = planned.number;
        boot.machine.accel = Accel::tcg;
        boot.machine.host_cpu = "Some CPU";
        boot.machine.host_cpus = 2;
        if (planned.benchmark) {
            boot.benchmark = matrix_.cells.at(planned.cell).benchmarks.at(*planned.benchmark).name;
            const auto& means = planned.kernel == Kernel::baseline ? baseline_ms : patched_ms;
            boot.samples = {
                hand_built::sample(means.at(static_cast<std::size_t>(planned.number - 1)))};
        }
        co_return TaskResult(boot);
    }

    std::vector<std::string> begun;

  private:
    const Plan& plan_;
    const Matrix& matrix_;
};

class MemoryTest : public testing::Test {
  protected:
    MemoryTest() {
        std::string name = (fs::temp_directory_path() / "kmatrix-memory-XXXXXX").string();
        folder = ::mkdtemp(name.data());
        state = folder / "state";
    }
    ~MemoryTest() override { fs::remove_all(folder); }

    // A run from its directory's making to what `kmatrix report` would load of it.
    RunResult do_run(const std::string& id, bool noise) {
        RunInfo info;
        info.id = id;
        info.started = "2026-01-01T12:00:00Z";
        info.noise = noise;
        info.matrix_file = "m.toml";
        const auto store = Store::create(folder / id, info, measured_matrix);
        EXPECT_TRUE(store) << store.error().text();
        RunResult result = *store->load();
        const Plan planned = plan(result.matrix);
        MeasuredStages stages(planned, result.matrix);
        asio::io_context context;
        std::FILE* null = std::fopen("/dev/null", "w");
        {
            Progress progress(context.get_executor(), null, {});
            Durations durations;
            const Host host;
            RunWatcher watcher(result.matrix, planned, host, *store, progress, result, durations);
            EngineOptions options;
            options.capacity = {4, 100000};
            const std::vector<Task> tasks = make_tasks(result.matrix, planned);
            asio::co_spawn(context, run_tasks(tasks, stages, watcher, options),
                           [](std::exception_ptr thrown, Result<EngineEnd> end) {
                               EXPECT_FALSE(thrown);
                               EXPECT_TRUE(end);
                           });
            context.run();
        }
        std::fclose(null);
        begun = stages.begun;
        const Recalled recalled = recall(result, folder / id, state);
        warnings = recalled.warnings;
        EXPECT_TRUE(store->save(recalled.known));
        return *store->load();
    }

    fs::path folder, state;
    std::vector<std::string> begun, warnings;
};

TEST_F(MemoryTest, AnAARunTeachesLaterRunsTheNoise) {
    const RunResult noise = do_run("aa", true);
    EXPECT_THAT(begun, Each(testing::Not(HasSubstr("functional"))));
    EXPECT_THAT(noise.boots, SizeIs(12));
    const Comparison comparison = compare(noise);
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(comparison.verdict, HasSubstr("noise floor: smaps_rollup 18 % in "));
    EXPECT_THAT(remember(noise, comparison, folder / "aa", state), IsEmpty());

    const RunResult later = do_run("later", false);
    EXPECT_THAT(begun, testing::Contains(HasSubstr("functional")));
    EXPECT_THAT(warnings, IsEmpty());
    ASSERT_THAT(later.known.noise, SizeIs(1));
    EXPECT_NEAR(later.known.noise[0].floor, 0.1843394, 1e-6);
    const LatencyComparison latency = compare(later).latency.at(0);
    EXPECT_EQ(latency.margin_source, MarginSource::noise_floor);
    EXPECT_THAT(latency.margin_why, HasSubstr("18 % by A/A run aa"));
    // An ordinary run with one image on both sides is still none.
    EXPECT_EQ(latency.verdict, LatencyVerdict::same_image);
}

TEST_F(MemoryTest, AnOrdinaryRunTeachesNoNoise) {
    const RunResult run = do_run("ordinary", false);
    EXPECT_THAT(remember(run, compare(run), folder / "ordinary", state), IsEmpty());
    EXPECT_FALSE(fs::exists(state / "noise.json"));
    EXPECT_TRUE(fs::exists(state / "history.sqlite"));
}

TEST_F(MemoryTest, ALaterVersionOfTheSeriesKnowsOfTheEarlierOne) {
    RunResult v2 = do_run("v2", false);
    v2.info.series.version = 2;
    v2.info.series.subject = "mm: faster";
    v2.info.series.author = "A <a@x.org>";
    const Comparison comparison = compare(v2);
    EXPECT_THAT(remember(v2, comparison, folder / "v2", state), IsEmpty());
    RunResult v3 = v2;
    v3.info.id = "v3";
    v3.info.series.version = 3;
    const Recalled recalled = recall(v3, folder / "v3", state);
    ASSERT_TRUE(recalled.known.earlier_version);
    const EarlierVersion& earlier = *recalled.known.earlier_version;
    EXPECT_EQ(earlier.version, 2);
    EXPECT_EQ(earlier.verdict, comparison.verdict);
    EXPECT_EQ(earlier.command,
              "kmatrix compare " + (folder / "v2").string() + " " + (folder / "v3").string());
    // As the run keeps it.
    const auto kept = known_from_json(to_json(recalled.known));
    ASSERT_TRUE(kept) << kept.error().text();
    EXPECT_EQ(kept->earlier_version, recalled.known.earlier_version);
}

// A folder that cannot be written, files that cannot be read: sentences, and the run stands.
TEST_F(MemoryTest, NothingOfItIsWorthARun) {
    fs::create_directories(state);
    std::ofstream(state / "noise.json") << "{";
    std::ofstream(state / "history.sqlite") << std::string(5000, 'x');
    EXPECT_EQ(exit_status(compare(do_run("ordinary", false))), 0);
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("noise floors of this machine are not used"),
                                      HasSubstr("file is not a database")));
    const RunResult run = do_run("aa", true);
    EXPECT_THAT(warnings, ElementsAre(HasSubstr("file is not a database")));
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 0);
    EXPECT_THAT(remember(run, comparison, folder / "aa", state),
                ElementsAre(HasSubstr("not in the history of tests"),
                            HasSubstr("the noise floors are not kept")));
}

TEST_F(MemoryTest, AFileInTheFoldersPlaceIsAWarningToo) {
    std::ofstream(state) << "no folder";
    const RunResult run = do_run("aa", true);
    EXPECT_THAT(remember(run, compare(run), folder / "aa", state), SizeIs(2));
}

} // namespace
} // namespace kmatrix
