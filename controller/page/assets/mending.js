// Mending one half-turn: pick another play, type it, or put dice and checkers right; what it changes is shown first.

import { Board, turned, turnedPlace } from "./board.js";
import { ask, chooser, make, sendLine, showDialog, stillOf } from "./dom.js";

const SPOTS = 26;

class Mending {
  /** found: the plays that the service offers; names: of the players by their colours. */
  constructor(words, found, names, isTurned) {
    this.words = words;
    this.found = found;
    this.isTurned = isTurned;
    this.board = new Board(words, true);
    this.board.makePlaces((place) => this.tap(isTurned ? turnedPlace(place) : place));
    this.picked = null;
    this.edited = null;
    this.asked = 0;
    this.recordedRoll = this.roll = found.dice;
    this.dice = make("fieldset", { class: "roll-choice" });
    this.side = make("div");
    this.problem = make("p", { class: "problem", role: "alert" });
    const still = stillOf(found.still, words.still_of_turn);
    const title = `${words.half_turn} ${found.number}: ${names[found.player]} ${found.dice || "??"}`;
    this.shown(found.after);
    this.offerDice();
    this.offer();
    this.dialog = showDialog(words, title, make("p", {}, `${words.recorded}: `, make("strong", { text: found.recorded })),
      make("div", { class: "correction-body" }, make("div", { class: "correction-board" }, this.board.root, make("p", { class: "hint", text: words.put_right_hint })),
        make("div", { class: "correction-plays" }, this.dice, this.side), still), this.problem);
    this.dialog.classList.add("correction");
  }

  shown(view, picked = null) {
    const lamps = picked === null ? [] : [{ place: this.isTurned ? turnedPlace(picked) : picked, meaning: "BOOK", blink: "STEADY", rgb: [160, 0, 255], strength: 1, text: this.words.picked }];
    this.board.show(this.isTurned ? turned(view) : view, { lamps });
  }

  /** The dice of the half-turn, each of which may be put right. */
  offerDice() {
    const { words } = this;
    const faces = [1, 2, 3, 4, 5, 6].map((face) => [String(face), String(face)]);
    const dice = [words.first_die, words.second_die].map((name, n) => {
      const die = chooser(`die-${n}`, this.roll ? faces : [["", "?"], ...faces], this.roll[n] ?? "", () => {
        if (dice.every((one) => one.value)) this.rolled(dice.map((one) => one.value).join(""));
      });
      die.setAttribute("aria-label", name);
      return die;
    });
    this.dice.replaceChildren(make("legend", { text: words.roll }), ...dice);
  }

  /** Ask the service. Null when it refuses, which is shown, and when something else was asked meanwhile. */
  async answer(address) {
    const asked = ++this.asked;
    this.side.inert = true;
    let answered = null;
    let problem = "";
    try {
      answered = await ask(address);
    } catch (error) {
      problem = error.message;
    }
    if (asked !== this.asked) return null;
    this.side.inert = false;
    this.problem.textContent = problem;
    return answered;
  }

  /** People say what was thrown, "" for what is recorded: the plays of it are offered. */
  async rolled(roll) {
    const { game, number } = this.found;
    const found = await this.answer(`/plays/${game}/${number}?dice=${roll}`);
    if (!found) return;
    this.roll = roll;
    this.found = { ...this.found, plays: found.plays };
    if (!this.edited) this.offer();
  }

  get isOtherRoll() {
    return [...this.roll].sort().join("") !== [...this.recordedRoll].sort().join("");
  }

