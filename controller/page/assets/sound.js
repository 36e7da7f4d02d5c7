// What is said aloud, or beeped: nothing until people ask for it, and never in tournament mode.

import { memory, spoken } from "./dom.js";

const KEY = "blotlight-sound", BEEP_S = 0.12;
const HZ = { offence: 330, won: 880, question: 550, refused: 440 };
export const SOUNDS = ["silent", "beeps", "voice"];

let context = null;

export const chosenSound = () => (SOUNDS.includes(memory.get(KEY)) ? memory.get(KEY) : SOUNDS[0]);

/** Choose a sound. Called when people tap: browsers let pages sound only from then on. */
export function chooseSound(name) {
  memory.set(KEY, name);
  globalThis.speechSynthesis?.cancel();
  if (name === "beeps") beep(HZ.won);
}

function beep(hz) {
  context ??= new AudioContext();
  context.resume();
  const tone = context.createOscillator(), volume = context.createGain();
  tone.frequency.value = hz;
  volume.gain.value = 0.2;
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + BEEP_S);
}

/** Let people hear sentences that were just said. maySound: whether the mode allows it. */
export function sound(fresh, maySound) {
  const chosen = chosenSound();
  if (!maySound || chosen === "silent") return;
  for (const one of fresh) {
    if (chosen === "beeps") {
      if (HZ[one.kind]) beep(HZ[one.kind]);
    } else if (globalThis.speechSynthesis) {
      const said = new SpeechSynthesisUtterance(one.text);
      said.lang = spoken();
      speechSynthesis.speak(said);
    }
  }
}
