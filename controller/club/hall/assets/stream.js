// The stream of the boards.

import { ask } from "./dom.js";

/** Call `heard` with the boards that changed, the first time with all. `lost` is told when the stream breaks. */
export async function listen(heard, lost = () => {}, mayDirect = false) {
  let ticket = "";
  if (mayDirect) {
    try { ticket = (await ask("/tickets", { method: "POST", body: "{}" })).ticket; } catch { /* late, as everybody */ }
  }
  const source = new EventSource(`/events${ticket ? `?ticket=${ticket}` : ""}`);
  source.onmessage = (event) => { lost(false); heard(JSON.parse(event.data).boards); };
  source.onerror = () => {
    lost(true);
    source.close();
    setTimeout(() => listen(heard, lost, mayDirect), 1000);
  };
}
