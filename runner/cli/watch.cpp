// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/watch.h"

#include <csignal>
#include <ctime>
#include <memory>

#include <boost/asio.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/text.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

void say(const std::string& sentence) {
    fmt::print(stderr, "{:%Y-%m-%d %H:%M:%S} {}\n", fmt::localtime(std::time(nullptr)),
               printable(sentence));
}

int watch_inboxes(const std::string& file, bool once) {
    const auto config = watch::read_watch_config(file);
    if (!config)
        return fail(config.error());
    if (const auto checked = watch::check_places(*config); !checked)
        return fail(checked.error());
    asio::io_context context(1);
    watch::SystemClock clock;
    auto watch = watch::Watch::open(
        *config,
        {clock, "/proc/self/exe", say, [](Command command) { return run(std::move(command)); }},
        context.get_executor());
    if (!watch)
        return fail(watch.error());

    asio::cancellation_signal cancellation;
    asio::signal_set signals(context, SIGINT, SIGTERM, SIGHUP);
    bool interrupted = false;
    signals.async_wait([&](boost::system::error_code error, int) {
        if (error)
            return;
        interrupted = true;
        say("stopping: what runs is ended, and goes on when watch is started again");
        cancellation.emit(asio::cancellation_type::terminal);
    });
    Result<void> result;
    asio::co_spawn(context, once ? (*watch)->once() : (*watch)->forever(),
                   asio::bind_cancellation_slot(cancellation.slot(),
                                                [&](std::exception_ptr thrown, Result<void> ended) {
                                                    signals.cancel();
                                                    if (!thrown)
                                                        result = std::move(ended);
                                                    else if (!interrupted)
                                                        std::rethrow_exception(thrown);
                                                }));
    context.run();
    return result ? 0 : fail(result.error());
}

} // namespace

void add_watch(CLI::App& app, Action& action) {
    CLI::App* verb =
        app.add_subcommand("watch", "Test the series that come to mailing lists; send nothing");
    auto file = std::make_shared<std::string>();
    auto once = std::make_shared<bool>(false);
    verb->add_option("CONFIG", *file, "The watch file: inboxes, rules and what to run")->required();
    verb->add_flag("--once", *once, "Read the inboxes once, test what is queued, end");
    add_examples(*verb, "  kmatrix watch watch.toml\n"
                        "  kmatrix watch --once watch.toml\n"
                        "  kmatrix queue watch.toml");
    verb->callback([=, &action] { action = [=] { return watch_inboxes(*file, *once); }; });
}

} // namespace kmatrix
