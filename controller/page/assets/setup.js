// Setting the board up: six steps, each with what is wrong and what to do. The service decides, this page shows.

import { Board } from "./board.js";
import { CornerPicture } from "./corners.js";
import { ask, chooser, make, refill } from "./dom.js";
import { MatchForm } from "./matchform.js";

export class SetupView {
  constructor(words) {
    this.words = words;
    this.state = null;
    const begin = make("button", { type: "button", class: "strong", text: words.setup_begin, click: () => this.say({ word: "begin" }) });
    this.intro = make("div", { class: "card setup-intro" }, make("p", { text: words.setup_intro }), make("div", { class: "buttons" }, begin));
    this.steps = make("ol", { class: "steps" });
    this.status = make("div", { class: "findings", "aria-live": "polite" });
    this.panel = make("section", { class: "card setup-panel", tabindex: "-1" });
    this.problem = make("p", { class: "problem", role: "alert" });
    this.foot = make("div", { class: "setup-foot" });
    this.desk = make("div", { class: "setup-desk" }, make("nav", { "aria-label": words.setup_steps }, this.steps), this.panel, this.problem, this.foot);
    this.root = make("div", { class: "setup" }, make("h1", { text: words.setup }), this.intro, this.desk);
    this.picture = new CornerPicture(words, (placed) => this.say({ word: "place", ...placed }));
    this.board = new Board(words, true);
    this.walkBoard = new Board(words, true);
    this.walkBoard.makePlaces((place) => this.say({ word: "lamp", place }));
    this.shownStep = null;
    this.show(null);
  }

  /** Say a word to the service. Where it refuses as before, no event follows, and its reason stays. */
  async say(said) {
    try {
      await ask("/setup", { method: "POST", body: JSON.stringify(said) });
      this.problem.textContent = this.state?.refusal ?? "";
      return true;
    } catch (error) {
      this.problem.textContent = error.message;
      return false;
    }
  }

  /** state: as the service gives it; null while nobody sets the board up. */
  show(state) {
    const refusal = this.state?.refusal;
    this.state = state;
    this.intro.hidden = state !== null;
    this.desk.hidden = state === null;
    if (!state) {
      this.shownStep = null;
      this.picture.close();
      return;
    }
    if (state.refusal !== refusal) this.problem.textContent = state.refusal;
    refill(this.steps, [state.steps, state.step], () => state.steps.map((step, n) => this.stepButton(step, n)));
    if (this.shownStep !== state.step) {
      const wasShown = this.shownStep !== null;
      this.shownStep = state.step;
      if (state.step !== "board") this.picture.close();
      this.fill = null;
      this.panel.replaceChildren(...PANELS[state.step](this, state));
      if (wasShown) this.panel.focus({ preventScroll: true });
    }
    this.fill?.(state);
    this.showFoot(state);
  }

  stepButton(step, n) {
    return make("li", {}, make("button", { type: "button", class: `step ${step.mark}`, "data-focus": step.name,
      "aria-current": step.name === this.state.step ? "step" : null, click: () => this.go(step.name) },
      make("span", { class: "step-mark", "aria-hidden": "true", text: { well: "✓", ill: "!" }[step.mark] ?? String(n + 1) }),
      make("span", { class: "step-title", text: step.title })));
  }

  showFoot(state) {
    const { words } = this;
    const at = state.steps.findIndex((step) => step.name === state.step);
    const next = state.steps[at + 1], before = state.steps[at - 1];
    const button = (name, text, isStrong, click, disabled = false) => make("button", { type: "button", class: isStrong ? "strong" : null, text, "data-focus": name, disabled, click });
    refill(this.foot, [state.step, state.is_ready], () => [
      before ? button("back", words.setup_back, false, () => this.go(before.name)) : null,
      next ? button("next", words.setup_next, true, () => this.go(next.name)) : null,
      make("span", { class: "gap" }),
      button("leave", words.setup_leave, false, () => this.say({ word: "leave" })),
      button("keep", words.setup_keep, !next, () => this.keep(), !state.is_ready),
    ]);
  }

  async go(step) {
    if (await this.nameMatch()) this.say({ word: "step", step });
  }

  async keep() {
    if (await this.nameMatch()) this.say({ word: "keep" });
  }

