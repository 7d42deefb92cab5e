#!/usr/bin/env node
// Prints what a run of the guided handler has reached: every step of a node by its level in the tree, by whether its time
// was over when it was taken (silence), and by whether more than half of the node was promised to children.
//
//   mkdir -p cache && : > cache/market-tally.txt
//   MARKET_TALLY=1 FOUNDRY_PROFILE=long node tools/forge.mjs test --match-contract '^MarketTest$'
//   node tools/market-coverage.mjs [--least 100] [--file cache/market-tally.txt]
//
// How to read the table: INVARIANTS.md, "Runs".
// Exit status: 0 every cell that a real tree can reach was reached at least that often, 1 one was not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECT } from './project-copy.mjs';

const STATES = ['none', 'funded', 'delivered', 'rejected', 'disputed', 'settled', 'refunded', 'abandoned'];
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * Every step that a node can take, with the time at which it can be taken and whether it can have promised more than half
 * of its money then. A node of level 8 can have promised nothing.
 */
const STEPS = [
  ['none', 'funded', 'in time', 'bare'],
  ['funded', 'delivered', 'in time', 'bare carved'],
  ['funded', 'settled', 'in time', 'bare carved'], // by agreement
  ['funded', 'settled', 'late', 'bare carved'],
  ['funded', 'refunded', 'in time', 'bare'], // by agreement on nothing, which takes from no child
  ['funded', 'refunded', 'late', 'bare carved'],
  ['funded', 'abandoned', 'in time', 'bare'],
  ['funded', 'abandoned', 'late', 'bare'],
  ['delivered', 'rejected', 'in time', 'bare carved'],
  ['delivered', 'settled', 'in time', 'bare carved'],
  ['delivered', 'settled', 'late', 'bare carved'],
  ['delivered', 'refunded', 'in time', 'bare carved'], // a last revision rejected where nobody may rule
  ['delivered', 'refunded', 'late', 'bare'],
  ['rejected', 'delivered', 'in time', 'bare carved'],
  ['rejected', 'disputed', 'in time', 'bare carved'],
  ['rejected', 'settled', 'in time', 'bare carved'],
  ['rejected', 'refunded', 'in time', 'bare'],
  ['rejected', 'refunded', 'late', 'bare carved'],
  ['disputed', 'settled', 'in time', 'bare carved'],
  ['disputed', 'settled', 'late', 'bare carved'],
  ['disputed', 'refunded', 'in time', 'bare carved'],
  ['disputed', 'refunded', 'late', 'bare'], // without a floor nothing can be promised
];

/** Sums the lines `count name` of all histories. */
function readTally(text) {
  const counts = new Map();
  for (const line of text.split('\n')) {
    const [, count, name] = /^(\d+) (.+)$/.exec(line) ?? [];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + Number(count));
  }
  return counts;
}

function main() {
  const { values } = parseArgs({
    options: {
      least: { type: 'string', default: '100' },
      file: { type: 'string', default: join(PROJECT, 'cache', 'market-tally.txt') },
    },
  });
  const least = Number(values.least);
  const counts = readTally(readFileSync(values.file, 'utf8'));
  let missed = 0;
  const reached = new Set();
  const cell = (key, level, carved) => {
    if (carved && level === LEVELS.length) return '–';
    const count = counts.get(key) ?? 0;
    reached.add(key);
    if (count < least) missed += 1;
    return count < least ? `${count} !` : `${count}`;
  };
  const rows = [['step', 'when', 'promised', ...LEVELS.map((level) => `level ${level}`)]];
  for (const [from, to, when, kinds] of STEPS) {
    for (const kind of kinds.split(' ')) {
      const carved = kind === 'carved';
      const cells = LEVELS.map((level) => {
        const digits = [STATES.indexOf(from), STATES.indexOf(to), level, Number(when === 'late'), Number(carved)];
        return cell(`step ${digits.join('')}`, level, carved);
      });
      rows.push([`${from} → ${to}`, when, carved ? 'more than half' : 'at most half', ...cells]);
    }
  }
  const payments = LEVELS.map((level) => cell(`paid ${level}`, level, false));
  rows.push(['paid to the worker', '', '', ...payments]);
  const widths = rows[0].map((_, column) => Math.max(...rows.map((line) => line[column].length)));
  for (const line of rows) {
    const aligned = line.map((text, column) =>
      column < 3 ? text.padEnd(widths[column]) : text.padStart(widths[column]),
    );
    process.stdout.write(`| ${aligned.join(' | ')} |\n`);
  }
  for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (!reached.has(name)) process.stdout.write(`${count} ${name}\n`);
  }
  process.stdout.write(`\n${missed} cells below ${least}\n`);
  return missed === 0 ? 0 : 1;
}

process.exitCode = main();
