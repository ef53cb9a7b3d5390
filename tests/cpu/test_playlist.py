"""The list that plays: its order, its loops, what it does with broken entries, and its files."""

from __future__ import annotations

import itertools
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from desktop.base.errors import OutputError, SourceError, UsageError
from desktop.media.playlist import LOOPS, MOST_ENTRIES, Entry, Playlist, name_of
from desktop.media.playlist_file import MOST_BYTES, file_of, read_playlist, write_playlist


def of(*specs: str, **more: object) -> Playlist:
    return Playlist(**more).added(specs)


def played(playlist: Playlist | None, most: int = 100) -> list[str]:
    """What plays from there on, by ends alone."""
    found: list[str] = []
    while playlist is not None and len(found) < most:
        playlist = playlist.after_end() if playlist.current is not None else playlist.step(1)
        if playlist is not None:
            found.append(playlist.entry(playlist.current).spec)
    return found


def specs(playlist: Playlist) -> list[str]:
    return [entry.spec for entry in playlist.entries]


def test_it_plays_in_order_and_ends():
    assert played(of("/a", "/b", "/c")) == ["/a", "/b", "/c"]
    assert played(Playlist()) == []


def test_loops():
    assert played(of("/a", "/b", loop="all"), 5) == ["/a", "/b", "/a", "/b", "/a"]
    one = of("/a", "/b", loop="one").step(1)
    assert played(one, 3) == ["/a", "/a", "/a"]
    assert one.entry(one.step(1).current).spec == "/b", "a key goes on all the same"
    assert LOOPS == ("none", "all", "one")


def test_the_entry_before():
    last = of("/a", "/b").at(1)
    assert last.step(-1).current == 0
    assert last.step(-1).step(-1) is None
    assert last.looping("all").step(-1).step(-1).current == 1


@given(st.integers(1, 40), st.integers(0, 2**31), st.integers(1, 3))
def test_shuffled_each_plays_once_before_any_plays_again(count, seed, rounds):
    playlist = of(*(f"/{n}" for n in range(count)), loop="all").shuffled(seed)
    heard = played(playlist, rounds * count)
    for number in range(rounds):
        assert sorted(heard[number * count : (number + 1) * count]) == sorted(specs(playlist))
    if count > 1:
        assert all(a != b for a, b in itertools.pairwise(heard)), "none twice in a row"


def test_a_seed_gives_the_same_order_again_and_another_one_another():
    playlist = of(*(f"/{n}" for n in range(20)))
    assert playlist.shuffled(7).order == playlist.shuffled(7).order != playlist.shuffled(8).order
    assert playlist.shuffled(7).shuffled(None).order == playlist.order


@given(st.integers(1, 40), st.integers(0, 2**31), st.integers(0, 39), st.integers(0, 39))
def test_shuffled_what_is_chosen_passes_over_nothing(count, seed, steps, chosen):
    playlist = of(*(f"/{n}" for n in range(count))).shuffled(seed)
    heard = []
    for _ in range(min(steps, count)):
        playlist = playlist.step(1)
        heard.append(playlist.current)
    playlist = playlist.chosen(chosen % count)
    assert playlist.current == chosen % count
    heard.append(playlist.current)
    while (following := playlist.step(1)) is not None:
        playlist = following
        heard.append(playlist.current)
    assert set(heard) == set(range(count)), "each plays"
    repeated = len(heard) - count
    assert repeated in (0, 1), "none twice but the one that was chosen again"


def test_in_order_what_is_chosen_leaves_the_order_alone():
    assert played(of("/a", "/b", "/c").chosen(1)) == ["/c"]


def test_shuffling_begins_with_what_is_in_turn():
    playlist = of(*(f"/{n}" for n in range(9))).at(4).shuffled(1)
    assert playlist.order[0] == 4 and sorted(playlist.order) == list(range(9))


