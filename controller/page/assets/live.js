// The live view: the board, who plays, what is asked and said, the half-turns.

import { Board, drawnLamp, turned, turnedPlace } from "./board.js";
import { draw, make, memory, refill, sendLine } from "./dom.js";
import { openNewMatch } from "./matchform.js";
import { openMending } from "./mending.js";
import { sound } from "./sound.js";

/** Words that may be said now, but are not what is waited for. */
const ASIDE = ["double", "cocked"];

/** The live view. words: the texts of the page; access: whether this browser may command. */
export class LiveView {
  constructor(words, access) {
    this.words = words;
    this.access = access;
    this.snapshot = null;
    this.isTurned = memory.get("blotlight-turned") === "yes";
    this.board = new Board(words);
    this.part = Object.fromEntries(["top", "bottom", "status", "question", "problem", "desk", "lamps", "told", "turns", "devices"]
      .map((name) => [name, make("div", { class: name })]));
    const { top, bottom, status, question, problem, desk, lamps, told, turns, devices } = this.part;
    problem.setAttribute("role", "alert");
    this.said = make("p", { class: "visually-hidden", "aria-live": "polite" });
    this.alarm = make("p", { class: "visually-hidden", role: "alert" });
    this.nothing = make("p", { class: "empty", text: words.waiting });
    this.table = make("div", { class: "table" }, top, this.board.root, bottom, lamps);
    const section = (title, part, name) => make("section", { class: `card ${name}-card` },
      make("h2", { text: title }), part);
    this.side = make("div", { class: "side" }, question,
      make("section", { class: "card desk-card", "aria-label": words.desk }, status, desk, problem),
      section(words.told, told, "told"), section(words.half_turns, turns, "turns"),
      section(words.devices, devices, "devices"));
    this.turns = turns;
    this.root = make("div", { class: "live" }, make("h1", { class: "visually-hidden", text: words.live }),
      this.nothing, this.table, this.side, this.said, this.alarm);
    this.newest = null;
    this.table.hidden = this.side.hidden = true;
  }

  turnBoard() {
    this.isTurned = !this.isTurned;
    memory.set("blotlight-turned", this.isTurned ? "yes" : "no");
    if (this.snapshot) this.show(this.snapshot);
  }

  /** Whether buttons that send words are shown. */
  get mayCommand() {
    return this.access.may_command;
  }

  show(snapshot) {
    const { words } = this;
    this.snapshot = snapshot;
    this.nothing.hidden = true;
    this.table.hidden = this.side.hidden = false;
    const mover = snapshot.players.find((player) => player.is_on_roll);
    const flip = (place) => (this.isTurned ? turnedPlace(place) : place);
    const sureness = snapshot.sureness.slice(0, 24);
    const cubePlace = { top: "bottom", bottom: "top", middle: "middle" };
    this.board.show(this.isTurned ? turned(snapshot.board) : snapshot.board, {
      dice: snapshot.dice, diceAreLight: mover?.checkers === "light",
      cube: snapshot.cube && (this.isTurned ? { ...snapshot.cube, place: cubePlace[snapshot.cube.place] } : snapshot.cube),
      lamps: snapshot.lamps.map((lamp) => ({ ...lamp, place: flip(lamp.place) })),
      sureness: this.isTurned ? sureness.map((_, place) => sureness[23 - place]) : sureness,
    });
    for (const side of ["top", "bottom"]) {
      const seat = this.isTurned ? { top: "bottom", bottom: "top" }[side] : side;
      const player = snapshot.players.find((one) => one.seat === seat);
      refill(this.part[side], [player, snapshot.cube], () => this.player(player, snapshot));
    }
    this.table.classList.toggle("paused", snapshot.is_paused);
    refill(this.part.status, [snapshot.turn, snapshot.score, snapshot.cube_text, snapshot.is_crawford], () => [
      make("p", { class: snapshot.is_paused ? "turn paused" : "turn", text: snapshot.turn }),
      make("p", { class: "score", text: [words.score, snapshot.score].join(" ") + (snapshot.cube_text ? ` · ${snapshot.cube_text}` : "") }),
    ]);
    refill(this.part.question, [snapshot.questions, this.mayCommand], () => snapshot.questions.map((one) => this.question(one)));
    refill(this.part.desk, [snapshot.desk, snapshot.mend, this.mayCommand, this.access.commands_exist], () => this.desk(snapshot));
    refill(this.part.lamps, snapshot.lamps, () => this.legend(snapshot));
    refill(this.part.told, snapshot.told, () => this.tellings(snapshot));
    this.showTurns(snapshot);
    refill(this.part.devices, snapshot.devices, () => this.devices(snapshot));
    this.announce(snapshot.told, snapshot.may_sound);
  }

