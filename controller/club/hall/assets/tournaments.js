// The tournaments: matches with their tables, results, standings; the director's forms.

import { ask, make, memory, refill, showDialog } from "./dom.js";
import { save } from "./stream.js";

const EVERY_MS = 2000;

export class TournamentsView {
  constructor(words, access) {
    this.words = words;
    this.access = access;
    this.shown = memory.get("blotlight-tournament");
    this.problem = make("p", { class: "problem", role: "alert" });
    this.picker = make("div", { class: "search" });
    this.body = make("div", { class: "tournament" });
    this.root = make("div", { class: "tournaments" }, make("h1", { text: words.tournaments }), this.problem, this.picker, this.body,
      ...(access.may_command ? [this.newForm()] : [make("p", { class: "hint", text: words.director_only })]));
    this.timer = null;
    this.looks = 0;
  }

  open() {
    clearTimeout(this.timer);
    this.look();
  }

  /** Shows what there is now. An answer that a later look has overtaken is not shown: it may be older than what is seen. */
  async look() {
    const look = ++this.looks;
    const asked = ask("/tournaments");
    await Promise.allSettled([asked]);
    if (look !== this.looks) return;
    try {
      this.tournaments = (await asked).tournaments;
      this.show();
    } catch (error) { this.problem.textContent = error.message; }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { if (this.root.isConnected && !document.hidden) this.look(); else this.timer = setTimeout(() => this.open(), EVERY_MS); }, EVERY_MS);
  }

  async send(path, data) {
    this.problem.textContent = "";
    try {
      const found = await ask(path, { method: "POST", body: JSON.stringify(data) });
      await this.look();
      return found;
    } catch (error) {
      this.problem.textContent = error.message;
      await this.look();
      return null;
    }
  }

  /** Changes a tournament, the one that is shown where none is named. */
  change(change, number = this.one.number) {
    const seen = this.tournaments.find((one) => one.number === number);
    return this.send(`/tournaments/${number}/changes`, { n_changes: seen?.n_changes, change });
  }

  show() {
    const { words } = this;
    if (!this.tournaments.length) {
      this.body.replaceChildren(make("p", { class: "empty", text: words.no_tournaments }));
      return;
    }
    this.one = this.tournaments.find((one) => String(one.number) === this.shown) ?? this.tournaments[0];
    refill(this.picker, this.tournaments.map((one) => [one.number, one.name]), () => {
      const select = make("select", { "aria-label": words.tournaments, change: () => {
        this.shown = select.value;
        memory.set("blotlight-tournament", select.value);
        this.show();
      } }, ...this.tournaments.map((one) => make("option", { value: String(one.number), text: one.name })));
      select.value = String(this.one.number);
      return [select];
    });
    const minute = this.one.left_ms === null ? null : Math.ceil(this.one.left_ms / 60000);
    const typing = this.body.contains(document.activeElement) && ["INPUT", "SELECT"].includes(document.activeElement.tagName);
    if (typing && this.drawn === this.one.number) return;
    this.drawn = this.one.number;
    refill(this.body, [this.one.number, this.one.n_changes, this.one.sections, minute], () => [this.head(minute), ...this.desk(),
      make("div", { class: "tournament-parts" }, this.rounds(), this.standings())]);
  }

  head(minute) {
    const { words, one } = this;
    const facts = [one.system, words.match_to.replace("%", one.lengths.join(", "))];
    if (minute !== null) facts.push(minute > 0 ? `${words.time_left}: ${minute} min` : words.time_over);
    return make("div", {}, make("h2", { class: "tournament-name", text: one.name }), make("p", { class: "hint", text: facts.join(" · ") }),
      make("div", { class: "buttons exports" },
        this.saver(words.standings_csv, `/tournaments/${one.number}/standings.csv`, `standings-${one.number}.csv`),
        this.saver(words.results_csv, `/tournaments/${one.number}/results.csv`, `results-${one.number}.csv`),
        this.access.may_command || !this.access.delay_s ? this.saver(words.all_matches, "/matches.zip", "matches.zip") : null,
        make("button", { type: "button", text: words.print, click: () => window.print() })));
  }

  saver(text, path, name) {
    return make("button", { type: "button", text, click: () => save(path, name).catch((error) => { this.problem.textContent = error.message; }) });
  }

  desk() {
    if (!this.access.may_command) return [];
    const { words, one } = this;
    const draw = one.may_draw && one.entrants.length > 1
      ? make("button", { type: "button", class: "strong", text: words.draw, click: () => this.change({ do: "draw", order: one.sections.length ? [] : this.lots() }) }) : null;
    const undraw = one.may_undraw ? make("button", { type: "button", text: words.undraw, click: () => this.change({ do: "undraw" }) }) : null;
    const clock = one.left_ms === null ? [] : [[words.more_time, 5], [words.less_time, -5]].map(([text, minutes]) =>
      make("button", { type: "button", text, click: () => this.send(`/tournaments/${one.number}/changes`, { change: { do: "prolong", minutes } }) }));
    const steps = [draw, ...clock, undraw].filter(Boolean);
    return [make("section", { class: "card desk-of-director" }, steps.length ? make("div", { class: "buttons" }, ...steps) : null, this.playerForm())];
  }

  /** Enters a player, or corrects, withdraws and brings back the one who is chosen. */
  playerForm() {
    const { words, one } = this;
    const field = (id, given) => make("input", { id, autocomplete: "off", ...given });
    const number = (id, min, max) => field(id, { type: "number", min, max });
    const name = field("new-player", { type: "text", maxlength: "60", required: true }), table = number("home-table", 1, 999);
    const rating = number("first-rating", 0, 5000), experience = number("first-experience", 0, 10000000);
    const labelled = [[words.search_player, name], [words.home_table, table], [words.first_rating, rating], [words.experience, experience]];
    rating.step = "any";
    rating.placeholder = "1500";
    experience.placeholder = "0";
    const add = make("button", { type: "submit" });
    const leave = make("button", { type: "button", class: "grave", text: words.withdraw, click: () => this.change({ do: "withdraw", number: Number(who.value) }) });
    const back = make("button", { type: "button", text: words.return, click: () => this.change({ do: "return", number: Number(who.value) }) });
    const choose = () => {
      const chosen = one.entrants.find((entrant) => String(entrant.number) === who.value);
      name.value = chosen?.name ?? "";
      table.value = chosen?.home_table ?? "";
      rating.value = chosen?.rating ?? "";
      experience.value = chosen?.experience ?? "";
      add.textContent = chosen ? words.save_as : words.add_player;
      leave.hidden = !chosen || chosen.is_out;
      back.hidden = !chosen?.is_out;
    };
    const who = make("select", { "aria-label": words.search_player, change: choose }, make("option", { value: "", text: words.new_player }),
      ...one.entrants.map((entrant) => make("option", { value: String(entrant.number), text: `${entrant.number} ${entrant.name}${entrant.is_out ? " ✕" : ""}` })));
    choose();
    return make("form", { class: "desk-form", submit: (event) => {
      event.preventDefault();
      document.activeElement.blur();
      const change = { do: who.value ? "amend" : "enter", number: Number(who.value), name: name.value, home_table: table.value ? Number(table.value) : null };
      if (rating.value) change.rating = Number(rating.value);
      if (experience.value) change.experience = Number(experience.value);
      this.change(change);
    } }, ...(one.entrants.length ? [who] : []), ...labelled.map(([text, input]) => make("label", { text }, input)), add, leave, back);
  }

  /** The entrants in an order by lot. */
  lots() {
    const numbers = this.one.entrants.map((entrant) => entrant.number);
    for (let n = numbers.length - 1; n > 0; n -= 1) {
      const lot = crypto.getRandomValues(new Uint32Array(1))[0] % (n + 1);
      [numbers[n], numbers[lot]] = [numbers[lot], numbers[n]];
    }
    return numbers;
  }

  rounds() {
    const { words, one } = this;
    return make("div", { class: "rounds" }, ...one.sections.map((section) => make("section", { class: "card" }, make("h2", { text: section.title }),
      make("table", { class: "fixtures" }, make("caption", { class: "visually-hidden", text: words.matches_of_round }),
        make("tbody", {}, ...section.fixtures.flatMap((fixture) => [this.fixture(fixture), ...this.doubt(fixture)]))))));
  }

  fixture(fixture) {
    const { words } = this;
    const player = (n) => make("td", { class: fixture.winner === fixture.players[n] ? "winner" : "" }, fixture.names[n] || words.bye);
    const isBye = !fixture.players[1];
    let how = words.open;
    if (fixture.end === "played") how = fixture.winner === fixture.players[0] ? fixture.score.join("–") : [...fixture.score].reverse().join("–");
    else if (fixture.end) how = fixture.end === "bye" ? "" : words.forfeit;
    return make("tr", { class: fixture.end ? "" : "open" },
      make("td", { class: "fixture-table", text: fixture.table ? `${words.table.replace("%", fixture.table)}` : "" }), player(0), player(1),
      make("td", { class: "fixture-result" }, make("span", { text: how }),
        this.access.may_command && !isBye ? make("button", { type: "button", class: "plain small-button", "aria-label": `${words.result} ${fixture.names.join(" – ")}`, text: "✎", "data-focus": fixture.key, click: () => this.mend(fixture) }) : null));
  }

  doubt(fixture) {
    return this.access.may_command && fixture.doubt ? [make("tr", {}, make("td", { class: "problem", colspan: "4", text: fixture.doubt }))] : [];
  }

  mend(fixture) {
    const { words } = this, { number: tournament } = this.one;
    const winner = make("select", { id: "winner" }, ...fixture.players.map((number, n) => make("option", { value: String(n), text: fixture.names[n] })));
    const points = make("input", { type: "number", id: "loser-points", min: "0", max: String(fixture.length - 1), value: String(fixture.end ? fixture.score[1] : 0) });
    const forfeit = make("input", { type: "checkbox", id: "forfeit" });
    forfeit.checked = fixture.end === "forfeit";
    if (fixture.winner) winner.value = String(fixture.players.indexOf(fixture.winner));
    const reopen = () => { dialog.close(); this.change({ do: "reopen", key: fixture.key }, tournament); };
    const dialog = showDialog(words, fixture.names.join(" – "), make("form", { class: "mend-form", method: "dialog", submit: () => {
      const n = Number(winner.value);
      const score = forfeit.checked ? [0, 0] : [fixture.length, Number(points.value)];
      this.change({ do: "result", key: fixture.key, winner: fixture.players[n], loser: fixture.players[1 - n], score, end: forfeit.checked ? "forfeit" : "played" }, tournament);
    } }, make("label", { for: "winner", text: words.winner }), winner, make("label", { for: "loser-points", text: words.loser_points }), points,
    make("label", { class: "check" }, forfeit, make("span", { text: words.forfeit })),
    make("div", { class: "buttons" }, make("button", { type: "submit", class: "strong", text: words.save_result }),
      fixture.has_result ? make("button", { type: "button", text: words.reopen, click: reopen }) : null)));
  }

  standings() {
    const { words, one } = this;
    const table = (title, rows) => make("section", { class: "card" }, make("h2", { text: title }), make("div", { class: "wide-table", tabindex: "0", role: "region", "aria-label": title }, make("table", { class: "standings" },
      make("thead", {}, make("tr", {}, ...[words.place, words.search_player, words.won, words.lost_matches, words.points, ...one.tie_breaks].map((text) => make("th", { scope: "col", text })))),
      make("tbody", {}, ...rows.map((row) => make("tr", { class: row.is_in ? "" : "out" }, make("td", { text: String(row.place) }), make("td", { text: row.name }), make("td", { text: String(row.won) }), make("td", { text: String(row.lost) }),
        make("td", { text: row.points.join("–") }), ...row.tie_breaks.map((value) => make("td", { text: String(value) }))))))));
    return make("div", { class: "rounds" }, table(words.standings, one.standings), ...(one.consolation.length ? [table(words.consolation, one.consolation)] : []));
  }

  newForm() {
    const { words } = this;
    const name = make("input", { type: "text", id: "plan-name", maxlength: "60", required: true });
    const system = make("select", { id: "plan-system" }, ...Object.entries(words.systems).map(([value, text]) => make("option", { value, text })));
    const lengths = make("input", { type: "text", id: "plan-lengths", value: "5", pattern: "[0-9 ,]+" });
    const side = make("input", { type: "text", id: "plan-side-lengths", pattern: "[0-9 ,]*" });
    const numbers = (input) => input.value.split(/[ ,]+/).filter(Boolean).map(Number);
    const rounds = make("input", { type: "number", id: "plan-rounds", min: "1", max: "40", value: "5" });
    const minutes = make("input", { type: "number", id: "plan-minutes", min: "1", max: "60", value: "9" });
    return make("details", { class: "card new-tournament" }, make("summary", { text: words.new_tournament }), make("form", { class: "mend-form", submit: async (event) => {
      event.preventDefault();
      const found = await this.send("/tournaments", { name: name.value, system: system.value, lengths: numbers(lengths), side_lengths: numbers(side), n_rounds: Number(rounds.value), minutes_a_point: Number(minutes.value) });
      if (found) { this.shown = String(found.number); memory.set("blotlight-tournament", this.shown); this.picker.replaceChildren(); this.look(); }
    } }, make("label", { for: "plan-name", text: words.name }), name, make("label", { for: "plan-system", text: words.system }), system,
      make("label", { for: "plan-lengths", text: words.lengths }), lengths, make("label", { for: "plan-side-lengths", text: words.side_lengths }), side,
      make("label", { for: "plan-rounds", text: words.n_rounds }), rounds,
      make("label", { for: "plan-minutes", text: words.minutes_a_point }), minutes,
      make("button", { type: "submit", class: "strong", text: words.make })));
  }
}
