// One 80x50 cave with rot.js, printed as text: the small job whose start to exit is compared.
import * as ROT from "rot-js";

ROT.RNG.setSeed(1);
const rows = Array.from({ length: 50 }, () => Array(80));
const map = new ROT.Map.Cellular(80, 50);
map.randomize(0.45);
for (let i = 0; i < 10; i++) map.create();
map.connect((x, y, wall) => { rows[y][x] = wall ? "#" : "."; }, 0);
console.log(rows.map((row) => row.join("")).join("\n"));
