// One board for streaming software: transparent, without anything to click.

import { ask, make, speak } from "./dom.js";
import { Board } from "./board.js";
import { listen, showState } from "./stream.js";

const table = Number(location.pathname.split("/").pop());
speak("en");
const words = await ask("/texts");
const board = new Board(words);
const bars = ["top", "bottom"].map(() => make("div", { class: "overlay-player" }));
document.getElementById("view").replaceChildren(bars[0], board.root, bars[1]);

function show(state) {
  showState(board, state);
  for (const [n, seat] of ["top", "bottom"].entries()) {
    const player = state.players.find((one) => one.seat === seat);
    bars[n].replaceChildren(
      make("span", { class: `disc ${player.checkers}` }), make("span", { class: "name", text: player.name }),
      make("span", { class: "overlay-turn", text: player.is_on_roll ? "●" : "" }),
      make("span", { class: "overlay-score", text: `${player.score}${state.length ? `/${state.length}` : ""}` }),
      make("span", { class: "overlay-pips", text: String(player.pips) }));
  }
}

listen((boards) => {
  const mine = boards.find((one) => one.table === table);
  if (mine?.state) show(mine.state);
});
