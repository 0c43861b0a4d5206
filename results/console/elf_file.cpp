// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/elf_file.h"

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <fmt/format.h>

namespace kmatrix {

namespace {

struct CloseFile {
    int fd;
    ~CloseFile() { ::close(fd); }
};

struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};

// Whether each section, by its index, holds code.
std::vector<bool> code_sections(Elf* elf) {
    std::vector<bool> code = {false}; // section 0 is none
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        code.push_back(gelf_getshdr(section, &header) != nullptr &&
                       (header.sh_flags & SHF_EXECINSTR) != 0);
    }
    return code;
}

// arm64's "$x" and "$d" tell code from data, and name nothing (ELF for the Arm 64-bit Architecture,
// section "Mapping symbols").
bool is_mapping_symbol(std::string_view name) {
    return name.starts_with('$');
}

void read_functions(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFile& file) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) {
        return;
    }
    const auto code = code_sections(elf);
    const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
    file.functions.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        GElf_Sym symbol;
        if (gelf_getsym(data, i, &symbol) == nullptr || symbol.st_shndx >= code.size() ||
            !code[symbol.st_shndx]) {
            continue;
        }
        const auto type = GELF_ST_TYPE(symbol.st_info);
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name != nullptr && *name != '\0' && type != STT_SECTION && type != STT_FILE &&
            !is_mapping_symbol(name)) {
            file.functions.emplace_back(symbol.st_value, name);
        }
    }
}

} // namespace

Result<ElfFile> read_elf(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return user_error(fmt::format("{}: cannot be read: {}", path.string(), strerror(errno)));
    }
    const CloseFile close{fd};
    elf_version(EV_CURRENT);
    const std::unique_ptr<Elf, EndElf> elf(elf_begin(fd, ELF_C_READ_MMAP, nullptr));
    GElf_Ehdr head;
    std::size_t names = 0;
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &head) == nullptr ||
        elf_getshdrstrndx(elf.get(), &names) != 0) {
        return user_error(
            fmt::format("{}: not an ELF file, as the vmlinux of a build is", path.string()));
    }
    ElfFile file;
    file.machine = head.e_machine;
    Elf_Scn* symbols = nullptr;
    GElf_Shdr symbols_header{};
    for (Elf_Scn* section = elf_nextscn(elf.get(), nullptr); section != nullptr;
         section = elf_nextscn(elf.get(), section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) {
            continue;
        }
        const char* name = elf_strptr(elf.get(), names, header.sh_name);
        const std::string_view known = name == nullptr ? std::string_view() : name;
        // What strip -g leaves of it, if anything, has no bytes
        file.has_lines |= (known == ".debug_line" || known == ".zdebug_line") &&
                          header.sh_type != SHT_NOBITS && header.sh_size != 0;
        if (header.sh_type == SHT_SYMTAB) {
            symbols = section;
            symbols_header = header;
        }
    }
    if (file.has_lines && symbols != nullptr) {
        read_functions(elf.get(), symbols, symbols_header, file);
    }
    return file;
}

} // namespace kmatrix
