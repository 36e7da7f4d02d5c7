// The stream of the boards.

import { SILENT_MS, ask, make, memory } from "./dom.js";

/** Save a file as whoever looks: the director gets it at once, spectators as late as they see. */
export async function save(path, name) {
  const answer = await fetch(path, { headers: { "X-Blotlight-Token": memory.get("blotlight-token") } });
  if (!answer.ok) throw new Error((await answer.json()).problem);
  const link = make("a", { href: URL.createObjectURL(await answer.blob()), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Show the state of a game on a Board. */
export function showState(board, state) {
  const mover = state.players.find((one) => one.is_on_roll);
  board.show(state.board, { dice: state.dice, diceAreLight: mover?.checkers === "light", cube: state.cube });
}

/** Call `heard` with the boards that changed, the first time with all. `lost` is told when the stream breaks or falls silent. */
export async function listen(heard, lost = () => {}, mayDirect = false) {
  let ticket = "";
  if (mayDirect) {
    try { ticket = (await ask("/tickets", { method: "POST", body: "{}" })).ticket; } catch { /* late, as everybody */ }
  }
  const source = new EventSource(`/events${ticket ? `?ticket=${ticket}` : ""}`);
  let timer;
  const again = () => {
    clearTimeout(timer);
    lost(true);
    source.close();
    setTimeout(() => listen(heard, lost, mayDirect), 1000);
  };
  const alive = () => { clearTimeout(timer); timer = setTimeout(again, SILENT_MS); };
  alive();
  source.onmessage = (event) => { alive(); lost(false); heard(JSON.parse(event.data).boards); };
  source.addEventListener("alive", alive);
  source.onerror = again;
}