@given(st.integers(0, 8), st.integers(0, 2**31))
def test_what_is_added_while_shuffled_comes_once_and_what_has_played_stays_played(steps, seed):
    playlist = of(*(f"/{n}" for n in range(8))).shuffled(seed)
    heard = []
    for _ in range(steps):
        playlist = playlist.step(1)
        heard.append(playlist.entry(playlist.current).spec)
    playlist = playlist.added(["/x", "/y"], 0)
    assert sorted(heard + played(playlist)) == sorted([*(f"/{n}" for n in range(8)), "/x", "/y"])
    assert specs(playlist)[:2] == ["/x", "/y"]


def test_broken_ones_are_passed_over_and_all_broken_is_an_end():
    playlist = of("/a", "/b", "/c", loop="all").marked_broken(1, "cut off")
    assert played(playlist, 4) == ["/a", "/c", "/a", "/c"]
    assert playlist.failure_reason(1) == "cut off"
    none = playlist.marked_broken(0, "x").marked_broken(2, "y")
    assert none.step(1) is None and none.step(-1) is None and none.looping("one").step(1) is None
    assert none.at(1).failure_reason(1) == "", "whoever asks for it has it tried again"


def test_removing():
    playlist = of("/a", "/b", "/c", "/d").at(2).marked_broken(1, "x")
    assert specs(playlist.removed([1, 3])) == ["/a", "/c"] and playlist.removed([1, 3]).current == 2
    assert playlist.removed([1]).broken == ()
    gone = playlist.removed([2])
    assert gone.current == 1 and gone.step(1).current == 3, "it goes on with what came behind it"
    assert playlist.removed([0, 1, 2]).current is None
    assert playlist.removed(range(4)) == Playlist(next_id=4)


@given(st.sets(st.integers(0, 9)), st.integers(0, 10))
def test_moving_is_what_a_drag_means(ids, to):
    moved = specs(of(*(f"/{n}" for n in range(10))).moved(ids, to))
    expected = [f"/{n}" for n in range(to) if n not in ids]
    expected += [f"/{n}" for n in sorted(ids)]
    expected += [f"/{n}" for n in range(to, 10) if n not in ids]
    assert moved == expected


def test_it_has_a_bound():
    full = of(*["/a"] * MOST_ENTRIES)
    with pytest.raises(UsageError, match="10,000"):
        full.added(["/b"])


def test_names():
    assert name_of("/films/a b.mp4") == "a b.mp4"
    assert name_of("rtsp://user:secret@host:554/cam?key=1") == "rtsp://host:554/cam"
    assert name_of("http://[half") == "http://"
    assert "\u202e" not in Entry(0, "/films/\u202egpj.mp4").title


# -- files ---------------------------------------------------------------------------------------------------


def test_a_list_is_written_as_others_read_it_and_read_back(tmp_path):
    inside, outside = tmp_path / "lists" / "sub" / "ünï #1.mp4", tmp_path / "elsewhere" / "b.png"
    hashed = tmp_path / "lists" / "#c.mp4"
    entries = of(str(inside), str(outside), "http://host/live", str(hashed)).lasting(0, 61.4).entries
    path = tmp_path / "lists" / "mine.m3u8"
    path.parent.mkdir()
    assert write_playlist(path, entries) == 0
    assert path.read_bytes().decode("utf-8").splitlines() == [
        "#EXTM3U",
        "#EXTINF:61,ünï #1.mp4",
        "sub/ünï #1.mp4",
        "#EXTINF:-1,b.png",
        str(outside),
        "#EXTINF:-1,http://host/live",
        "http://host/live",
        "#EXTINF:-1,#c.mp4",
        "./#c.mp4",
    ]
    read = read_playlist(path)
    assert [Path(e.spec) if "://" not in e.spec else e.spec for e in read.entries] == [
        inside,
        outside,
        "http://host/live",
        hashed,
    ]
    assert [e.seconds for e in read.entries] == [61.0, 0.0, 0.0, 0.0] and read.left_out == 0


def test_an_address_with_blanks_around_it_is_no_file(tmp_path):
    """Its password was a part of a file's name, which is shown, and kept with the session."""
    path = tmp_path / "a.m3u8"
    path.write_text("#EXTM3U\n  rtsp://anna:hunter2@host/a \n")
    (entry,) = read_playlist(path).entries
    assert (entry.spec, entry.title) == ("rtsp://anna:hunter2@host/a", "rtsp://host/a")


