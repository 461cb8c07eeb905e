from __future__ import annotations

import os

import pytest

from neosian_cli.config import file
from neosian_cli.errors import Failure


def failure(path, *, demanded=True):
    with pytest.raises(Failure) as caught:
        file.read(str(path), demanded=demanded)
    return caught.value


def test_a_missing_file_matters_only_when_it_was_named(tmp_path):
    assert file.read(str(tmp_path / "none"), demanded=False) is None
    assert file.read(str(tmp_path / "none" / "deeper"), demanded=False) is None
    assert failure(tmp_path / "none").code == "not_found"


def test_a_file_below_a_file_is_no_file(tmp_path):
    (tmp_path / "plain").write_text("x")
    assert file.read(str(tmp_path / "plain" / "config.yaml"), demanded=False) is None


def test_a_link_to_nothing_is_never_passed_over(tmp_path):
    (tmp_path / "config.yaml").symlink_to("nowhere")
    assert failure(tmp_path / "config.yaml", demanded=False).code == "not_found"


def test_a_link_to_a_file_is_followed(tmp_path):
    (tmp_path / "real").write_text("caps: {}\n")
    (tmp_path / "config.yaml").symlink_to("real")
    assert file.read(str(tmp_path / "config.yaml"), demanded=True) == "caps: {}\n"


@pytest.mark.parametrize("kind", ["directory", "FIFO"])
def test_what_is_no_plain_file_is_named(tmp_path, kind):
    path = tmp_path / "config.yaml"
    if kind == "directory":
        path.mkdir()
    else:
        os.mkfifo(path)
    found = failure(path, demanded=False)
    assert found.code == "invalid_config"
    assert kind in found.message
    assert found.details == {"file": str(path), "line": None, "key": None}


def test_the_null_device_is_an_empty_configuration():
    assert file.read(os.devnull, demanded=True) == ""
    assert failure("/dev/zero").code == "invalid_config"


def test_the_largest_file(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_bytes(b"#" * file.LARGEST)
    assert len(file.read(str(path), demanded=True)) == file.LARGEST
    path.write_bytes(b"#" * (file.LARGEST + 1))
    assert "too large" in failure(path).message


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("")
    path.chmod(0)
    assert failure(path).code == "permission_denied"


def test_errors_of_the_system(tmp_path, monkeypatch):
    path = tmp_path / "config.yaml"
    path.write_text("")

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    def broken(*_):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", broken)
    assert failure(path).code == "io_error"
    monkeypatch.setattr(os, "open", refuse)
    assert failure(path).code == "permission_denied"
    monkeypatch.setattr(os, "open", broken)
    assert failure(path).code == "io_error"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a: 1\nb: \xff\n", 2),
        ("a: 1\n".encode("utf-16"), 1),
        (b"a: 1\n\nb: \x1b[31m\n", 3),
        (b"\0", 1),
        ("a: \ufeff".encode(), 1),
        ("# \uffff".encode(), 1),
        (b"# \x7f", 1),
    ],
)
def test_bytes_that_are_no_text_are_named_by_line(tmp_path, data, line):
    path = tmp_path / "config.yaml"
    path.write_bytes(data)
    found = failure(path)
    assert (found.code, found.details["line"]) == ("invalid_config", line)
    assert found.message.isprintable()


def test_text_in_any_language_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_bytes(b"\xef\xbb\xbf# \xe6\x97\xa5\xc2\xa0\xc2\x85\r\n\t#")
    assert file.read(str(path), demanded=True) == "# 日\xa0\x85\r\n\t#"
