"""The steps of building the hardware, and a check by software of whether each is done."""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.device_checks import CheckStatus, Finding
from sentences import Key, say


@dataclass(frozen=True, kw_only=True)
class BuildStep:
    """A step of hardware/BUILDING.md.

    parts: the parts that `blotlight doctor` checks, by name; without the first one the step is not built.
    title: key of its name. unseen: key of the text about what no software can see, and how to check it.
    """

    name: str
    title: Key
    parts: tuple[str, ...]
    unseen: Key

    @property
    def page(self) -> str:
        """The section that says what to measure."""
        return f"hardware/COMMISSIONING.md, {self.name}"


STEPS = (
    BuildStep(
        name="Step 1",
        title=Key("camera_only"),
        parts=("camera", "light", "focus", "geometry", "supply", "permissions", "disk", "clock"),
        unseen=Key("push_the_arm"),
    ),
    BuildStep(
        name="Step 2",
        title=Key("lights"),
        parts=("GPIO library", "LED current"),
        unseen=Key("light_each_led"),
    ),
    BuildStep(
        name="Step 3",
        title=Key("dice_tray_or_bluetooth"),
        parts=("dice tray",),
        unseen=Key("die_into_each_well"),
    ),
)


def check_step(step: BuildStep, findings: Mapping[str, Finding]) -> Finding:
    """Whether a step is built, as far as software can see. findings: results of the checks, by part."""
    title = say(step.title)
    bad = [name for name in step.parts if name in findings and findings[name].state is CheckStatus.WRONG]
    if findings[step.parts[0]].state is CheckStatus.MISSING:
        state, words = CheckStatus.MISSING, say("step_not_built", title=title)
    elif bad:
        state = CheckStatus.WRONG
        words = say("step_built_badly", title=title, parts=", ".join(bad), page=step.page)
    else:
        state, words = CheckStatus.OK, say("step_built", title=title, unseen=say(step.unseen))
    return Finding(part=step.name.lower(), state=state, words=words)
