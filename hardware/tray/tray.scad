// The printed parts of the dice tray, all in place on the board. Measures come from measures.py.
// One part: openscad -D 'part="deck"' -o deck.stl tray.scad
// Parts: block, deck, frame, base, lid, tower; "all" shows them together.

include <measures.scad>

part = "all";
$fn = 24;

wall = 3;
room = 0.4;        // between board and walls
fit = 0.1;         // around a sensor in its hollow
wells = [-well_pitch_mm / 2, well_pitch_mm / 2];
deck_bottom = block_mm;
deck_top = pane_top_mm;
frame_top = deck_top + well_depth_mm + 10.5;
floor_z = -12;
rear_y = deck_y_mm[1] + room;          // the base's high walls begin here
lid_z = 17;                            // above the Nano (13 mm)
outer_x = board_x_mm[1] + room + wall;
outer_y = [board_y_mm[0] - room - wall, board_y_mm[1] + room + wall];
tower_y = [rear_y - 2, outer_y[1]];
tower_x = 43;
tower_z = lid_z + 3;
tower_top = tower_z + 115;

module box(x, y, z) {
  translate([x[0], y[0], z[0]]) cube([x[1] - x[0], y[1] - y[0], z[1] - z[0]]);
}

module drill(place, d, z) {
  translate([place[0], place[1], z[0]]) cylinder(d = d, h = z[1] - z[0]);
}

// The hollow for one sensor or LED under the block: its body, and lower its solder. long: along x, else along y.
module hollow(place, long) {
  translate([place[0], place[1], -0.01]) rotate([0, 0, long ? 0 : 90]) {
    translate([-1 - fit, -0.625 - fit, 0]) cube([2 + 2 * fit, 1.25 + 2 * fit, pocket_mm + 0.01]);
    translate([-1.2 - fit, -0.6 - fit, 0]) cube([2.4 + 2 * fit, 1.2 + 2 * fit, 0.5]);
  }
}

module block() {
  difference() {
    union() {
      box(board_x_mm, deck_y_mm, [0, block_mm]);
      for (p = pegs_mm) drill(p, peg_mm, [-1.4, 0.01]);
    }
    for (p = front_holes_mm) drill(p, 3.4, [-1, block_mm + 1]);
    for (x = wells) translate([x, 0, 0]) {
      for (p = sensors_mm) hollow(p, p[0] == 0);
      for (p = view_holes_mm) drill(p, view_hole_mm, [0, block_mm + 1]);
      for (p = leds_mm) {
        hollow(p, false);
        translate([p[0], p[1], pocket_mm - 0.01])
          cylinder(d1 = 1.3, d2 = cone_mm, h = block_mm - pocket_mm + 0.02);
      }
    }
    // over the eight resistors beside the wells
    for (side = [-1, 1]) translate([side * 38, 1, -0.01]) translate([-2.5, -8, 0]) cube([5, 16, 1.5]);
  }
}

module deck() {
  difference() {
    box(board_x_mm, deck_y_mm, [deck_bottom, deck_top]);
    for (p = front_holes_mm) drill(p, 3.4, [0, deck_top + 1]);
    for (x = wells) {
      box([x - 9, x + 9], [-9, 9], [0, deck_top + 1]);
      box([x - pane_edge_mm / 2 - 0.2, x + pane_edge_mm / 2 + 0.2],
          [-pane_edge_mm / 2 - 0.2, pane_edge_mm / 2 + 0.2], [pane_bottom_mm, deck_top + 1]);
    }
  }
}

// A well: straight walls that square the die up, then a funnel.
module well() {
  low = deck_top + well_depth_mm;
  half = well_mm / 2;
  translate([-half, -half, deck_top - 1]) cube([well_mm, well_mm, well_depth_mm + 1.01]);
  hull() {
    translate([-half, -half, low]) cube([well_mm, well_mm, 0.01]);
    translate([-18.5, -13, low + 10]) cube([37, 26, 1]);
  }
}

module frame() {
  difference() {
    box(board_x_mm, deck_y_mm, [deck_top, frame_top]);
    for (x = wells) translate([x, 0, 0]) well();
    for (p = front_holes_mm) {
      drill(p, 3.4, [0, frame_top + 1]);
      drill(p, 6.4, [deck_top + 3.5, frame_top + 1]);
    }
    // the rear edge slopes down to the funnels, so that dice slide over it
    hull() {
      box([-38.5, 38.5], [13, 13.01], [frame_top - 0.5, frame_top + 1]);
      box([-38.5, 38.5], [deck_y_mm[1], deck_y_mm[1] + 1], [frame_top - 0.01, frame_top + 1]);
    }
  }
}

