// The board as one SVG drawing. Places are those of the picture, as the service gives them.

import { draw } from "./dom.js";

const COLUMN = 80, BAR = 80, EDGE = 84, MARGIN = 18, HALF = 420, TRAY = 96, RADIUS = 37;
const FIELD = 12 * COLUMN + BAR;
const WIDTH = MARGIN + FIELD + 14 + TRAY + MARGIN;
const HEIGHT = 2 * EDGE + 2 * HALF;
const TRAY_X = MARGIN + FIELD + 14;
const BAR_X = MARGIN + 6 * COLUMN + BAR / 2;

const column = (place) => place % 12;
const isTop = (place) => place < 12;
const pointX = (place) => MARGIN + column(place) * COLUMN + COLUMN / 2 + (column(place) > 5 ? BAR : 0);

/** A view turned by half a circle, as the player on the other side sees it. */
export function turned(view) {
  const half = (row) => [...row.slice(12, 24).reverse(), ...row.slice(0, 12).reverse()];
  return {
    ...view, points: half(view.points), guests: half(view.guests), labels: half(view.labels),
    bar: [...view.bar].reverse(), off: [...view.off].reverse(),
  };
}

export function turnedPlace(place) {
  return place < 24 ? 23 - place : place < 26 ? 49 - place : 53 - place;
}

/** Where each checker stands: {light: [...], dark: [...]} of {x, y, flat, label}. */
function standing(view) {
  const found = { light: [], dark: [] };
  const put = (count, x, y, step, flat = false, first = 0, label = 0) => {
    const side = count > 0 ? found.light : found.dark;
    for (let n = 0; n < Math.abs(count); n += 1) {
      side.push({ x, y: y + (first + n) * step, flat, label: label && n === Math.abs(count) - 1 ? label : 0 });
    }
  };
  for (let place = 0; place < 24; place += 1) {
    const count = view.points[place], guests = view.guests[place];
    const high = Math.abs(count) + Math.abs(guests);
    const room = 5 * 2 * RADIUS - 2 * RADIUS;
    const step = (high > 5 ? room / (high - 1) : 2 * RADIUS) * (isTop(place) ? 1 : -1);
    const base = isTop(place) ? EDGE + RADIUS + 1 : HEIGHT - EDGE - RADIUS - 1;
    put(count, pointX(place), base, step, false, 0, Math.abs(count) > 5 ? Math.abs(count) : 0);
    put(guests, pointX(place), base, step, false, Math.abs(count));
  }
  view.bar.forEach((count, low) => {
    const step = Math.min(2 * RADIUS, 240 / Math.max(1, Math.abs(count) - 1));
    put(count, BAR_X, low ? HEIGHT - EDGE - 100 : EDGE + 100, low ? -step : step);
  });
  view.off.forEach((count, low) => {
    put(count, TRAY_X + TRAY / 2, low ? HEIGHT - EDGE - 14 : EDGE + 14, low ? -20 : 20, true);
  });
  return found;
}

const at = (spot) => `translate(${spot.x}px, ${spot.y}px)${spot.flat ? " scale(1, 0.24)" : ""}`;

const PIPS = {
  0: [], 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]], 5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

/** The shape of each meaning, 32 units across: colour is never all that tells them apart. */
function lampShape(meaning) {
  const shapes = {
    OFFENCE: "M-14-6-6-14 0-8 6-14 14-6 8 0 14 6 6 14 0 8-6 14-14 6-8 0Z",
    BLOT_AT_RISK: "M0-15 15 13H-15Z",
    MUST_ENTER: "M0 15-14 0H-5V-15H5V0H14Z",
    COMPLETE: "M-15 1-9-6-3 1 9-12 15-6-3 14Z",
    UNSURE: "M0-15A15 15 0 1 1-.1-15ZM0-8A8 8 0 1 0 .1-8Z",
    BOOK: "M0-15 15 0 0 15-15 0Z",
  };
  return draw("path", { d: shapes[meaning], "fill-rule": "evenodd" });
}

/** A lamp in its colour, with the shape of its meaning: dark on a pale one. */
export function drawnLamp(lamp) {
  const isPale = Math.min(...lamp.rgb) > 150;
  return draw("g", { class: isPale ? "lamp pale" : "lamp" }, draw("circle", { r: 21, fill: `rgb(${lamp.rgb})`, class: "glow" }), lampShape(lamp.meaning));
}

