"""The wheels that build.py writes, in the folder that PARCORELS_WHEELS names."""

import base64
import csv
import hashlib
import os
import zipfile
from pathlib import Path

import pytest

FOLDER = os.environ.get("PARCORELS_WHEELS")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="PARCORELS_WHEELS names no folder of wheels")


@pytest.fixture(params=sorted(Path(FOLDER).glob("*.whl")) if FOLDER else [], ids=lambda p: p.name)
def wheel(request):
    return request.param


def test_record(wheel):
    """RECORD lists every file with its hash and size."""
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        record = next(n for n in names if n.endswith(".dist-info/RECORD"))
        rows = {name: (digest, size) for name, digest, size in csv.reader(archive.read(record).decode().splitlines())}
        assert sorted(rows) == sorted(names) and rows.pop(record) == ("", "")
        for name, (digest, size) in rows.items():
            data = archive.read(name)
            want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={want}", len(data))


def test_contents(wheel):
    assert wheel.stat().st_size < 12_000_000
    tags = wheel.stem.split("-")[-1].split(".")
    with zipfile.ZipFile(wheel) as archive:
        info = next(n for n in archive.namelist() if n.endswith("/WHEEL")).rsplit("/", 1)[0]
        lines = archive.read(f"{info}/WHEEL").decode().splitlines()
        assert [line for line in lines if line.startswith("Tag: ")] == [f"Tag: py3-none-{t}" for t in tags]
        assert "Root-Is-Purelib: false" in lines
        metadata = archive.read(f"{info}/METADATA").decode()
        assert "\nRequires-Dist: numpy" in metadata and metadata.count("\nRequires-Dist:") == metadata.count("extra ==") + 1
        licences = [line.removeprefix("License-File: ") for line in metadata.splitlines() if line.startswith("License-File: ")]
        assert "LICENSE" in licences and "go/LICENSE" in licences
        assert all(f"{info}/licenses/{name}" in archive.namelist() for name in licences)
        program = [e for e in archive.infolist() if e.filename.startswith("parcorels/bin/parcorels")]
        assert len(program) == 1 and program[0].external_attr >> 16 == 0o100755
        assert program[0].filename.endswith(".exe") == any(t.startswith("win") for t in tags)
        assert b"parcorels = parcorels.__main__:main" in archive.read(f"{info}/entry_points.txt")
        assert {e.date_time for e in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_program_needs_no_library(wheel):
    """The program for Linux is static: it has no interpreter and no dynamic section."""
    with zipfile.ZipFile(wheel) as archive:
        program = next(n for n in archive.namelist() if n.startswith("parcorels/bin/"))
        data = archive.read(program)
    if "linux" in wheel.name:
        assert data[:5] == b"\x7fELF\x02"
        start, size, count = (int.from_bytes(data[a:b], "little") for a, b in ((32, 40), (54, 56), (56, 58)))
        kinds = {int.from_bytes(data[start + i * size : start + i * size + 4], "little") for i in range(count)}
        assert not kinds & {2, 3}  # PT_DYNAMIC, PT_INTERP
