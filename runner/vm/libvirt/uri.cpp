// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/uri.h"

#include <fmt/format.h>

namespace kmatrix::libvirt {
namespace {

constexpr std::string_view taken = "qemu:///embed, qemu:///session or qemu:///system";

// "qemu+ssh://host/system": a transport to another machine, or a host.
bool is_remote(std::string_view uri) {
    const std::size_t colon = uri.find("://");
    if (colon == std::string_view::npos)
        return false;
    const std::string_view after = uri.substr(colon + 3);
    const std::string_view transport = uri.substr(0, colon);
    return !after.starts_with('/') || transport.ends_with("+ssh") || transport.ends_with("+tcp") ||
           transport.ends_with("+tls");
}

} // namespace

Result<Driver> parse_uri(std::string_view uri) {
    if (uri == "qemu:///embed")
        return Driver::embed;
    if (uri == "qemu:///session")
        return Driver::session;
    if (uri == "qemu:///system")
        return Driver::system;
    if (is_remote(uri))
        return user_error(fmt::format("libvirt uri \"{}\": guests on another machine are not "
                                      "supported yet, since kernels and logs would have to travel; "
                                      "expected {}",
                                      uri, taken));
    return user_error(fmt::format("libvirt uri \"{}\" is none of {}", uri, taken));
}

} // namespace kmatrix::libvirt
