// All boards as small ones, and one of them large.

import { Board } from "./board.js";
import { ask, make, refill } from "./dom.js";
import { showState } from "./stream.js";

export class BoardsView {
  constructor(words, access) {
    this.words = words;
    this.access = access;
    this.tiles = new Map();
    this.chosen = null;
    this.calls = make("section", { class: "card calls", "aria-live": "polite" });
    this.calls.hidden = true;
    this.large = make("section", { class: "card large-board" });
    this.grid = make("div", { class: "hall-grid" });
    this.big = new Board(words);
    this.heading = make("h2", {});
    this.names = make("p", { class: "caption" });
    this.close = make("button", { type: "button", text: words.close, click: () => this.choose(null) });
    this.overlay = make("a", { class: "button", text: words.overlay, target: "_blank", rel: "noopener" });
    this.large.append(make("div", { class: "dialog-head" }, this.heading, make("div", { class: "buttons" }, this.overlay, this.close)), this.names, this.big.root);
    this.large.hidden = true;
    const late = access.delay_s ? [make("p", { class: "hint", text: `${words.delayed} ${access.delay_s} s` })] : [];
    this.root = make("div", { class: "hall" }, make("h1", { text: words.boards }), ...late, this.calls, this.large, this.grid);
  }

  open() {}

  heard(boards) {
    for (const one of boards) {
      const tile = this.tiles.get(one.board) ?? this.newTile(one);
      tile.entry = one;
      this.show(tile);
      if (this.chosen === one.board) this.showLarge(one);
    }
    this.showCalls();
  }

  newTile(one) {
    const { words } = this;
    const tile = { board: new Board(words, true), head: make("div", { class: "tile-head" }), lines: make("div", { class: "tile-lines" }) };
    tile.root = make("button", { type: "button", class: "card tile", click: () => this.choose(one.board) }, tile.head, tile.board.root, tile.lines);
    tile.board.root.setAttribute("aria-label", words.never_seen);
    tile.root.dataset.table = one.table;
    tile.root.dataset.focus = one.board;
    this.tiles.set(one.board, tile);
    const later = [...this.grid.children].find((other) => Number(other.dataset.table) > one.table);
    this.grid.insertBefore(tile.root, later ?? null);
    return tile;
  }

  badges(one) {
    const { words } = this;
    const badge = (kind, sign, text) => make("span", { class: `badge ${kind}` }, make("span", { "aria-hidden": "true", text: sign }), make("span", { text }));
    return [
      one.is_online ? null : badge("gone", "✕", one.state ? words.offline : words.never_seen),
      one.is_called ? badge("called", "◆", words.called) : null,
      one.state?.offences.length ? badge("ill", "!", words.offence) : null,
      one.state?.has_question ? badge("asked", "?", words.question) : null,
      one.is_online && one.missing.length ? badge("ill", "!", words.device_gone) : null,
    ].filter(Boolean);
  }

  lines(state) {
    return state.players.map((player) => make("div", { class: player.is_on_roll ? "tile-line on-roll" : "tile-line" },
      make("span", { class: `disc ${player.checkers}` }), make("span", { class: "tile-name", text: player.name }),
      make("span", { class: "tile-turn", "aria-label": player.is_on_roll ? this.words.on_roll : null, text: player.is_on_roll ? "●" : "" }),
      make("span", { class: "points", text: String(player.score) })));
  }

  show(tile) {
    const { entry: one, head, lines, board, root } = tile;
    const { state } = one;
    root.classList.toggle("off", !one.is_online);
    root.classList.toggle("is-called", one.is_called);
    const length = state?.length ? this.words.match_to.replace("%", state.length) : "";
    refill(head, [one.is_online, one.is_called, one.missing, state?.offences, state?.has_question, length], () => [
      make("span", { class: "tile-table", text: `${this.words.table.replace("%", one.table)}` }), make("span", { class: "hint", text: length }), ...this.badges(one)]);
    if (!state) return;
    refill(lines, state.players, () => this.lines(state));
    showState(board, state);
    root.dataset.shownMs = String(Date.now() - state.t_ms);
  }

  choose(name) {
    this.chosen = name;
    this.large.hidden = !name;
    if (!name) return;
    this.showLarge(this.tiles.get(name).entry);
    this.large.scrollIntoView({ block: "start" });
    this.close.focus({ preventScroll: true });
  }

  showLarge(one) {
    this.heading.textContent = `${this.words.table.replace("%", one.table)}`;
    this.overlay.href = `/overlay/${one.table}`;
    this.big.root.hidden = !one.state;
    const names = one.state?.players.flatMap((player, n) => [n ? " – " : "", make("bdi", { text: player.name }), ` ${player.score}`]);
    this.names.replaceChildren(...(names ?? [this.words.never_seen]));
    if (one.state) showState(this.big, one.state);
  }

  showCalls() {
    const calling = [...this.tiles.values()].map((tile) => tile.entry).filter((one) => one.is_called).sort((a, b) => a.table - b.table);
    this.calls.hidden = !calling.length;
    refill(this.calls, calling.map((one) => one.board), () => [make("ul", { class: "call-list" }, ...calling.map((one) => make("li", {},
      make("span", { text: this.words.calls.replace("%", one.table) }),
      ...(this.access.may_command ? [make("button", { type: "button", text: this.words.call_done, "data-focus": one.board, click: () => ask(`/calls/${one.board}`, { method: "POST", body: "{}" }) })] : []))))]);
  }
}
