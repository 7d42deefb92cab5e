// Static analysis by slither. Every finding about our own sources needs a row in audit/slither.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forgeExecutable } from '../forge-executable.mjs';
import { PROJECT, copyProject, searchPath } from '../project-copy.mjs';

const LEDGER = join(PROJECT, 'audit', 'slither.md');

/** `detector|place` of every explained finding. A row is `| detector | place | reason |`, the first two in backquotes. */
function explained() {
  const rows = readFileSync(LEDGER, 'utf8').matchAll(/^\|\s*`([^`]+)`\s*\|\s*`([^`]+)`\s*\|\s*\S.*\|\s*$/gm);
  return new Set([...rows].map(([, detector, place]) => `${detector}|${place}`));
}

/** What a finding is about: the contract and, if there is one, the function or variable. */
function placeOf({ elements: [element] }) {
  const { name, type, type_specific_fields: fields } = element;
  if (type === 'function') return `${fields.parent.name}.${name}`;
  if (type === 'variable' && fields?.parent?.type === 'function')
    return `${fields.parent.type_specific_fields.parent.name}.${fields.parent.name}.${name}`;
  return fields?.parent?.name === undefined ? name : `${fields.parent.name}.${name}`;
}

/**
 * @param {string} bin folder of slither
 * @param {string} work folder that may be emptied
 * @returns {{ status: 'clean' | 'finding' | 'failed', detail: string, lines: string[] }}
 */
export function runSlither(bin, work) {
  // Slither reads syntax trees, so nothing is optimised.
  copyProject(work, ['src'], (text) => text.replace(/^optimizer = .*$/m, 'optimizer = false'));
  const built = spawnSync(forgeExecutable(), ['build', '--build-info', '--force'], { cwd: work, encoding: 'utf8' });
  if (built.status !== 0) return { status: 'finding', detail: 'the sources do not compile', lines: [built.stderr] };
  const report = join(work, 'slither.json');
  rmSync(report, { force: true });
  const args = ['.', '--ignore-compile', '--foundry-out-directory', 'out', '--json', report];
  const { stderr } = spawnSync(join(bin, 'slither'), args, {
    cwd: work,
    env: { ...process.env, PATH: searchPath(bin) },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (!existsSync(report)) return { status: 'failed', detail: 'slither gave no report', lines: [stderr.slice(-2000)] };
  const { success, error, results } = JSON.parse(readFileSync(report, 'utf8'));
  if (!success) return { status: 'failed', detail: 'slither failed', lines: [String(error)] };
  // Contracts below src/offchain run only inside an eth_call: they are never deployed and hold no money.
  const isOurs = ({ elements: [element] }) =>
    /^src\/(?!offchain\/)/.test(element?.source_mapping.filename_relative ?? '');
  const findings = (results.detectors ?? []).filter(isOurs);
  const known = explained();
  const open = findings.filter((finding) => !known.has(`${finding.check}|${placeOf(finding)}`));
  const seen = new Set(findings.map((finding) => `${finding.check}|${placeOf(finding)}`));
  const stale = [...known].filter((key) => !seen.has(key));
  return {
    status: open.length === 0 ? 'clean' : 'finding',
    detail: `${findings.length} findings about our sources, ${open.length} not explained`,
    lines: [
      ...open.map(({ check, impact, description, ...rest }) =>
        [`not explained: ${check} (${impact}) at ${placeOf(rest)}`, description.split('\n')[0]].join(': '),
      ),
      ...stale.map((key) => `in the ledger, but not found any more: ${key}`),
    ],
  };
}
