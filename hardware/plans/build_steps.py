"""The steps of building the hardware, and which parts that software can see tell whether one is done."""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.device_checks import CheckStatus, Finding


@dataclass(frozen=True, kw_only=True)
class BuildStep:
    """A step of hardware/BUILDING.md.

    parts: what the doctor looks at, by its names; without the first one the step is not built. unseen:
    what no software can see, and how to find it out.
    """

    name: str
    title: str
    parts: tuple[str, ...]
    unseen: str

    @property
    def page(self) -> str:
        """Where it stands what to measure."""
        return f"hardware/COMMISSIONING.md, {self.name}"


STEPS = (
    BuildStep(
        name="Step 1",
        title="camera only",
        parts=("camera", "light", "focus", "geometry", "supply", "permissions", "disk", "clock"),
        unseen="push the arm: the picture should come to rest within a second",
    ),
    BuildStep(
        name="Step 2",
        title="lights",
        parts=("GPIO library", "LED current"),
        unseen="blotlight doctor lights shows whether each LED lights",
    ),
    BuildStep(
        name="Step 3",
        title="dice tray or Bluetooth dice",
        parts=("dice tray",),
        unseen="lay a die into each well, each face up in turn",
    ),
)


def check_step(step: BuildStep, findings: Mapping[str, Finding]) -> Finding:
    """Whether a step is built, as far as software can see. findings: those of the devices, by their part."""
    if findings[step.parts[0]].state is CheckStatus.MISSING:
        words = f"Not built ({step.title}): hardware/BUILDING.md tells how."
        return _finding(step, CheckStatus.MISSING, words)
    bad = [name for name in step.parts if name in findings and findings[name].state is CheckStatus.WRONG]
    if bad:
        words = f"Built ({step.title}), but mind {', '.join(bad)}: see {step.page}."
        return _finding(step, CheckStatus.WRONG, words)
    return _finding(step, CheckStatus.OK, f"Built ({step.title}); by hand, {step.unseen}.")


def _finding(step: BuildStep, state: CheckStatus, words: str) -> Finding:
    return Finding(part=step.name.lower(), state=state, words=words)
