"""Each step of building is judged by the devices that belong to it."""

from hardware.device_checks import CheckStatus, Finding
from hardware.plans.build_steps import STEPS, check_step

OK, WRONG, MISSING = CheckStatus


def found(**states):
    names = {name.replace("_", " "): state for name, state in states.items()}
    return {name: Finding(part=name, state=state, words="") for name, state in names.items()}


def test_a_step_is_not_built_without_its_first_part():
    step = check_step(STEPS[0], found(camera=MISSING, light=MISSING, disk=OK))
    assert (step.part, step.state) == ("step 1", MISSING)


def test_a_step_names_the_parts_to_mind_and_the_page():
    step = check_step(
        STEPS[0],
        found(camera=OK, focus=WRONG, light=WRONG, supply=MISSING),
    )
    assert step.words == "Built (camera only), but mind light, focus: see hardware/COMMISSIONING.md, Step 1."
    assert step.state is WRONG


def test_a_step_that_is_done_says_what_only_a_person_can_see():
    step = check_step(STEPS[2], found(dice_tray=OK))
    assert step.state is OK
    assert step.words.endswith("by hand, lay a die into each well, each face up in turn.")
