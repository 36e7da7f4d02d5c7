// The camera's picture, with what was read drawn on it.

import { ask, make, withToken } from "./dom.js";

const EVERY_MS = 600;

export class CameraView {
  constructor(words) {
    this.words = words;
    this.picture = make("img", { class: "camera-picture", alt: words.camera_picture });
    this.picture.hidden = true;
    this.problem = make("p", { class: "empty", text: words.waiting });
    this.figures = make("dl", { class: "figures" });
    this.root = make("div", { class: "camera-view" }, make("h1", { text: words.camera }),
      make("p", { class: "hint", text: words.camera_hint }), this.problem,
      make("div", { class: "camera-parts" }, this.picture, this.figures));
    this.isOpen = false;
    this.visits = 0;
  }

  open() {
    this.isOpen = true;
    this.visits += 1;
    this.loop(this.visits);
  }

  close() {
    this.isOpen = false;
  }

  /** Look until people leave. Who comes back at once begins another loop. */
  async loop(visit) {
    while (this.isOpen && visit === this.visits) {
      if (!document.hidden) await this.look();
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
  }

  async look() {
    try {
      const figures = await ask("/camera");
      const next = new Image();
      next.src = withToken(`/camera.jpg?at=${Date.now()}`);
      await next.decode();
      if (!this.isOpen) return;
      this.picture.src = next.src;
      this.picture.hidden = false;
      this.problem.hidden = true;
      this.show(figures);
    } catch (error) {
      this.problem.textContent = error.message || this.words.no_picture;
      this.problem.hidden = false;
    }
  }

  show(figures) {
    const { words } = this;
    const row = (name, text, isWell) => [make("dt", { text: name }),
      make("dd", { class: isWell ? "well" : "ill" }, make("span", { class: "mark", "aria-hidden": "true", text: isWell ? "✓" : "!" }), make("span", { text }))];
    this.figures.replaceChildren(
      ...row(words.light_of_picture, figures.light, figures.light_is_well),
      ...row(words.focus_of_picture, figures.focus, figures.focus_is_well),
      ...row(words.reading, figures.reading, figures.reading_is_well),
    );
  }
}