def test_what_a_file_cannot_hold_or_another_machine_not_use_is_left_out(tmp_path):
    entries = of("camera:1", "sample", "/a\nb.mp4", "/\udcff.mp4", str(tmp_path / "fine.mp4")).entries
    path = tmp_path / "x.m3u8"
    assert write_playlist(path, entries) == 4
    assert [e.title for e in read_playlist(path).entries] == ["fine.mp4"]


def test_what_is_kept_unasked_has_no_passwords(tmp_path):
    entries = of("rtsp://me:secret@host/a", "http://host/a?token=1", "http://host/b").entries
    path = tmp_path / "x.m3u8"
    assert write_playlist(path, entries, secrets=False) == 2
    assert "secret" not in path.read_text() and "token" not in path.read_text()
    assert write_playlist(path, entries) == 0 and "secret" in path.read_text()


def test_a_stranger_s_list(tmp_path):
    path = tmp_path / "theirs.m3u"
    path.write_bytes(
        b"\xef\xbb\xbf#EXTM3U\r\n#EXTINF:nan,T\x1b[2Jitle\r\na.mp4\r\n#EXTINF:1e99,\r\n../b.mp4\r\n"
        b"other.m3u8\r\nhttp://host/list.m3u8\r\n\\\\host\\share\\x.mp4\r\n//host/share/y.mp4\r\n"
        b"\\/host/share/x.mp4\r\n/\\host\\share\\y.mp4\r\nfile:////host/share/z.mp4\r\n"
        b"file://host/x.mp4\r\nfile:///tmp/a%20b.mp4\r\nnull\0.mp4\r\ncamera:0\r\n\r\n"
        + b"x" * 5000
        + b"\r\n"
    )
    read = read_playlist(path)
    found = [entry.spec for entry in read.entries]
    assert found[:2] == [str(tmp_path / "a.mp4"), str(tmp_path / ".." / "b.mp4")]
    # Of what is a stream its own opening says whether it is one; a camera's name is a file's here.
    assert found[2:] == [
        "http://host/list.m3u8",
        str((tmp_path / "/tmp/a b.mp4").absolute()),
        str(tmp_path / "camera:0"),
    ]
    assert read.left_out == 9
    assert read.entries[0].title == "T\\x1b[2Jitle"
    assert all(entry.seconds == 0.0 for entry in read.entries)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\npart.ts\n", "HLS"),
        (b"#EXTM3U\n\n", "names no file"),
        (b"a.mp4\n\xff\xfe\n", "UTF-8"),
        (b"a\n" * (MOST_ENTRIES + 1), "10,000"),
        (b"#" * (MOST_BYTES + 1), "larger than"),
    ],
)
def test_lists_that_are_refused(tmp_path, data, said):
    path = tmp_path / "list.m3u8"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=said):
        read_playlist(path)


@given(st.binary(max_size=400))
def test_no_bytes_do_harm(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.m3u8"
    path.write_bytes(data)
    try:
        read = read_playlist(path)
    except SourceError:
        return
    assert all(Path(e.spec).is_absolute() or "://" in e.spec for e in read.entries)


@pytest.mark.parametrize(
    ("address", "windows", "others"),
    [
        ("file:///C:/Videos/a%20b.mp4", "C:/Videos/a b.mp4", "/C:/Videos/a b.mp4"),
        ("file://localhost/d:/b.mp4", "d:/b.mp4", "/d:/b.mp4"),
        ("file:///videos/b.mp4", "/videos/b.mp4", "/videos/b.mp4"),
        ("file://host/C:/b.mp4", None, None),
        ("file://[/b.mp4", None, None),
    ],
)
def test_addresses_of_files_have_a_drive_on_windows(address, windows, others):
    assert (file_of(address, "win32"), file_of(address, "linux")) == (windows, others)


def test_a_list_that_is_not_there_or_cannot_be_written(tmp_path):
    with pytest.raises(SourceError, match=r"can.t be read"):
        read_playlist(tmp_path / "none.m3u8")
    with pytest.raises(OutputError, match="another folder"):
        write_playlist(tmp_path / "no" / "x.m3u8", of("/a").entries)