  player(player, snapshot) {
    const { words } = this;
    const owns = snapshot.cube?.owner === player.colour;
    return [make("span", { class: "who" }, make("span", { class: `disc ${player.checkers}` }),
      make("span", { class: "name", text: player.name }),
      player.is_on_roll ? make("span", { class: "roll-mark" }, "◀ ", make("span", { text: words.on_roll })) : null),
      make("span", { class: "facts" },
        owns ? make("span", { class: "chip", text: `${words.cube} ${snapshot.cube.value}` }) : null,
        make("span", { text: `${words.pips} ${player.pips}` }),
        make("span", { class: "points", text: `${words.score} ${player.score}` }))];
  }

  button(choice, kind = "") {
    return make("button", {
      type: "button", class: kind, text: choice.text, "data-focus": choice.line, click: () => this.send(choice.line),
    });
  }

  async send(line) {
    this.part.problem.textContent = "";
    try {
      await sendLine(line);
    } catch (error) {
      this.part.problem.textContent = error.message;
    }
  }

  question(question) {
    const answers = this.mayCommand
      ? make("div", { class: "buttons" }, ...question.choices.map((choice) => this.button(choice, "strong")))
      : make("ul", {}, ...question.choices.map((choice) => make("li", { text: choice.text })));
    return make("section", { class: "card asking", "aria-label": this.words.question },
      make("p", { text: question.text }), answers);
  }

  desk(snapshot) {
    if (!this.mayCommand) {
      return this.access.commands_exist ? [make("p", { class: "hint", text: this.words.read_only })] : [];
    }
    const [first, later, more] = [[], [], []];
    for (const choice of snapshot.desk) (choice.line.startsWith("resign") ? later : first).push(choice);
    const found = [make("div", { class: "buttons" }, ...first.map((choice) => this.button(choice, ASIDE.includes(choice.line) ? "" : "strong")),
      ...snapshot.mend.map((choice) => this.button(choice)))];
    if (this.access.may_set_up) {
      const next = make("button", { type: "button", text: this.words.new_match, "data-focus": "new match", click: () => openNewMatch(this.words) });
      if (later.length) more.push(next);
      else found[0].append(next);
    }
    if (later.length) {
      found.push(make("details", {}, make("summary", { text: this.words.give_up, "data-focus": "resigning" }),
        make("div", { class: "buttons" }, ...later.map((choice) => this.button(choice, "grave")), ...more)));
    }
    return found;
  }

  legend(snapshot) {
    const kinds = new Map();
    for (const lamp of snapshot.lamps) {
      const place = lamp.place < 24 ? snapshot.board.labels[lamp.place] : lamp.place < 26 ? this.words.bar : this.words.off;
      kinds.set(lamp.meaning, { lamp, places: [...(kinds.get(lamp.meaning)?.places ?? []), place] });
    }
    if (!kinds.size) return [];
    return [make("ul", {}, ...[...kinds.values()].map(({ lamp, places }) => make("li", {},
      draw("svg", { viewBox: "-24 -24 48 48", class: "lamp-icon", "aria-hidden": "true" },
        drawnLamp(lamp)),
      `${lamp.text}: ${places.join(", ")}`)))];
  }

