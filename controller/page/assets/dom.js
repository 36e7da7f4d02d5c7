// Making elements, and asking the service.

const SVG = "http://www.w3.org/2000/svg";

/** An element. given: attributes; `text` is its text, functions are listeners. */
export function make(name, given = {}, ...children) {
  return filled(document.createElement(name), given, children);
}

/** The same of SVG. */
export function draw(name, given = {}, ...children) {
  return filled(document.createElementNS(SVG, name), given, children);
}

function filled(element, given, children) {
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") element.textContent = value;
    else if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** A list of choices: pairs of value and text. */
export function chooser(id, pairs, value, change, name = null) {
  const list = make("select", { id, name, change }, ...pairs.map(([one, text]) => make("option", { value: one, text })));
  list.value = value;
  return list;
}

/** Show a dialog until it is closed; the focus then goes back to where it was. */
export function showDialog(words, title, ...parts) {
  const opener = document.activeElement, name = opener?.dataset.focus;
  const dialog = make("dialog", { "aria-labelledby": "dialog-title", close: () => {
    dialog.remove();
    (opener?.isConnected ? opener : name && document.querySelector(`[data-focus="${CSS.escape(name)}"]`))?.focus();
  } },
  make("div", { class: "dialog-head" }, make("h2", { id: "dialog-title", text: title }),
    make("button", { type: "button", class: "plain", "aria-label": words.close, text: "✕", click: () => dialog.close() })), ...parts);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A photograph that the service kept; null where there is none. */
export function stillOf(place, alt) {
  return place ? make("img", { class: "still", src: withToken(place), alt, loading: "lazy" }) : null;
}

const filledWith = new WeakMap();
/** Put new children into an element, unless they would look the same; the focus stays where it was, or near it. */
export function refill(element, key, makeChildren) {
  const text = JSON.stringify(key);
  if (filledWith.get(element) === text) return;
  filledWith.set(element, text);
  const focused = element.contains(document.activeElement) ? document.activeElement : null, name = focused?.dataset.focus;
  element.replaceChildren(...makeChildren().filter((child) => child !== null));
  if (!focused || focused.isConnected) return;
  ((name && element.querySelector(`[data-focus="${CSS.escape(name)}"]`)) || element.closest("[tabindex]"))?.focus({ preventScroll: true });
}

const TOKEN = "blotlight-token";
export const memory = {
  get(key, otherwise = "") {
    try { return localStorage.getItem(key) ?? otherwise; } catch { return otherwise; }
  },
  set(key, value) {
    try { localStorage.setItem(key, value); } catch { /* private window: kept for this visit only */ }
  },
};

let token = memory.get(TOKEN);
export function keepToken(given) {
  token = given;
  memory.set(TOKEN, given);
}

let language = "en";
export function speak(given) {
  language = given;
  document.documentElement.lang = given;
}
export const spoken = () => language;

function address(path) {
  return `${path}${path.includes("?") ? "&" : "?"}language=${language}`;
}

let unanswered = "";
/** The texts of the page. From then on `ask` says in the language of the page that nobody answers. */
export async function askTexts() {
  const words = await ask("/texts");
  unanswered = words.unanswered;
  return words;
}

/** An answer of the service as an object; an Error with a sentence when it refuses or does not answer. */
export async function ask(path, init = {}) {
  const headers = { "X-Blotlight-Token": token, ...init.headers };
  let answer, found;
  try {
    answer = await fetch(address(path), { ...init, headers });
    found = await answer.json();
  } catch (error) {
    throw new Error(unanswered || error.message);
  }
  if (!answer.ok) throw new Error(found.problem ?? String(answer.status));
  return found;
}

/** Send a line, as people type it. */
export function sendLine(line) {
  return ask("/commands", { method: "POST", body: JSON.stringify({ line }) });
}

/** The address of something that cannot carry a header: a stream, a picture. */
export function withToken(path) {
  return address(token ? `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}` : path);
}

/** Silence after which the service counts as gone, though the connection never ended: it shows life every 15 s. */
export const SILENT_MS = 40000;

export function events() {
  return new EventSource(withToken("/events"));
}
