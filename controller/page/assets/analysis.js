// What GNU Backgammon says of a kept match: the players, the mistakes, and the curve of winning chances.

import { ask, draw, make, spoken } from "./dom.js";

const WIDTH = 360, HEIGHT = 120, EVERY_MS = 1500;
const THREE_DIGITS = { minimumFractionDigits: 3, maximumFractionDigits: 3 };
const thousandths = (number) => number.toLocaleString(spoken(), THREE_DIGITS);

export class AnalysisPart {
  /** goes: gets a game (from 0) and a half-turn that people want to see. */
  constructor(words, entry, players, mayCommand, goes) {
    Object.assign(this, { words, entry, players, mayCommand, goes });
    this.body = make("div", {});
    this.root = make("section", { class: "card analysis" }, make("h2", { text: words.analysis }), this.body);
    this.marked = [1, 0];
    this.look();
  }

  async look() {
    let found;
    try {
      found = await ask(`/matches/${this.entry.number}/analysis`);
    } catch (error) {
      this.body.replaceChildren(make("p", { class: "problem", text: error.message }));
      return;
    }
    this.show(found);
    if (found.state === "running") setTimeout(() => { if (this.root.isConnected) this.look(); }, EVERY_MS);
  }

  async begin() {
    try {
      await ask(`/matches/${this.entry.number}/analysis`, { method: "POST" });
      this.look();
    } catch (error) {
      this.body.append(make("p", { class: "problem", role: "alert", text: error.message }));
    }
  }

  show(found) {
    const { words } = this;
    const begin = this.mayCommand ? make("button", { type: "button", text: words.analyse, click: () => this.begin() }) : make("p", { class: "hint", text: words.not_analysed_yet });
    const states = {
      absent: () => [make("p", { class: "hint", text: words.analysis_absent })],
      none: () => [begin],
      failed: () => [make("p", { class: "problem", text: found.problem }), begin],
      running: () => [make("p", { class: "hint", role: "status", text: `${words.analysing} ${Math.round(found.share * 100)} %` }), make("progress", { value: found.share, max: 1, "aria-label": words.analysing })],
      done: () => this.results(found),
    };
    this.body.replaceChildren(...states[found.state]());
    this.mark(...this.marked);
  }

  results({ players, mistakes, figures }) {
    const { words } = this;
    const rates = make("table", { class: "rates" }, make("thead", {}, make("tr", {}, ...["", words.error_rate, words.luck].map((text) => make(text ? "th" : "td", { scope: text ? "col" : null, text })))),
      make("tbody", {}, ...players.map((one) => make("tr", {}, make("th", { scope: "row", text: one.name }), make("td", { text: `${one.error_rate} (${one.rating})` }), make("td", { text: one.luck })))));
    const worst = make("ol", { class: "mistakes" }, ...mistakes.map((one) => make("li", {}, make("button", { type: "button", click: () => this.goes(one.game - 1, one.number) },
      make("span", { class: "loss", text: `−${thousandths(one.loss)}` }),
      make("span", { class: "mistake", text: `${one.game}/${one.number} ${one.name}: ${one.played} → ${one.better}` })))));
    this.figures = figures;
    this.curve = this.drawCurve(figures);
    return [rates, make("h3", { text: `${words.winning_chances}: ${this.entry.white}` }), this.curve, this.said = make("p", { class: "hint", "aria-live": "polite" }),
      make("h3", { text: words.mistakes }), mistakes.length ? worst : make("p", { class: "hint", text: words.no_mistakes })];
  }

  drawCurve(figures) {
    const x = (n) => (n / Math.max(1, figures.length - 1)) * WIDTH, y = (win) => (1 - win) * HEIGHT;
    const ends = figures.flatMap((one, n) => (n && one.game !== figures[n - 1].game ? [draw("line", { class: "game-end", x1: x(n - 0.5), x2: x(n - 0.5), y1: 0, y2: HEIGHT })] : []));
    this.needle = draw("line", { class: "needle", y1: 0, y2: HEIGHT });
    const curve = draw("svg", { class: "curve", viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`, role: "img", preserveAspectRatio: "none",
      "aria-label": `${this.words.winning_chances}: ${figures.map((one) => Math.round(one.win * 100)).join(", ")}` },
      draw("line", { class: "even", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }), ...ends,
      draw("polyline", { points: figures.map((one, n) => `${x(n)},${y(one.win)}`).join(" ") }), this.needle);
    curve.addEventListener("click", (event) => {
      const box = curve.getBoundingClientRect();
      const one = figures[Math.round(((event.clientX - box.left) / box.width) * (figures.length - 1))];
      if (one) this.goes(one.game - 1, one.number);
    });
    return curve;
  }

  /** Show where the board beside stands. */
  mark(game, number) {
    this.marked = [game, number];
    if (!this.figures || !this.needle) return;
    const at = this.figures.findIndex((one) => one.game === game && one.number === number);
    this.needle.toggleAttribute("hidden", at < 0);
    const x = (at / Math.max(1, this.figures.length - 1)) * WIDTH;
    this.needle.setAttribute("x1", x);
    this.needle.setAttribute("x2", x);
    const one = this.figures[at];
    this.said.textContent = one ? `${Math.round(one.win * 100)} % · ${this.words.luck} ${thousandths(one.luck)}` : "";
  }
}
