import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DataFault } from './data-fault.js';
import { openSet } from './open-set.js';
import { BITCOIN_ALPHA, META_TOOL, type PublicSet, SEAL_TOOLS } from './public-sets.js';

const TEXT = 'one,two\n';
const SET: PublicSet = {
  name: 'Numbers',
  files: { 'numbers/a.csv': createHash('sha256').update(TEXT).digest('hex'), 'numbers/b.csv': '00' },
};

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-data-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

describe('a public data set', () => {
  it('has its public name only when every file is the published one', () => {
    put('numbers/a.csv', TEXT);
    const { name, origins, text } = openSet(folder, {
      ...SET,
      files: { 'numbers/a.csv': SET.files['numbers/a.csv'] ?? '' },
    });
    expect(name).toBe('Numbers');
    expect(origins).toEqual([`${join(folder, 'numbers/a.csv')}: Numbers, SHA-256 as in docs/data.md.`]);
    expect(text('numbers/a.csv')).toBe(TEXT);
  });

  it('that differs is named after its files, and its checksum is reported', () => {
    put('numbers/a.csv', TEXT);
    put('numbers/b.csv', 'mine');
    const { name, origins } = openSet(folder, SET);
    expect(name).toBe(`numbers/b.csv of ${folder}`);
    expect(origins[1]).toContain('not the file of docs/data.md for Numbers');
    expect(origins[1]).toContain(createHash('sha256').update('mine').digest('hex'));
  });

  it('that is missing gives one sentence, with where to get it', () => {
    put('numbers/a.csv', TEXT);
    expect(() => openSet(folder, SET)).toThrow(
      new DataFault(
        `Numbers is not in ${folder}: numbers/b.csv is missing. docs/data.md says where to get it; --data FOLDER names another folder.`,
      ),
    );
  });

  it.each([BITCOIN_ALPHA, META_TOOL, SEAL_TOOLS])(
    '$name is in docs/data.md with the checksums that readers compare',
    ({ name, files }) => {
      const page = readFileSync('docs/data.md', 'utf8');
      expect(page).toContain(name);
      for (const [file, sum] of Object.entries(files)) {
        expect(page.split('\n').some((line) => line.includes(`\`${file}\``) && line.includes(sum))).toBe(true);
      }
    },
  );
});
