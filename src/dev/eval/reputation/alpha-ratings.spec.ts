import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFault } from '../../data/data-fault.js';
import { readAlpha } from './alpha-ratings.js';
import { runEvaluation } from '../run-evaluation.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-alpha-'));
  mkdirSync(join(folder, 'alpha'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(text: string): void {
  writeFileSync(join(folder, 'alpha/soc-sign-bitcoinalpha.csv'), text);
}

describe('ratings from other files', () => {
  it('are read, and never called Bitcoin Alpha', () => {
    put('rater,ratee,rating,time\n7,8,10,200\n8,7,-1,100\n');
    const { name, origins, members, ratings } = readAlpha(folder);
    expect(name).toBe(`alpha/soc-sign-bitcoinalpha.csv of ${folder}`);
    expect(origins).toEqual([expect.stringContaining('not the file of docs/data.md for Bitcoin Alpha')]);
    expect(members).toBe(2);
    expect(ratings.map(({ weight }) => weight)).toEqual([-1, 10]);
  });

  it('that are malformed give an error that names the line', () => {
    put('rater,ratee,rating,time\n7,8,10,200\n7,8\n');
    expect(() => readAlpha(folder)).toThrow(
      new DataFault(
        `alpha/soc-sign-bitcoinalpha.csv of ${folder} holds no ratings: line 3 is not rater, ratee, rating and time.`,
      ),
    );
  });
});

describe('an evaluation', () => {
  const before = process.exitCode;
  let said = '';

  beforeEach(() => {
    said = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    process.exitCode = before;
  });

  it('without its data says in one sentence what is missing, and ends with 2', async () => {
    await runEvaluation(() => readAlpha(folder).members);
    expect(said).toMatch(
      /^Bitcoin Alpha is not in .+: alpha\/soc-sign-bitcoinalpha\.csv is missing\. docs\/data\.md .+\n$/,
    );
    expect(process.exitCode).toBe(2);
  });

  it('that has a bug does not report missing data', async () => {
    await expect(runEvaluation(() => Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake');
  });
});
