// Runs rot.js for the benchmark: a job in JSON on each line of stdin, an answer in JSON on each line of stdout.
//   {"work": "cellular-connect", "width": 80, "height": 50, "rounds": 10, "times": 3}  ->  {"seconds": 0.0081, "floor": 2301}
// `seconds` is for one map, `floor` the number of open cells of the last one. One job from the command line:
//   node worker.mjs '{"work": "digger", "width": 80, "height": 50, "times": 1}'
import { createInterface } from "node:readline";
import * as ROT from "rot-js";

const WALL_CHANCE = 0.45; // below it rot.js leaves hardly any wall, above it its connect() slows down

function cellular({ width, height, rounds }) {
    const map = new ROT.Map.Cellular(width, height);
    map.randomize(WALL_CHANCE);
    for (let i = 0; i < rounds; i++) map.create();
    return map;
}

function collected({ width, height }, create) {
    let floor = 0;
    const tiles = new Uint8Array(width * height);
    create((x, y, value) => {
        tiles[y * width + x] = value;
        if (!value) floor++;
    });
    return floor;
}

const WORKS = {
    "cellular": (job) => collected(job, (cell) => cellular({ ...job, rounds: job.rounds - 1 }).create(cell)),
    "cellular-connect": (job) => collected(job, (cell) => cellular(job).connect(cell, 0)),
    "digger": (job) => collected(job, (cell) => new ROT.Map.Digger(job.width, job.height).create(cell)),
    "uniform": (job) => collected(job, (cell) => new ROT.Map.Uniform(job.width, job.height).create(cell)),
    "eller": (job) => collected(job, (cell) => new ROT.Map.EllerMaze(job.width, job.height).create(cell)),
    "divided": (job) => collected(job, (cell) => new ROT.Map.DividedMaze(job.width, job.height).create(cell)),
    "icey": (job) => collected(job, (cell) => new ROT.Map.IceyMaze(job.width, job.height).create(cell)),
};

let seed = 0;

function answer(line) {
    const job = JSON.parse(line);
    let floor = 0;
    let spent = 0;
    for (let i = 0; i < job.times; i++) {
        ROT.RNG.setSeed(++seed);
        const start = performance.now();
        floor = WORKS[job.work](job);
        spent += performance.now() - start;
    }
    return JSON.stringify({ seconds: spent / 1000 / job.times, floor });
}

if (process.argv.length > 2) {
    console.log(answer(process.argv[2]));
} else {
    for await (const line of createInterface({ input: process.stdin })) process.stdout.write(answer(line) + "\n");
}
