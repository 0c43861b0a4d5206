// SPDX-License-Identifier: GPL-2.0-only
// libvirt's objects, owned, and its errors as ours.
#pragma once

#include <memory>
#include <string>

#include <libvirt/libvirt.h>
#include <libvirt/virterror.h>

#include "base/error.h"

namespace kmatrix::libvirt {

struct CloseConnection {
    void operator()(virConnectPtr connection) const { virConnectClose(connection); }
};
using Connection = std::unique_ptr<virConnect, CloseConnection>;

struct FreeDomain {
    void operator()(virDomainPtr domain) const { virDomainFree(domain); }
};
using Domain = std::unique_ptr<virDomain, FreeDomain>;

// libvirt's last error on this thread; to be called right after the call that failed.
inline tl::unexpected<Error> last_error(const std::string& context) {
    return infrastructure_error(context + ": libvirt: " + virGetLastErrorMessage());
}

} // namespace kmatrix::libvirt