  /** The plays of the roll, and a line for typing another. */
  offer() {
    const { words, found } = this;
    const plays = make("ol", { class: "plays" }, ...found.plays.map((play) => make("li", {},
      make("button", { type: "button", text: play.text, click: () => this.compare({ play: play.position }),
        focus: () => this.shown(play.board), mouseenter: () => this.shown(play.board) }))));
    const field = make("input", { type: "text", name: "play", maxlength: "60", autocomplete: "off", spellcheck: "false", id: "typed-play", placeholder: "8/5 6/5" });
    const form = make("form", { class: "typed", submit: (event) => {
      event.preventDefault();
      if (field.value.trim()) this.compare({ typed: field.value.trim() });
    } }, make("label", { for: "typed-play", text: words.type_play }), field, make("button", { type: "submit", text: words.show_difference }));
    const dice = make("button", { type: "button", text: words.only_dice, click: () => this.compare({}) });
    this.side.replaceChildren(make("h3", { text: words.played_instead }), this.isOtherRoll ? make("div", { class: "buttons" }, dice) : "", found.plays.length ? plays : make("p", { class: "hint", text: words.no_other_play }), form);
  }

  /** Take a checker up, or put it down. */
  tap(place) {
    if (place >= SPOTS + 2) return;
    const view = this.edited ?? structuredClone(this.found.after);
    const row = place < 24 ? view.points : place < SPOTS ? view.bar : view.off;
    const at = place < 24 ? place : (place - 24) % 2;
    this.problem.textContent = "";
    if (this.picked === null) {
      if (row[at] === 0) return;
      this.picked = place;
      this.shown(view, place);
      return;
    }
    const from = this.picked < 24 ? view.points : this.picked < SPOTS ? view.bar : view.off;
    const fromAt = this.picked < 24 ? this.picked : (this.picked - 24) % 2;
    const sign = Math.sign(from[fromAt]);
    this.picked = null;
    if (row[at] * sign < 0) {
      this.problem.textContent = this.words.other_checkers;
      this.shown(view);
      return;
    }
    from[fromAt] -= sign;
    row[at] += sign;
    this.edited = view;
    this.shown(view);
    this.side.replaceChildren(make("h3", { text: this.words.put_right }), make("div", { class: "buttons" },
      make("button", { type: "button", class: "strong", text: this.words.show_difference, click: () => this.compare({ counts: [...view.points, ...view.bar].join(",") }) }),
      make("button", { type: "button", text: this.words.start_over, click: () => this.startOver() })));
  }

  async startOver() {
    this.edited = null;
    this.picked = null;
    if (this.isOtherRoll) await this.rolled(this.recordedRoll);
    this.shown(this.found.after);
    this.offerDice();
    this.offer();
    this.side.querySelector("button, input")?.focus();
  }

  /** Show what a correction would change, and let people accept it. */
  async compare(given) {
    const { words, found } = this;
    const difference = await this.answer(`/difference/${found.game}/${found.number}?${new URLSearchParams(this.isOtherRoll ? { ...given, dice: this.roll } : given)}`);
    if (!difference) return;
    this.shown(difference.board);
    const rows = difference.changes.map((one) => make("li", { class: one.is_legal ? "" : "ill" }, make("strong", { text: `${one.number}. ` }), make("s", { text: one.was }), ` → ${one.becomes}`,
      one.is_legal ? null : make("span", { class: "turn-mark", text: ` ! ${words.mark_illegal}` })));
    const accept = make("button", { type: "button", class: "strong", text: words.accept_difference, click: () => this.accept(difference.lines) });
    this.side.replaceChildren(make("h3", { text: words.difference }),
      rows.length ? make("ol", { class: "difference" }, ...rows) : make("p", { text: words.no_difference }),
      difference.warning ? make("p", { class: "problem", text: difference.warning }) : "",
      make("div", { class: "buttons" }, accept, make("button", { type: "button", text: words.start_over, click: () => this.startOver() })));
    accept.focus();
  }

  async accept(lines) {
    try {
      for (const line of lines) await sendLine(line);
      this.dialog.close();
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }
}

/** Open the dialog for half-turn `number` of `game`. Throws with a sentence when there is none. */
export async function openMending(words, game, number, players, isTurned) {
  const found = await ask(`/plays/${game}/${number}`);
  return new Mending(words, found, Object.fromEntries(players.map((one) => [one.colour, one.name])), isTurned);
}
