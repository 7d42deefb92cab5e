import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Its generator or its packages are not to be had on this machine, which is no fault of ours. */
export class Unavailable extends Error {}

const waiting = [];
let free = availableParallelism();

/** Runs heavy work, no more of it at a time than there are processors. */
async function inTurn(work) {
  if (free > 0) free -= 1;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** Runs a program to its end and gives what it said; rejects with that when the end is not 0. */
export function run(command, args, options = {}) {
  return inTurn(() => ended(command, args, options));
}

function ended(command, args, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.once('error', (error) => reject(error));
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${output.trim()}`));
    });
  });
}

/** As `run`; where it cannot be run or does not end with 0, what it was for is unavailable. */
export async function runOrUnavailable(reason, command, args, options) {
  try {
    return await run(command, args, options);
  } catch (error) {
    // Packages that are not the ones that were pinned are no accident of the network.
    if (/EINTEGRITY|THESE PACKAGES DO NOT MATCH THE HASHES/.test(error.message)) throw error;
    throw new Unavailable(`${reason} (${tellingLine(error.message)})`);
  }
}

/** The line that has the code of a system's fault, or else the last one. */
function tellingLine(text) {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/complete log of this run|npm warn/.test(line));
  return (lines.find((line) => /\bE[A-Z]{4,}\b/.test(line)) ?? lines.at(-1)).trim().slice(0, 160);
}
