"""Builds the Debian package of Blotlight. Needs only Python and dpkg-deb, which every Debian has."""

import argparse
import fnmatch
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "deb"
CODE = Path("usr/lib/blotlight")
"""Where the modules lie: a folder of their own, because their names are too general for site-packages."""
DOC = Path("usr/share/doc/blotlight")
MANUAL = Path("usr/share/man/man1/blotlight.1.gz")
INSTALLED_AS = {
    "blotlight": Path("usr/bin/blotlight"),
    "blotlight.service": Path("usr/lib/systemd/system/blotlight.service"),
    "sysusers.conf": Path("usr/lib/sysusers.d/blotlight.conf"),
    "udev.rules": Path("usr/lib/udev/rules.d/60-blotlight.rules"),
    "avahi.service": Path("etc/avahi/services/blotlight.service"),
    "lintian-overrides": Path("usr/share/lintian/overrides/blotlight"),
}
"""Where the files beside this one are installed."""
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")


def main() -> int:
    """Build the package and print its path."""
    options = _parser().parse_args()
    if shutil.which("dpkg-deb") is None:
        print("dpkg-deb is missing: build the package on Debian or Raspberry Pi OS.", file=sys.stderr)
        return 1
    print(build(options.folder, options.version))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the package is written")
    parser.add_argument("--version", default=_project()["version"], help="default: that of pyproject.toml")
    return parser


def _project() -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def build(folder: Path, version: str) -> Path:
    """Write the package into `folder` and return its path. The same sources and date give the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        tree = Path(place) / "blotlight"
        lay_out(tree, version)
        return pack(tree, folder / f"blotlight_{version}_all.deb")


def pack(tree: Path, package: Path) -> Path:
    """Make a package of the files below `tree`. Returns `package`."""
    subprocess.run(
        ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", "-z1", str(tree), str(package)],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(_newest_s())},
    )
    return package


def lay_out(tree: Path, version: str) -> None:
    """Lay out the files of the package below `tree`, as they will be installed."""
    for source in installed_files():
        _copy(ROOT / source, tree / CODE / source, 0o644)
    metadata = tree / CODE / f"blotlight-{version}.dist-info" / "METADATA"
    _write(metadata, f"Metadata-Version: 2.1\nName: blotlight\nVersion: {version}\n")
    for name, target in INSTALLED_AS.items():
        _copy(SOURCES / name, tree / target, 0o755 if target.parent.name == "bin" else 0o644)
    _write(tree / DOC / "copyright", _copyright())
    _write_gzipped(tree / DOC / "changelog.gz", _changelog(version))
    _write_gzipped(tree / MANUAL, (SOURCES / "blotlight.1").read_text(encoding="utf-8"))
    for name in SCRIPTS:
        _copy(SOURCES / name, tree / "DEBIAN" / name, 0o755)
    configured = sorted(str(path) for path in INSTALLED_AS.values() if path.parts[0] == "etc")
    _write(tree / "DEBIAN" / "conffiles", "".join(f"/{path}\n" for path in configured))
    size_kib = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
    control = (SOURCES / "control").read_text(encoding="utf-8")
    _write(tree / "DEBIAN" / "control", control.format(version=version, size_kib=size_kib))
    _write(tree / "DEBIAN" / "md5sums", _sums(tree))
    for path in (tree, *tree.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)


def installed_files() -> Iterator[Path]:
    """The path of every module and data file that pyproject.toml names, relative to the root."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    find = tool["packages"]["find"]
    yield from (Path(f"{module}.py") for module in tool["py-modules"])
    for folder in sorted(path for path in ROOT.glob("*/**") if path.is_dir()):
        package = ".".join(folder.relative_to(ROOT).parts)
        if not _is_named(package, find["include"]) or _is_named(package, find["exclude"]):
            continue
        patterns = ["*.py", *tool["package-data"].get("*", []), *tool["package-data"].get(package, [])]
        found = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
        yield from sorted(path.relative_to(ROOT) for path in found if "__pycache__" not in path.parts)


def _is_named(package: str, patterns: list[str]) -> bool:
    return any(fnmatch.fnmatchcase(package, pattern) for pattern in patterns)


def _copy(source: Path, target: Path, mode: int) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)


def _write_gzipped(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    path.chmod(0o644)


def _copyright() -> str:
    terms = "\n".join(f" {line or '.'}" for line in (ROOT / "LICENSE").read_text().strip().splitlines())
    head = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    return f"{head}\nFiles: *\nCopyright: The Blotlight authors\nLicense: Expat\n{terms}\n"


def _changelog(version: str) -> str:
    date = format_datetime(datetime.fromtimestamp(_newest_s(), UTC))
    maintainer = "The Blotlight authors <blotlight@localhost>"
    return (
        f"blotlight ({version}) stable; urgency=medium\n\n  * Built from its sources.\n\n"
        f" -- {maintainer}  {date}\n"
    )


def _newest_s() -> int:
    """The date of the package, in seconds: SOURCE_DATE_EPOCH, else the time of the newest source."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given) if given else int(max((ROOT / path).stat().st_mtime for path in installed_files()))


def _sums(tree: Path) -> str:
    files = sorted(path.relative_to(tree) for path in tree.rglob("*") if path.is_file())
    kept = [str(path) for path in files if path.parts[0] not in ("DEBIAN", "etc")]
    return subprocess.run(["md5sum", *kept], cwd=tree, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
