import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cwd } from 'node:process';
import { DataFault } from '../../data/data-fault.js';
import { matchTexts } from './match-texts.js';

const SEED = 20261122;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-texts-'));
});

afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('the texts of the bench of matches', () => {
  it('are made up in a clone without data, the same ones for the same seed, and say so', () => {
    const elsewhere = cwd();
    process.chdir(folder);
    try {
      const texts = matchTexts(null, 50, SEED);
      expect(texts.origins).toEqual([expect.stringContaining(`Made-up texts of seed ${SEED}`)]);
      expect(texts.requests).toHaveLength(50);
      expect(matchTexts(null, 50, SEED)).toEqual(texts);
      expect(matchTexts(null, 50, SEED + 1).requests).not.toEqual(texts.requests);
      expect(new Set(texts.tools.map(({ description }) => description)).size).toBe(texts.tools.length);
    } finally {
      process.chdir(elsewhere);
    }
  });

  it('are never made up when a folder was asked for', () => {
    expect(() => matchTexts(folder, 50, SEED)).toThrow(DataFault);
    expect(() => matchTexts(folder, 50, SEED)).toThrow(`MetaTool is not in ${folder}`);
  });
});
