// Begins: language, token, views by the part of the address after #, and the stream of the live view.

import { CameraView } from "./camera.js";
import { SILENT_MS, ask, askTexts, chooser, events, make } from "./dom.js";
import { beginAsBefore, fillNav, languageList, markLink, takeToken, themeButton } from "./head.js";
import { LiveView } from "./live.js";
import { MatchesView } from "./matches.js";
import { SetupView } from "./setup.js";
import { SOUNDS, chooseSound, chosenSound } from "./sound.js";

const VIEWS = ["live", "camera", "matches", "setup", "share"];
const view = document.getElementById("view"), lost = document.getElementById("lost"), busy = document.getElementById("busy");

class Page {
  async begin() {
    beginAsBefore();
    this.words = await askTexts();
    this.access = await ask("/access");
    this.live = new LiveView(this.words, this.access);
    this.camera = new CameraView(this.words);
    this.matches = new MatchesView(this.words, this.access);
    this.setup = new SetupView(this.words);
    this.fillHead();
    addEventListener("hashchange", () => { if (takeToken("live")) location.reload(); else this.route(true); });
    this.route(false);
    this.listen();
  }

  fillHead() {
    const { words } = this;
    const names = this.views = VIEWS.filter((name) => (name !== "share" || this.access.may_command) && (name !== "setup" || this.access.may_set_up));
    fillNav(words, names);
    const turn = make("button", { type: "button", class: "plain", "aria-label": words.turn_board, title: words.turn_board, text: "↻", click: () => {
      this.live.turnBoard();
      if (location.hash.startsWith("#matches/")) this.route(false);
    } });
    const sounds = chooser("sound", SOUNDS.map((name) => [name, words[`sound_${name}`]]), chosenSound(), () => chooseSound(sounds.value));
    sounds.setAttribute("aria-label", words.sound);
    document.getElementById("tools").replaceChildren(sounds, turn, themeButton(words), languageList(words));
  }

  /** Show the view that the address names. isMove: people went there, so the focus goes along. */
  route(isMove) {
    const [name, rest] = location.hash.slice(1).split("/");
    const wanted = this.views.includes(name) ? name : "live";
    markLink(wanted);
    this.camera.close();
    if (wanted === "camera") this.camera.open();
    if (wanted === "matches") this.matches.open(rest);
    const roots = { live: () => this.live.root, camera: () => this.camera.root, matches: () => this.matches.root, setup: () => this.setup.root, share: () => this.share() };
    view.replaceChildren(roots[wanted]());
    busy.hidden = this.setup.state === null || wanted === "setup";
    document.title = `${this.words[wanted]} – Blotlight`;
    if (isMove) { view.focus({ preventScroll: true }); scrollTo(0, 0); }
  }

  share() {
    const { words, access } = this;
    const head = make("h1", { text: words.share });
    if (!access.may_command) return make("div", { class: "share" }, head, make("p", { text: words.read_only }));
    const code = make("img", { class: "qr", alt: words.qr, src: `data:image/svg+xml,${encodeURIComponent(access.qr_svg)}` });
    return make("div", { class: "share" }, head, make("p", { text: words.share_hint }), code,
      make("p", { class: "address" }, make("a", { href: access.url, text: access.url })));
  }

  show(snapshot) {
    const wasSetUp = this.setup.state !== null, isSetUp = snapshot.setup !== null;
    this.live.show(snapshot);
    this.setup.show(snapshot.setup);
    busy.textContent = this.words.setup_goes_on;
    busy.hidden = !isSetUp || location.hash === "#setup";
    if (wasSetUp && !isSetUp && location.hash === "#setup") location.hash = "#live";
  }

  listen() {
    const source = events();
    let timer;
    const again = () => { clearTimeout(timer); source.close(); this.listen(); };
    const tellLost = () => { lost.textContent = this.words.connection_lost; lost.hidden = false; };
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => { tellLost(); again(); }, SILENT_MS);
    };
    heard();
    source.onmessage = (event) => {
      lost.hidden = true;
      heard();
      this.show(JSON.parse(event.data));
      document.body.dataset.shown = String(performance.now());
    };
    source.addEventListener("alive", heard);
    source.onerror = () => {
      tellLost();
      if (source.readyState === EventSource.CLOSED) { clearTimeout(timer); setTimeout(again, 2000); }
    };
    source.onopen = () => { lost.hidden = true; heard(); };
  }
}

takeToken("live");
const begin = () => new Page().begin().catch(() => setTimeout(begin, 2000));
begin();
