// A plate for the end of the stand's arm: camera below, Raspberry Pi above, a 1/4 inch nut for the arm's screw.
// openscad -o plate.stl plate.scad
// Hole patterns: Raspberry Pi's mechanical drawings (Camera Module 3: 21 x 12.5 mm, M2; Zero: 58 x 23 mm, others
// 58 x 49 mm, M2.5). Tripod screw: 1/4"-20, nut 7/16" across flats.

$fn = 32;
length = 116;
width = 60;
thick = 4;
nut_flats = 11.3;
nut_high = 5.7;
boss = 8;          // height round the nut

module hole(x, y, d) { translate([x, y, -1]) cylinder(d = d, h = boss + 2); }

difference() {
  union() {
    translate([0, -width / 2, 0]) cube([length, width, thick]);
    translate([14, 0, 0]) cylinder(d = 20, h = boss);
  }
  // the arm's screw comes from below, its nut lies in the boss
  hole(14, 0, 6.8);
  translate([14, 0, boss - nut_high]) cylinder(d = nut_flats / cos(30), h = nut_high + 1, $fn = 6);
  // Raspberry Pi: the row of holes that all share, and the second row of each
  for (x = [31, 89]) for (y = [-24.5, -1.5, 24.5]) hole(x, y, 2.9);
  // Camera Module, its ribbon towards the Pi
  for (x = [97.5, 110]) for (y = [-10.5, 10.5]) hole(x, y, 2.3);
  // straps and cable ties
  for (y = [-27, 27]) for (x = [60, 104]) translate([x, y, -1]) translate([-3, -1, 0]) cube([6, 2, thick + 2]);
}
