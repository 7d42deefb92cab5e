// Deletes each check of audit/deletions.json once, and asks for the proof that has to fail then: one that passes all the
// same proves less than it says. Checks that no proof sees are left to the unit tests, which `tools/mutate.mjs` tries.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../project-copy.mjs';
import { decide, prepareProofs } from './halmos.mjs';

/** @typedef {{ what: string, file: string, function: string, text: string, becomes?: string, fails: string }} Deletion */

/** @returns {Deletion[]} */
export function readDeletions() {
  return JSON.parse(readFileSync(join(PROJECT, 'audit', 'deletions.json'), 'utf8'));
}

/** The source without the check. Throws unless its text stands exactly once in the function. */
export function withoutCheck(source, { function: name, text, becomes = '' }) {
  const start = source.indexOf(`function ${name}(`);
  const end = source.indexOf('\n    }\n', start);
  const body = source.slice(start, end);
  if (start < 0 || body.split(text).length !== 2) throw new Error(`not once in ${name}: ${text}`);
  return source.slice(0, start) + body.replace(text, () => becomes) + source.slice(end);
}

/** The file of proofs that states a check. */
function statedIn(check) {
  const files = readdirSync(join(PROJECT, 'proofs')).filter((file) => file.endsWith('.t.sol'));
  const file = files.find((name) => readFileSync(join(PROJECT, 'proofs', name), 'utf8').includes(`function ${check}(`));
  if (file === undefined) throw new Error(`no proof is called ${check}`);
  return file;
}

/**
 * @param {string} bin folder of halmos
 * @param {string} work folder that may be emptied
 * @param {(line: string) => void} onResult is told each result at once: the whole takes an hour
 * @returns {{ status: 'clean' | 'finding', detail: string, lines: string[] }}
 */
export function runDeletions(bin, work, onResult) {
  const byFile = new Map();
  for (const deletion of readDeletions()) {
    const file = statedIn(deletion.fails);
    byFile.set(file, [...(byFile.get(file) ?? []), deletion]);
  }
  const lines = [];
  let tried = 0;
  for (const [file, deletions] of byFile) {
    prepareProofs(work);
    // Every proof is compiled again with each change of the contract: only the file that is asked stays.
    for (const other of readdirSync(join(work, 'proofs')))
      if (other.endsWith('.t.sol') && other !== file) rmSync(join(work, 'proofs', other));
    for (const deletion of deletions) {
      const place = join(work, deletion.file);
      const source = readFileSync(place, 'utf8');
      writeFileSync(place, withoutCheck(source, deletion));
      const [{ outcome, seconds }] = decide(bin, work, [deletion.fails], true).results;
      writeFileSync(place, source);
      const line = `${deletion.function}, ${deletion.what}: ${deletion.fails} ${outcome}, ${seconds} s`;
      onResult(line);
      tried += 1;
      if (outcome !== 'refuted') lines.push(line);
    }
  }
  const detail = `${tried - lines.length} of ${tried} deleted checks break their proof`;
  return { status: lines.length === 0 ? 'clean' : 'finding', detail, lines };
}
