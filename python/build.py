#!/usr/bin/env python3
"""Build the wheels of the Python package parcorels.

    python3 python/build.py -o DIR          wheels for all platforms
    python3 python/build.py -o DIR --here   the wheel for this machine alone

Each wheel carries the statically linked program, cross-compiled by the Go
compiler, and the Python files beside it. Nothing but Go and the standard
library of Python is needed, and nothing is downloaded but Go modules. The same
sources and the same compiler give the same bytes.

This file is also the build backend of pyproject.toml (PEP 517), so that
`pip install ./python` works without network access.
"""

import argparse
import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODULE = HERE.parent

# What a wheel may weigh, in bytes.
LIMIT = 12_000_000

# The tags follow what the Go runtime supports: any Linux from kernel 3.2, with
# glibc or musl since the program is static, and macOS from 12 on.
PLATFORMS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
    ("windows", "arm64"): "win_arm64",
}

SUMMARY = "Provably optimal rule lists and trees for tables"


def version():
    text = (HERE / "parcorels" / "_version.py").read_text(encoding="utf-8")
    return re.search(r'__version__ = "([^"]+)"', text).group(1)


def here():
    """Return the platform of this interpreter as (GOOS, GOARCH)."""
    goos = {"win32": "windows"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    goarch = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}.get(machine)
    if (goos, goarch) not in PLATFORMS:
        raise SystemExit(f"build.py: no wheel is defined for {sys.platform} on {machine}")
    return goos, goarch


def go(arguments, goos, goarch, module=MODULE):
    """Run the go command in a module for a target platform and return what it prints."""
    env = dict(os.environ, GOOS=goos, GOARCH=goarch, CGO_ENABLED="0", GOFLAGS="-mod=readonly", GOWORK="off")
    env.pop("GOAMD64", None)
    env.pop("GOARM64", None)
    run = subprocess.run(["go", *arguments], cwd=module, env=env, stdout=subprocess.PIPE)
    if run.returncode != 0:
        raise SystemExit(f"build.py: go {arguments[0]} failed for {goos}/{goarch}")
    return run.stdout.decode("utf-8")


def compile_program(goos, goarch, module=MODULE, package="./cmd/parcorels"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "parcorels"
        stamp = f"-X parcorels/cmd/parcorels/internal/cli.release=v{version()}"
        if goos == "linux" and goarch in ("amd64", "arm64") and package == "./cmd/parcorels":
            stamp += " -E=main.entry"  # says what is wrong where address space is limited
        flags = ["-trimpath", "-buildvcs=false", "-ldflags", f"-s -w -buildid= {stamp}"]
        go(["build", *flags, "-o", str(path), package], goos, goarch, module)
        return path.read_bytes()


def licences(goos, goarch, module=MODULE, package="./cmd/parcorels"):
    """Return the licence files of all that is linked into a program, by name."""
    files = {"LICENSE": (MODULE / "LICENSE").read_bytes()}
    goroot = Path(go(["env", "GOROOT"], goos, goarch).strip())
    modules = {"go": goroot}
    template = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}"
    for line in go(["list", "-deps", "-f", template, package], goos, goarch, module).splitlines():
        if line:
            path, folder = line.split("\t")
            modules[path] = Path(folder)
    for path, folder in modules.items():
        found = [f for f in sorted(folder.iterdir()) if re.match(r"(LICEN[CS]E|COPYING|NOTICE)", f.name, re.I) and f.is_file()]
        if not found:
            raise SystemExit(f"build.py: {path} has no licence file in {folder}")
        found += sorted((folder / "THIRD_PARTY_LICENSES").glob("*"))  # gonum's, of what it is made from
        for f in found:
            files[f"{path.replace('/', '_')}/{f.name}"] = f.read_bytes()
    return files


def metadata(licence_names):
    lines = [
        "Metadata-Version: 2.1",
        "Name: parcorels",
        f"Version: {version()}",
        f"Summary: {SUMMARY}",
        "License: Apache-2.0",
        *(f"License-File: {name}" for name in sorted(licence_names)),
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy>=1.21",
        "Provides-Extra: all",
        'Requires-Dist: scikit-learn>=1.0; extra == "all"',
        'Requires-Dist: pandas>=1.3; extra == "all"',
        'Requires-Dist: matplotlib>=3.3; extra == "all"',
        'Requires-Dist: tqdm; extra == "all"',
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines).encode("utf-8")


def contents(goos, goarch, program):
    """Return the files of a wheel, all but RECORD, as {name: (bytes, mode)}."""
    files = {}
    for path in sorted((HERE / "parcorels").rglob("*")):
        if path.suffix in (".py", ".css", ".typed") and path.is_file():
            files[path.relative_to(HERE).as_posix()] = (path.read_bytes(), 0o644)
    name = "parcorels.exe" if goos == "windows" else "parcorels"
    files[f"parcorels/bin/{name}"] = (program or compile_program(goos, goarch), 0o755)
    info = f"parcorels-{version()}.dist-info"
    texts = licences(goos, goarch)
    for name, data in texts.items():
        files[f"{info}/licenses/{name}"] = (data, 0o644)
    files[f"{info}/METADATA"] = (metadata(texts), 0o644)
    files[f"{info}/entry_points.txt"] = (b"[console_scripts]\nparcorels = parcorels.__main__:main\n", 0o644)
    tags = "".join(f"Tag: py3-none-{t}\n" for t in PLATFORMS[goos, goarch].split("."))
    wheel = f"Wheel-Version: 1.0\nGenerator: parcorels build.py\nRoot-Is-Purelib: false\n{tags}"
    files[f"{info}/WHEEL"] = (wheel.encode(), 0o644)
    return files


def write_wheel(folder, goos, goarch, program=None):
    """Write the wheel of a platform into folder and return its path. It compiles the program
    unless it is given."""
    files = contents(goos, goarch, program)
    record = f"parcorels-{version()}.dist-info/RECORD"
    rows = []
    for name, (data, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(data)}\n")
    rows.append(f"{record},,\n")
    files[record] = ("".join(rows).encode(), 0o644)
    path = Path(folder) / f"parcorels-{version()}-py3-none-{PLATFORMS[goos, goarch]}.whl"
    unfinished = path.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w") as archive:
        for name, (data, mode) in files.items():
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # Unix, wherever this runs
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
    os.replace(unfinished, path)
    return path


# The hooks of PEP 517, for `pip install ./python`.


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, *here()).name


def main():
    parser = argparse.ArgumentParser(description="Build the wheels of the Python package parcorels.")
    parser.add_argument("-o", metavar="DIR", required=True, help="folder for the wheels")
    parser.add_argument("--here", action="store_true", help="build the wheel for this machine alone")
    arguments = parser.parse_args()
    folder = Path(arguments.o)
    folder.mkdir(parents=True, exist_ok=True)
    too_large = False
    for goos, goarch in [here()] if arguments.here else PLATFORMS:
        path = write_wheel(folder, goos, goarch)
        size = path.stat().st_size
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{digest[:16]}  {size:>9,} bytes  {path}")
        too_large = too_large or size >= LIMIT
    if too_large:
        raise SystemExit(f"build.py: a wheel has {LIMIT:,} bytes or more")


if __name__ == "__main__":
    main()
