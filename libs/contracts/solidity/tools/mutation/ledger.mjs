// The ledger of survivors (audit/mutants.md): one row for every mutant that no test can kill, with the reason.
import { existsSync, readFileSync } from 'node:fs';

/**
 * Reasons by mutant. A row is `| id | where | operator | change | reason |`, the id in backquotes.
 * @param {string} file path of the ledger
 * @returns {Map<string, string>}
 */
export function readLedger(file) {
  const reasons = new Map();
  if (!existsSync(file)) return reasons;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const row = /^\|\s*`([0-9a-f]{10})`\s*\|.*\|\s*([^|]+?)\s*\|\s*$/.exec(line);
    if (row !== null) reasons.set(row[1], row[2]);
  }
  return reasons;
}

/**
 * Counts results against the ledger.
 * @returns the members of the summary; `score` is the share of tried mutants, in per cent, that are killed or explained
 */
export function summarise(mutants, results, reasons) {
  const counts = { generated: mutants.length, invalid: 0, sameCode: 0, tried: 0, killed: 0, explained: 0 };
  const unexplained = [];
  for (const mutant of mutants) {
    const status = results.get(mutant.id)?.status;
    if (status === undefined) continue;
    if (status === 'invalid') counts.invalid += 1;
    else if (status === 'same-code') counts.sameCode += 1;
    else {
      counts.tried += 1;
      if (status === 'killed') counts.killed += 1;
      else if (reasons.has(mutant.id)) counts.explained += 1;
      else unexplained.push(mutant);
    }
  }
  const percent = (part) => (counts.tried === 0 ? 0 : Math.floor((10_000 * part) / counts.tried) / 100);
  return {
    ...counts,
    killedPercent: percent(counts.killed),
    score: percent(counts.killed + counts.explained),
    unexplained,
  };
}