module base() {
  inner_x = board_x_mm[1] + room;
  inner_y = [board_y_mm[0] - room, board_y_mm[1] + room];
  boss_top = -board_mm;
  difference() {
    union() {
      difference() {
        union() {
          box([-outer_x, outer_x], outer_y, [floor_z, 0]);
          box([-outer_x, outer_x], [rear_y, outer_y[1]], [floor_z, lid_z]);
        }
        box([-inner_x, inner_x], inner_y, [floor_z + 2, lid_z + 1]);
        // open towards the deck
        box([-inner_x, inner_x], [rear_y - 1, rear_y + wall + 1], [0, lid_z + 1]);
      }
      for (p = concat(front_holes_mm, rear_holes_mm)) drill(p, 7, [floor_z, boss_top]);
      box([43, inner_x + 1], [22, 30], [floor_z, boss_top]);
    }
    for (p = concat(front_holes_mm, rear_holes_mm)) drill(p, 2.6, [floor_z + 2, 1]);
    // the Nano's USB socket
    box([inner_x - 1, outer_x + 1], [31.5, 50.5], [0, lid_z + 1]);
  }
}

module lid() {
  edge = 0.2;
  difference() {
    union() {
      box([-outer_x, outer_x], [rear_y, outer_y[1]], [lid_z, lid_z + 3]);
      // a lip inside the base's walls
      difference() {
        box([-outer_x + wall + edge, outer_x - wall - edge], [rear_y + 4, outer_y[1] - wall - edge],
            [lid_z - 3, lid_z + 0.01]);
        box([-outer_x + wall + 2.2, outer_x - wall - 2.2], [rear_y + 6, outer_y[1] - wall - 2.2],
            [lid_z - 4, lid_z]);
        // room for the plug
        box([outer_x - wall - 5, outer_x], [31, 51], [lid_z - 4, lid_z]);
      }
    }
    // two slots take the tower's feet
    for (side = [-1, 1]) box([side * 30 - 5.2, side * 30 + 5.2], [50, 53.4], [lid_z - 4, lid_z + 4]);
  }
}

// A slope of 45 degrees across the shafts: from the wall at y, z down by `length` towards `way`.
module slope(y, z, length, way) {
  hull() {
    box([-tower_x + 1, tower_x - 1], [y - 0.01, y + 0.01], [z - 3, z]);
    box([-tower_x + 1, tower_x - 1], [y + way * length - 0.01, y + way * length + 0.01],
        [z - length - 3, z - length]);
  }
}

module tower() {
  front = tower_y[0];
  back = tower_y[1];
  exit_z = tower_z + 48;
  difference() {
    union() {
      difference() {
        box([-tower_x, tower_x], tower_y, [tower_z, tower_top]);
        for (side = [0, 1]) mirror([side, 0, 0])
          box([1.5, tower_x - 2.5], [front + 2.5, back - 2.5], [tower_z - 1, tower_top + 1]);
        box([-tower_x + 2.5, tower_x - 2.5], [front - 1, front + 5], [tower_z - 1, exit_z]);
      }
      slope(back - 1, tower_top - 12, 15, -1);
      slope(front + 1, tower_top - 40, 15, 1);
      // the way out, down to the frame's edge
      slope(back - 1, frame_top + 3 + back - 1 - front, back - 1 - front, -1);
      box([-1.5, 1.5], [front, front + 6], [tower_z, exit_z]);
      for (side = [-1, 1]) box([side * 30 - 5, side * 30 + 5], [50.2, 53.2], [lid_z, tower_z + 0.01]);
    }
    // nothing stands over the frame lower than its top
    box([-60, 60], [front - 5, rear_y], [0, frame_top + 0.3]);
  }
}

module shown(name) {
  if (name == "block") block();
  if (name == "deck") deck();
  if (name == "frame") frame();
  if (name == "base") base();
  if (name == "lid") lid();
  if (name == "tower") tower();
}

if (part == "all") {
  for (name = ["block", "deck", "frame", "base", "lid", "tower"]) shown(name);
  color("lightblue", 0.4) for (x = wells)
    box([x - pane_edge_mm / 2, x + pane_edge_mm / 2], [-pane_edge_mm / 2, pane_edge_mm / 2],
        [pane_bottom_mm, pane_top_mm]);
} else {
  shown(part);
}
