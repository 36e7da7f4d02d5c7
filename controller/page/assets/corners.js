// The camera's picture with the field's four corners and the bar's two edges, all of which can be dragged.

import { draw, make, withToken } from "./dom.js";

const EVERY_MS = 700;
const CORNERS = ["corner_top_left", "corner_top_right", "corner_bottom_right", "corner_bottom_left"];
const EDGES = ["bar_left", "bar_right"];
const NARROWEST = 0.01, BAR_ENDS = [0.21, 0.79];

/** (u, v) of the unit square to the quadrilateral of four corners (Heckbert 1989, section 2.2.3). */
function homography([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const area = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / area, h = (dx1 * sy - sx * dy1) / area;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  return {
    to: (u, v) => { const w = g * u + h * v + 1; return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w]; },
    from: (x, y) => {
      const [p, q, r, s] = [a - g * x, b - h * x, d - g * y, e - h * y];
      const [m, n] = [x - x0, y - y0], whole = p * s - q * r;
      return [(m * s - q * n) / whole, (p * n - m * r) / whole];
    },
  };
}

export class CornerPicture {
  /** placed: gets {corners_px, bar} whenever people have put something elsewhere. */
  constructor(words, placed) {
    this.words = words;
    this.placed = placed;
    this.image = make("img", { alt: words.camera_picture });
    this.lines = draw("g", { class: "field-lines" });
    this.handles = [...CORNERS, ...EDGES].map((name, n) => {
      const root = draw("g", { class: n < 4 ? "handle" : "handle edge", tabindex: "0", role: "button", "aria-label": words[name] },
        draw("circle", { class: "reach", r: 1 }), draw("circle", { class: "grip", r: 1 }));
      root.addEventListener("pointerdown", (event) => this.grab(event, n));
      root.addEventListener("keydown", (event) => this.step(event, n));
      return root;
    });
    this.svg = draw("svg", { role: "group", "aria-label": words.corners }, this.lines, ...this.handles);
    this.root = make("div", { class: "corner-picture" }, this.image, this.svg);
    this.local = null;
    this.timer = null;
    this.visits = 0;
  }

  show(state) {
    this.svg.toggleAttribute("hidden", !state.image_wh.length);
    if (!state.image_wh.length) return;
    if (this.timer === null) this.look();
    const [width, height] = state.image_wh;
    this.size = [width, height];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (this.local && !this.isHeld && (state.refusal || JSON.stringify(this.local) === JSON.stringify({ corners_px: state.corners_px, bar: state.bar }))) this.local = null;
    if (!this.local) this.drawField(state);
    this.state = state;
  }

  close() {
    this.visits += 1;
    clearTimeout(this.timer);
    this.timer = null;
    this.local = null;
  }

  /** Look until people leave. Who comes back at once begins another loop. */
  look() {
    const next = new Image(), visit = this.visits;
    next.src = withToken(`/camera.jpg?at=${Date.now()}`);
    next.decode().then(() => { this.image.src = next.src; }).catch(() => {}).finally(() => {
      if (visit === this.visits) this.timer = setTimeout(() => this.look(), EVERY_MS);
    });
    this.timer ??= 0;
  }

  drawField({ corners_px: corners, bar }) {
    const { to } = homography(corners);
    const points = (list) => list.map(([u, v]) => to(u, v).join(",")).join(" ");
    this.lines.replaceChildren(
      draw("polygon", { points: points([[0, 0], [1, 0], [1, 1], [0, 1]]) }),
      draw("polygon", { class: "bar-lines", points: points([[bar[0], 0], [bar[1], 0], [bar[1], 1], [bar[0], 1]]) }));
    const scale = Math.max(...this.size) / 100;
    const spots = [...corners, to(bar[0], 0.5), to(bar[1], 0.5)];
    this.handles.forEach((handle, n) => handle.setAttribute("transform", `translate(${spots[n].join(" ")}) scale(${scale})`));
  }

  /** Where handle n comes to when it is put at a spot of the picture. */
  moved(n, [x, y]) {
    const { corners_px: corners, bar } = this.local ?? this.state;
    if (n < 4) {
      const [width, height] = this.size;
      const spot = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)].map((one) => Math.round(one * 10) / 10);
      return { corners_px: corners.map((corner, k) => (k === n ? spot : corner)), bar };
    }
    const u = Math.round(homography(corners).from(x, y)[0] * 10000) / 10000;
    const next = [...bar];
    next[n - 4] = n === 4 ? Math.min(Math.max(u, BAR_ENDS[0]), bar[1] - NARROWEST) : Math.max(Math.min(u, BAR_ENDS[1]), bar[0] + NARROWEST);
    return { corners_px: corners, bar: next };
  }

  put(n, spot) {
    this.local = this.moved(n, spot);
    this.drawField(this.local);
  }

  spotOf(n) {
    const { corners_px: corners, bar } = this.local ?? this.state;
    return n < 4 ? corners[n] : homography(corners).to(bar[n - 4], 0.5);
  }

  grab(event, n) {
    event.preventDefault();
    const handle = this.handles[n];
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    this.isHeld = true;
    const move = (moving) => {
      const spot = new DOMPoint(moving.clientX, moving.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      this.put(n, [spot.x, spot.y]);
    };
    const leave = () => {
      handle.removeEventListener("pointermove", move);
      this.isHeld = false;
      if (this.local) this.placed(this.local);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", leave, { once: true });
    handle.addEventListener("pointercancel", leave, { once: true });
  }

  step(event, n) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const far = (event.shiftKey ? 0.01 : 0.0016) * this.size[0];
    const [x, y] = this.spotOf(n);
    this.put(n, [x + way[0] * far, y + way[1] * far]);
    this.placed(this.local);
  }
}
