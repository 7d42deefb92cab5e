// The tools that npm does not carry come from PyPI into a virtual environment of their own, with exact versions.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Packages that are installed, with their versions. Raise a version here and nowhere else. */
export const PACKAGES = { 'slither-analyzer': '0.11.6', halmos: '0.3.3' };

const PINS = Object.entries(PACKAGES).map(([name, version]) => `${name}==${version}`);
const INSTALL_LIMIT_MS = 10 * 60_000;

/**
 * Makes the environment unless it is there with these versions.
 * @param {string} folder of the environment
 * @returns {{ bin: string } | { missing: string }} where the commands lie, or what stood in the way
 */
export function preparePython(folder) {
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const stamp = join(folder, 'installed.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === PINS.join('\n')) return { bin };
  mkdirSync(dirname(folder), { recursive: true });
  const made = spawnSync('python3', ['-m', 'venv', folder], { encoding: 'utf8' });
  if (made.error !== undefined) return { missing: 'python3 is not installed' };
  if (made.status !== 0) return { missing: `python3 -m venv failed: ${lastLine(made.stderr || made.stdout)}` };
  // What is used of the packages is compiled at its first use.
  const options = ['--quiet', '--no-compile', '--disable-pip-version-check', '--retries', '1'];
  const pip = ['-m', 'pip', 'install', ...options, ...PINS];
  const installed = spawnSync(join(bin, 'python3'), pip, { encoding: 'utf8', timeout: INSTALL_LIMIT_MS });
  if (installed.status !== 0) return { missing: `PyPI gave no ${PINS.join(', ')}: ${lastLine(installed.stderr)}` };
  writeFileSync(stamp, PINS.join('\n'));
  return { bin };
}

function lastLine(text) {
  return (text ?? '').trim().split('\n').at(-1) ?? '';
}
