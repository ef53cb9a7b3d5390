"""Opens a video, adds an effect and exports, as a screen reader sees the window: by names, roles, actions and
focus of AT-SPI. The test beside it runs it with the system's Python, which has pyatspi:
`screen_reader_walk.py VIDEO TARGET`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pyatspi

LIMIT_S = 120.0
ENTER = 0xFF0D
# A control whose action opens a modal dialog replies once that is closed: the reply is not waited for.
REPLY_MS = 1500
MOST_DEEP, MOST_OF_A_LIST = 24, 80


def until(find, what):
    """Return what `find` returns as soon as it is true; exit with a sentence where it never is."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        try:
            if found := find():
                return found
        except (RuntimeError, StopIteration):  # GLib's: an object that was deleted, or a busy program
            pass
        time.sleep(0.1)
    sys.exit(f"not found by AT-SPI: {what}")


def within(item, depth=0):
    """Yield an item and those within it; of a list of hundreds the first ones."""
    yield item
    if depth < MOST_DEEP:
        for index in range(min(item.childCount, MOST_OF_A_LIST)):
            child = item.getChildAtIndex(index)
            if child is not None:
                yield from within(child, depth + 1)


def is_usable(item):
    state = item.getState()
    return state.contains(pyatspi.STATE_SHOWING) and state.contains(pyatspi.STATE_ENABLED)


def one(root, role, name, usable=True):
    """Wait for a control by its role and its name, or the beginning of that if it ends in "…"."""

    def find():
        for item in within(root()):
            if item.getRoleName() == role and matches(item.name, name) and (is_usable(item) or not usable):
                return item
        return None

    return until(find, f"{role} “{name}”")


def matches(text, name):
    return text == name or (name.endswith("…") and text.startswith(name[:-1]))


def act(item, *names):
    """Perform the first action of an item that is among the names."""
    action = item.queryAction()
    offered = [action.getName(index) for index in range(action.nActions)]
    wanted = next((name for name in names if name in offered), None)
    if wanted is None:
        sys.exit(f"{item.getRoleName()} “{item.name}” offers {offered}, not {names}")
    try:
        action.doAction(offered.index(wanted))
    except RuntimeError as error:
        if "reply" not in str(error):
            raise


def focus(item):
    act(item, "SetFocus")
    until(lambda: item.getState().contains(pyatspi.STATE_FOCUSED), f"the focus at “{item.name}”")


def program():
    return next(app for app in pyatspi.Registry.getDesktop(0) if app is not None and app.name == "lightloom")


def window():
    return next(each for each in program() if each.getRoleName() == "frame")


def dialog(title):
    """Wait for a dialog by the beginning of its title; return what finds it."""

    def find():
        return next((w for w in program() if w.getRoleName() == "dialog" and w.name.startswith(title)), None)

    until(find, f"dialog “{title}”")
    return find


def activate():
    """Make the window active, which window managers do after a dialog; here is none, so it is clicked."""
    bar = one(window, "menu bar", "").queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    x, y = bar.x + bar.width - 4, bar.y + bar.height // 2
    pyatspi.Registry.generateMouseEvent(x, y, "b1c")
    until(lambda: window().getState().contains(pyatspi.STATE_ACTIVE), "the active window")


def from_menu(menu, entry):
    bar = one(window, "menu bar", "")
    act(one(lambda: one(lambda: bar, "menu item", menu), "menu item", entry, usable=False), "Press")


def open_video(path):
    from_menu("File", "Open...")
    files = dialog("Open")
    one(files, "text", "File name:").queryEditableText().setTextContents(str(path))
    act(one(files, "push button", "Open"), "Press")
    until(lambda: path.name in window().name, f"“{path.name}” in the title of the window")


def add_effect(name):
    activate()
    search = one(window, "text", "Search looks, effects and networks")
    focus(search)
    search.queryEditableText().setTextContents(name)
    results = one(window, "list", "Looks, effects and networks")
    tile = one(lambda: results, "list item", f"{name},…")
    act(tile, "Toggle")
    focus(results)
    pyatspi.Registry.generateKeyboardEvent(ENTER, None, pyatspi.KEY_SYM)
    card = one(window, "list item", f"{name}, on")
    power = one(lambda: card, "check box", f"{name}: on or off")
    assert power.getState().contains(pyatspi.STATE_CHECKED), "the effect is on"


def export(target):
    from_menu("File", "Export the video...")
    form = dialog("Export")
    act(one(form, "push button", "Export"), "Press")
    queue = one(window, "tree", "Exports")
    until(lambda: any(item.name == target.name for item in within(queue)), f"“{target.name}” in the exports")
    until(target.exists, f"{target} written")


if __name__ == "__main__":
    pyatspi.setTimeout(REPLY_MS, 15000)
    video = Path(sys.argv[1])
    until(lambda: window().name, "the window")
    open_video(video)
    print("opened", flush=True)
    add_effect("Bloom")
    print("added", flush=True)
    export(Path(sys.argv[2]))
    print("exported", flush=True)
