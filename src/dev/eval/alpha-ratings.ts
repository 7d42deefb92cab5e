import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One member's rating of another, as Bitcoin Alpha kept it. */
export interface Rating {
  rater: number;
  ratee: number;
  /** From -10 to 10, never 0. */
  weight: number;
  timeMs: number;
}

/** The ratings of the network, members as dense numbers. */
export interface AlphaNetwork {
  members: number;
  /** In order of time; of one second in the order of the file. */
  ratings: Rating[];
}

const FILE = 'alpha/soc-sign-bitcoinalpha.csv';

/** Reads the Bitcoin Alpha network below this folder; null when it is not there. */
export function readAlpha(dataFolder: string): AlphaNetwork | null {
  const path = join(dataFolder, FILE);
  if (!existsSync(path)) return null;
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  const ratings = lines.map((line) => {
    const [rater = '', ratee = '', weight = '', seconds = ''] = line.trim().split(',');
    return {
      rater: numberOf(rater),
      ratee: numberOf(ratee),
      weight: Number(weight),
      timeMs: Math.round(Number(seconds) * 1000),
    };
  });
  return { members: numbers.size, ratings: ratings.toSorted((a, b) => a.timeMs - b.timeMs) };
}
