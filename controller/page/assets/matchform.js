// Who plays, how long, under which laws, and what the lights show.

import { ask, chooser, make, showDialog } from "./dom.js";

export class MatchForm {
  /** match: as the service gives it. submitted: called when people press Enter. */
  constructor(words, match, submitted) {
    const text = (name) => make("input", { type: "text", id: `match-${name}`, name, value: match[name], maxlength: "60", required: true, autocomplete: "off" });
    const length = make("input", { type: "number", id: "match-length", name: "length", value: String(match.length), min: "0", max: "999", required: true });
    const pairs = (options) => options.map((one) => [one.value, one.text]);
    const laws = chooser("match-laws", pairs(match.all_laws), match.laws, () => {}, "laws");
    const mode = chooser("match-mode", pairs(match.all_modes), match.mode, () => {}, "mode");
    const rows = [["white", text("white")], ["black", text("black")], ["length", length], ["laws", laws], ["mode", mode]];
    this.root = make("form", { class: "fields", submit: (event) => { event.preventDefault(); submitted(); } },
      ...rows.flatMap(([name, field]) => [make("label", { for: `match-${name}`, text: words[`setup_${name}`] }), field]));
  }

  /** What was filled in; null, and a hint beside the field, where something is missing. */
  given() {
    if (!this.root.reportValidity()) return null;
    const given = Object.fromEntries(new FormData(this.root));
    return { ...given, length: Number(given.length) };
  }
}

/** Ask who plays the next match. */
export async function openNewMatch(words) {
  const match = await ask("/match-choice");
  const problem = make("p", { class: "problem", role: "alert" });
  const begin = async () => {
    const given = form.given();
    if (!given) return;
    try {
      await ask("/setup", { method: "POST", body: JSON.stringify({ word: "match", ...given }) });
      dialog.close();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const form = new MatchForm(words, match, begin);
  const dialog = showDialog(words, words.new_match, make("p", { class: "hint", text: words.new_match_hint }), form.root, problem,
    make("div", { class: "buttons" }, make("button", { type: "button", class: "strong", text: words.new_match_begin, click: begin })));
}