  /** Say who plays, where people are about to. Returns whether that was taken. */
  async nameMatch() {
    if (this.state.step !== "match") return true;
    const given = this.form.given();
    return given !== null && this.say({ word: "match", ...given });
  }

  found(findings) {
    const kindOf = (one) => one.kind ?? (one.is_well ? "well" : "ill");
    refill(this.status, findings, () => findings.map((one) => make("p", { class: `finding ${kindOf(one)}` },
      make("span", { class: "mark", "aria-hidden": "true", text: { well: "✓", ill: "!", wait: "›", more: "" }[kindOf(one)] }), make("span", { text: one.text }))));
  }
}

const head = (title, hint) => [make("h2", { text: title }), make("p", { class: "hint", text: hint })];

/** For each step what it is made of; `view.fill` then keeps it up to date. */
const PANELS = {
  board(view) {
    const { words } = view;
    view.fill = (state) => { view.picture.show(state); view.found(state.picture); };
    return [...head(words.setup_where, words.setup_where_hint), view.picture.root, view.status,
      make("div", { class: "buttons" }, make("button", { type: "button", text: words.setup_seek, click: () => view.say({ word: "seek" }) }))];
  },
  sides(view, first) {
    const { words } = view;
    const names = { white: first.match.white, black: first.match.black };
    const say = () => view.say({ word: "sides", light: light.value, white_home: home.value || null });
    const light = chooser("setup-light", [["white", names.white], ["black", names.black]], first.light, say);
    const home = chooser("setup-home", [["", words.setup_home_by_start], ...first.homes.map((one) => [one.value, one.text])], first.home, say);
    view.found([]);
    view.fill = (state) => view.board.show(state.board);
    return [...head(words.setup_who_sits, words.setup_who_sits_hint), make("div", { class: "fields" },
      make("label", { for: "setup-light", text: words.setup_light_player }), light, make("label", { for: "setup-home", text: words.setup_white_home }), home), view.board.root];
  },
  start(view) {
    const { words } = view;
    view.fill = (state) => {
      view.board.show(state.board, { lamps: state.lamps });
      view.found(state.start ? [state.start, ...state.wrong.map((text) => ({ text, kind: "more" }))] : [{ text: words.setup_looking, kind: "wait" }]);
    };
    return [...head(words.setup_start, words.setup_start_hint), view.board.root, view.status];
  },
  dice(view) {
    const { words } = view;
    const thrown = make("p", { class: "thrown" });
    view.fill = (state) => {
      thrown.textContent = state.faces.length ? state.faces.join(" – ") : "· · ·";
      view.found([state.dice.is_well ? state.dice : { ...state.dice, kind: "wait" }]);
    };
    return [...head(words.setup_dice, words.setup_dice_hint), thrown, view.status];
  },
  lights(view) {
    const { words } = view;
    const buttons = make("div", { class: "buttons" });
    const button = (name, text, isStrong, said) => make("button", { type: "button", class: isStrong ? "strong" : null, text, "data-focus": name, click: () => view.say(said()) });
    view.fill = (state) => {
      const empty = { ...state.board, points: Array(24).fill(0), guests: Array(24).fill(0), bar: [0, 0], off: [0, 0] };
      view.walkBoard.show(empty, { lamps: state.lamps });
      view.walkBoard.root.toggleAttribute("hidden", !state.is_walking);
      view.found(state.has_lights ? [state.walk].filter(Boolean).map((one) => (one.is_well ? one : { ...one, kind: "wait" })) : [{ text: words.setup_without_lights, is_well: true }]);
      refill(buttons, [state.has_lights, state.is_walking, state.walk !== null], () => (!state.has_lights ? [] : !state.is_walking
        ? [button("walk", words.setup_walk, state.walk === null, () => ({ word: "walk" }))]
        : [button("right", words.setup_lamp_right, true, () => ({ word: "lamp", place: view.state.lamp })),
          button("lamp-back", words.setup_lamp_back, false, () => ({ word: "lamp back" })),
          button("leave-walk", words.setup_walk_leave, false, () => ({ word: "leave walk" }))]));
    };
    return [...head(words.setup_lights, words.setup_lights_hint), view.status, view.walkBoard.root, buttons];
  },
  match(view, { match }) {
    view.form = new MatchForm(view.words, match, () => view.keep());
    view.found([]);
    return [...head(view.words.setup_match, view.words.setup_match_hint), view.form.root];
  },
};