/** The drawing of one board. `show` moves its checkers to another position. */
export class Board {
  constructor(words, small = false) {
    this.words = words;
    this.root = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: small ? "board small" : "board" });
    this.ground = draw("g");
    this.marks = draw("g");
    this.checkers = draw("g");
    this.extras = draw("g");
    this.labels = draw("g", { class: "labels" });
    this.pieces = { light: [], dark: [] };
    this.root.append(this.ground, this.labels, this.marks, this.checkers, this.extras);
    this.drawGround();
  }

  drawGround() {
    const half = 6 * COLUMN;
    this.ground.append(
      draw("rect", { class: "frame", width: WIDTH, height: HEIGHT, rx: 16 }),
      draw("rect", { class: "field", x: MARGIN, y: EDGE, width: half, height: 2 * HALF }),
      draw("rect", { class: "field", x: MARGIN + half + BAR, y: EDGE, width: half, height: 2 * HALF }),
      draw("rect", { class: "tray", x: TRAY_X, y: EDGE, width: TRAY, height: 350, rx: 6 }),
      draw("rect", { class: "tray", x: TRAY_X, y: HEIGHT - EDGE - 350, width: TRAY, height: 350, rx: 6 }),
    );
    for (let place = 0; place < 24; place += 1) {
      const x = pointX(place), base = isTop(place) ? EDGE : HEIGHT - EDGE;
      const tip = isTop(place) ? EDGE + 350 : HEIGHT - EDGE - 350;
      const isOdd = (column(place) + (isTop(place) ? 0 : 1)) % 2;
      this.ground.append(draw("path", {
        class: isOdd ? "point odd" : "point",
        d: `M${x - COLUMN / 2 + 2} ${base}H${x + COLUMN / 2 - 2}L${x} ${tip}Z`,
      }));
    }
  }

  /** Let people tap every place: 0 to 23, 24 and 25 the bar, 26 and 27 the trays. tapped: gets the place. */
  makePlaces(tapped) {
    this.root.setAttribute("role", "group");
    this.places = draw("g", { class: "places" });
    this.root.append(this.places);
    const { bar, off } = this.words;
    this.placeNames = (labels) => [...labels, `${bar} ↑`, `${bar} ↓`, `${off} ↑`, `${off} ↓`];
    for (let place = 0; place < 28; place += 1) {
      const [x, width] = place < 24 ? [pointX(place) - COLUMN / 2, COLUMN] : place < 26 ? [BAR_X - BAR / 2, BAR] : [TRAY_X, TRAY];
      const isUpper = place < 24 ? isTop(place) : place % 2 === 0;
      const spot = draw("rect", { x, width, y: isUpper ? 0 : HEIGHT / 2, height: HEIGHT / 2, tabindex: "0", role: "button", click: () => tapped(place),
        keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); tapped(place); } } });
      this.places.append(spot);
    }
  }

  /** view: a board as the service gives it. more: its lamps, sureness, dice, cube, whether dice are light. */
  show(view, more = {}) {
    this.labels.replaceChildren(...view.labels.map((label, place) => draw("text", {
      x: pointX(place), y: isTop(place) ? 30 : HEIGHT - 12, text: label,
    })));
    const spots = standing(view);
    for (const side of ["dark", "light"]) this.move(side, spots[side]);
    this.marks.replaceChildren(...this.doubts(more.sureness ?? []), ...this.lights(more.lamps ?? []));
    this.extras.replaceChildren(...this.dice(more.dice ?? [], more.diceAreLight), ...this.cube(more.cube));
    this.root.setAttribute("aria-label", this.inWords(view));
    if (this.places) this.placeNames(view.labels).forEach((name, place) => this.places.children[place].setAttribute("aria-label", name));
  }

  /** Move the pieces of one side: those that stand right stay, the others go to the free spots. */
  move(side, spots) {
    const pieces = this.pieces[side];
    while (pieces.length > spots.length) pieces.pop().root.remove();
    while (pieces.length < spots.length) {
      const count = draw("text", { class: "count" });
      const root = draw("g", { class: `checker ${side}` }, draw("circle", { r: RADIUS }),
        draw("circle", { class: "rim", r: RADIUS - 9 }), count);
      this.checkers.append(root);
      pieces.push({ root, count, key: null });
    }
    const free = new Map(spots.map((spot) => [at(spot), spot]));
    const loose = [];
    for (const piece of pieces) {
      if (piece.key !== null && free.has(piece.key)) {
        piece.count.textContent = free.get(piece.key).label || "";
        free.delete(piece.key);
      } else loose.push(piece);
    }
    for (const spot of free.values()) {
      const piece = loose.pop();
      piece.key = at(spot);
      piece.root.style.transform = piece.key;
      piece.count.textContent = spot.label || "";
      piece.root.classList.toggle("flat", spot.flat);
      if (piece.root !== this.checkers.lastChild) this.checkers.append(piece.root);
    }
  }

  doubts(sureness) {
    return sureness.flatMap((word, place) => {
      if (word === "sure" || place > 23) return [];
      const x = pointX(place), y = isTop(place) ? EDGE + 398 : HEIGHT - EDGE - 398;
      if (word === "hidden") {
        return [draw("rect", { class: "hidden", x: x - 12, y: y - 5, width: 24, height: 10, rx: 5 },
          draw("title", { text: this.words.hidden }))];
      }
      return [draw("g", { class: "unsure" }, draw("circle", { cx: x, cy: y, r: 18 }),
        draw("text", { x, y: y + 10, text: "?" }), draw("title", { text: this.words.unsure }))];
    });
  }

  lights(lamps) {
    return lamps.map((lamp) => {
      const root = drawnLamp(lamp);
      root.classList.add(lamp.blink.toLowerCase());
      root.append(draw("title", { text: lamp.text }));
      const [x, y] = lamp.place < 24
        ? [pointX(lamp.place), isTop(lamp.place) ? 60 : HEIGHT - 60]
        : lamp.place < 26 ? [BAR_X, lamp.place === 24 ? 60 : HEIGHT - 60]
        : [TRAY_X + TRAY / 2, lamp.place === 26 ? 60 : HEIGHT - 60];
      root.style.transform = `translate(${x}px, ${y}px)`;
      root.style.opacity = lamp.blink === "ONCE" ? "" : String(0.55 + 0.45 * lamp.strength);
      return root;
    });
  }

  dice(faces, areLight) {
    const size = 84;
    return faces.map((face, n) => {
      const x = MARGIN + 6 * COLUMN + BAR + 150 + n * 130, y = HEIGHT / 2 - size / 2;
      const die = draw("g", { class: areLight ? "die light" : "die dark" },
        draw("rect", { x, y, width: size, height: size, rx: 14 }));
      for (const [dx, dy] of PIPS[face]) {
        die.append(draw("circle", { cx: x + size / 2 + dx * 23, cy: y + size / 2 + dy * 23, r: 8.5 }));
      }
      if (!face) die.append(draw("text", { x: x + size / 2, y: y + 60, text: "?" }));
      return die;
    });
  }

  cube(cube) {
    if (!cube) return [];
    const middle = HEIGHT / 2, size = 74;
    const y = { top: middle - 42, middle, bottom: middle + 42 }[cube.place] - size / 2;
    const x = TRAY_X + TRAY / 2 - size / 2;
    return [draw("g", { class: "cube" }, draw("rect", { x, y, width: size, height: size, rx: 10 }),
      draw("text", { x: x + size / 2, y: y + 51, text: cube.value === 1 ? "64" : String(cube.value) }))];
  }

  /** The position in words, for a screen reader. */
  inWords(view) {
    const { light, dark, bar, off } = this.words;
    const side = (sign) => {
      const stands = view.labels.flatMap((label, place) =>
        [view.points[place], view.guests[place]].flatMap((count) => (count * sign > 0 ? [`${label}: ${Math.abs(count)}`] : [])));
      for (const [name, pair] of [[bar, view.bar], [off, view.off]]) {
        const count = pair.find((one) => one * sign > 0);
        if (count) stands.push(`${name}: ${Math.abs(count)}`);
      }
      return stands.join(", ");
    };
    return `${light}: ${side(1)}. ${dark}: ${side(-1)}.`;
  }
}
