// `npm run test:clients [-- NAME …]`: generates clients of openapi.json with widely used generators, compiles each with
// a small program, and runs the program on a market. A generator that cannot be installed here is skipped, with its
// name and the reason. A generator that is installed and fails makes the exit code 1. Nothing generated becomes part of
// the project. The client of libs/python-client is tried beside them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from './commands.mjs';
import { GENERATORS } from './generators.mjs';
import { installJava, installNode, installPython } from './installs.mjs';
import { startMarket } from './market.mjs';
import { installOwnPython, OWN_PYTHON } from './own-python.mjs';
import { startTomorrow, TOMORROW } from './tomorrow.mjs';

/** How to install what generators need. The packages of Node are installed where the folders below them find them. */
const INSTALLS = {
  node: installNode,
  java: installJava,
  python: installPython,
  ownPython: installOwnPython,
};
const CLIENTS = [...GENERATORS, OWN_PYTHON];
const STEPS = { generate: 'is generated', compile: 'compiles', call: 'calls' };

const seconds = (sinceMs) => ((performance.now() - sinceMs) / 1000).toFixed(1);
const say = (line = '') => process.stdout.write(`${line}\n`);

/** Tries one generator. Resolves to its line of the table and never rejects. */
async function tried({ name, version, needs, prepare, ...steps }, { folder: parent, installed, facts }) {
  const line = { name, version, result: 'ok', times: {} };
  const folder = join(parent, name);
  let step = 'install';
  try {
    const places = Object.fromEntries(await Promise.all(needs.map(async (need) => [need, await installed(need)])));
    const context = { ...places, folder };
    prepare?.(context);
    for (step of Object.keys(STEPS)) {
      if (step === 'call') context.facts = await facts;
      const startedMs = performance.now();
      await steps[step](context);
      line.times[step] = seconds(startedMs);
    }
  } catch (error) {
    line.result = error instanceof Unavailable ? `skipped: ${error.message}` : `FAILED to ${step}`;
    if (!(error instanceof Unavailable)) say(`\n${name} FAILED to ${step}:\n${error.stack ?? error}\n`);
  }
  say(`${name} (${version}): ${line.result}`);
  return line;
}

function table(lines) {
  const rows = [
    ['generator', 'version', 'generate', 'compile', 'call', ''],
    ...lines.map(({ name, version, times, result }) => [
      name,
      version,
      ...Object.keys(STEPS).map((step) => (times[step] === undefined ? '-' : `${times[step]} s`)),
      result,
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}

async function main(names) {
  const unknown = names.filter((name) => !CLIENTS.some((client) => client.name === name));
  if (unknown.length > 0) {
    say(`No client is called ${unknown.join(', ')}; there are ${CLIENTS.map(({ name }) => name).join(', ')}.`);
    return 2;
  }
  const chosen = CLIENTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const startedMs = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'tasktree-clients-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const installs = new Map();
  const installed = (need) => {
    if (!installs.has(need)) installs.set(need, INSTALLS[need](need === 'node' ? folder : join(folder, need)));
    return installs.get(need);
  };
  const market = startMarket();
  let tomorrow;
  const facts = market.then(async ({ facts: known }) => {
    tomorrow = await startTomorrow(known.base_url);
    const file = join(folder, 'facts.json');
    writeFileSync(file, JSON.stringify({ ...known, tomorrow_url: tomorrow.url, tomorrow: TOMORROW }), { mode: 0o600 });
    return file;
  });
  try {
    const lines = await Promise.all(
      chosen.map((generator) => {
        mkdirSync(join(folder, generator.name));
        return tried(generator, { folder, installed, facts });
      }),
    );
    // Awaited even if no program was started, so that a market that does not start is always reported.
    await facts;
    say();
    for (const row of table(lines)) say(row);
    say(
      `\nClients: ${lines.filter(({ result }) => result === 'ok').length} of ${lines.length} in ${seconds(startedMs)} s.`,
    );
    return lines.some(({ result }) => result.startsWith('FAILED')) ? 1 : 0;
  } finally {
    await tomorrow?.stop();
    await market.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  }
}

// Exits even if a library still holds a timer.
process.exit(await main(process.argv.slice(2)));