  tellings(snapshot) {
    const told = snapshot.told.slice(-8).reverse();
    if (!told.length) return [make("p", { class: "hint", text: this.words.nothing_told })];
    return [make("ol", { class: "tellings" }, ...told.map((one) => make("li", { class: one.kind },
      make("time", { text: one.time }), make("span", { text: one.text }))))];
  }

  announce(told, maySound) {
    const fresh = this.newest === null ? [] : told.filter((one) => one.number > this.newest);
    this.newest = told.at(-1)?.number ?? 0;
    sound(fresh, maySound);
    const of = (isGrave) => fresh.filter((one) => (one.kind === "offence") === isGrave).map((one) => one.text).join(" ");
    if (of(false)) this.said.textContent = of(false);
    if (of(true)) this.alarm.textContent = of(true);
  }

  showTurns(snapshot) {
    const isAtEnd = this.turns.scrollTop + this.turns.clientHeight >= this.turns.scrollHeight - 8;
    refill(this.turns, [snapshot.turns, snapshot.game, this.mayCommand], () => [turnTable(this.words, snapshot.players, snapshot.turns,
      (turn) => (this.mayCommand ? () => this.openCorrection(snapshot.game, turn.number) : null))]);
    if (isAtEnd) this.turns.scrollTop = this.turns.scrollHeight;
  }

  devices(snapshot) {
    const marks = (one) => (!one.is_set_up ? "unused" : one.is_here ? "here" : "gone");
    return [make("ul", { class: "device-list" }, ...snapshot.devices.map((one) =>
      make("li", { class: marks(one) }, make("span", { class: "mark", "aria-hidden": "true", text: { here: "✓", gone: "!", unused: "–" }[marks(one)] }),
        make("span", { text: one.text }))))];
  }

  /** What may have been played instead in a half-turn. */
  async openCorrection(game, number) {
    this.part.problem.textContent = "";
    try {
      await openMending(this.words, game, number, this.snapshot.players, this.isTurned);
    } catch (error) {
      this.part.problem.textContent = error.message;
    }
  }
}

/** The half-turns of a game: White's on the left, Black's on the right. opens: what a tap on one does. */
export function turnTable(words, players, turns, opens, current = null) {
  const colours = ["white", "black"];
  const rows = [];
  for (const turn of turns) {
    const side = colours.indexOf(turn.player);
    if (!rows.length || side === 0 || rows.at(-1)[1]) rows.push([null, null]);
    rows.at(-1)[side] = turn;
  }
  const cell = (turn) => {
    if (!turn) return make("td");
    const marks = [turn.is_legal ? null : ["!", words.mark_illegal], turn.is_inferred ? ["?", words.mark_inferred] : null,
      turn.is_unseen ? ["~", words.mark_unseen] : null].filter(Boolean);
    const content = [make("span", { class: "dice-text", text: turn.dice || "??" }), make("span", { class: "play", text: turn.play }),
      ...marks.map(([sign, meaning]) => make("abbr", { class: "turn-mark", title: meaning, text: sign }))];
    const open = opens(turn);
    const isCurrent = turn.number === current;
    const inner = open
      ? make("button", { type: "button", class: `turn-button${isCurrent ? " current" : ""}`, "data-focus": `turn ${turn.number}`,
        "aria-current": isCurrent ? "true" : null, click: open }, make("span", { class: "visually-hidden", text: `${words.half_turn} ${turn.number}: ` }), ...content)
      : make("span", { class: "turn-text" }, ...content);
    return make("td", {}, inner);
  };
  if (!turns.length) return make("p", { class: "hint", text: words.no_half_turns });
  const name = (colour) => players.find((one) => one.colour === colour).name;
  return make("table", { class: "turn-table" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "visually-hidden", text: words.row })), ...colours.map((colour) => make("th", { scope: "col", text: name(colour) })))),
    make("tbody", {}, ...rows.map((row, n) => make("tr", {}, make("th", { scope: "row", text: String(n + 1) }), ...row.map(cell)))));
}
