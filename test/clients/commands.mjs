import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** A generator or its packages cannot be installed on this machine, which is not a failure of the project. */
export class Unavailable extends Error {}

const waiting = [];
let free = availableParallelism();

/** Runs `work` when its turn comes: at most as many run at once as there are processors. */
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

/** Runs a program to its end. Resolves to its output; rejects with the output when the exit code is not 0. */
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

/** Like `run`, but rejects with Unavailable and `reason` when the program cannot be run or its exit code is not 0. */
export async function runOrUnavailable(reason, command, args, options) {
  try {
    return await run(command, args, options);
  } catch (error) {
    // A package that differs from the pinned one is a real failure, not a problem of the network.
    if (/EINTEGRITY|THESE PACKAGES DO NOT MATCH THE HASHES/.test(error.message)) throw error;
    throw new Unavailable(`${reason} (${tellingLine(error.message)})`);
  }
}

/** The line with the code of a system error, or else the last line. */
function tellingLine(text) {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/complete log of this run|npm warn/.test(line));
  return (lines.find((line) => /\bE[A-Z]{4,}\b/.test(line)) ?? lines.at(-1)).trim().slice(0, 160);
}
