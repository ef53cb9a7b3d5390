"""Opacity, blend modes and masks of stages in the window: their card, drawing in the video, undo and copies."""

from __future__ import annotations

from dataclasses import replace

from desktop.pipeline.masks.spec import MaskPart, MaskSpec
from desktop.ui.workspace.history import AppliedLook


def part(ui, kind: str, join: str = "add", **values: object) -> MaskPart:
    return MaskPart(kind, ui.workspace.library.mask(kind).check(values), join)


def mixing_of(stage) -> tuple[object, ...]:
    return stage.opacity, stage.blend, stage.mask


def test_copies_keep_opacity_blend_mode_and_mask(ui):
    edits = ui.workspace.edits
    first = edits.add_filter("gaussian_blur")
    edits.set_opacity(first, 0.6)
    edits.set_blend(first, "multiply")
    edits.set_mask(first, MaskSpec((part(ui, "ellipse", width=20.0),), feather=2.0))
    wanted = mixing_of(edits.chain.find(first))
    assert wanted[:2] == (0.6, "multiply") and wanted[2].feather == 2.0
    edits.duplicate_stage(first)
    edits.copy_stages((first,))
    edits.paste_stages()
    assert [mixing_of(stage) for stage in edits.chain.stages] == [wanted] * 3
    edits.set_enabled(first, False)
    edits.move_stage(first, 2)
    edits.set_value(first, "radius", 5.0)
    assert mixing_of(edits.chain.find(first)) == wanted
    assert mixing_of(edits.fitted(edits.chain, {"gaussian_blur"}).find(first)) == wanted


def test_a_copied_mask_reads_the_copied_effect(ui):
    edits = ui.workspace.edits
    first, second = edits.add_filter("invert"), edits.add_filter("gaussian_blur")
    edits.set_mask(second, MaskSpec((part(ui, "stage", stage=first),)))
    edits.copy_stages(())
    edits.paste_stages()
    assert len(edits.chain.stages) == 4
    source, reader = edits.chain.stages[2:]
    assert reader.mask.parts[0].values["stage"] == source.id != first
    # Alone, it reads what it read before.
    edits.duplicate_stage(second)
    assert edits.chain.stages[2].mask.parts[0].values["stage"] == first


def test_steps_of_a_drag_are_undone_together(ui):
    edits = ui.workspace.edits
    stage = edits.add_filter("invert")
    for opacity in (0.9, 0.7, 0.5):
        edits.set_opacity(stage, opacity)
    edits.seal()
    edits.set_opacity(stage, 0.2)
    assert edits.undo_label == "Opacity of Invert"
    edits.undo()
    assert edits.chain.find(stage).opacity == 0.5
    edits.undo()
    assert edits.chain.find(stage).opacity == 1.0
    edits.redo()
    edits.set_mask(stage, MaskSpec((part(ui, "ellipse"),)))
    edits.set_mask(stage, MaskSpec())
    assert edits.chain.find(stage).mask is None


def test_a_look_is_edited_once_its_mixing_is(ui):
    edits = ui.workspace.edits
    stage = edits.add_filter("invert")
    look = AppliedLook("Mine", edits.chain)
    assert look.is_unchanged(edits.setup)
    for change in ({"opacity": 0.5}, {"blend": "screen"}, {"mask": MaskSpec((part(ui, "ellipse"),))}):
        changed = edits.chain.with_mixing(stage, **change)
        assert not look.is_unchanged(replace(edits.setup, chain=changed))
