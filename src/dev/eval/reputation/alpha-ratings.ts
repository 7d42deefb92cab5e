import { DataFault } from '../../data/data-fault.js';
import { openSet } from '../../data/open-set.js';
import { ALPHA_RATINGS, BITCOIN_ALPHA } from '../../data/public-sets.js';

/** One member's rating of another on Bitcoin Alpha. */
export interface Rating {
  rater: number;
  ratee: number;
  /** From -10 to 10, never 0. */
  weight: number;
  timeMs: number;
}

/** The ratings of the network, with members numbered from 0. */
export interface AlphaNetwork {
  /** Name of the data: of the public network, or of a file of the user's own. */
  name: string;
  /** Where each file was read from, one sentence per file. */
  origins: readonly string[];
  members: number;
  /** In order of time; ratings of the same second in the order of the file. */
  ratings: Rating[];
}

/** Reads the ratings below this folder. @throws DataFault when the file is missing or holds no ratings. */
export function readAlpha(dataFolder: string): AlphaNetwork {
  const { name, origins, text } = openSet(dataFolder, BITCOIN_ALPHA);
  const numbers = new Map<string, number>();
  const numberOf = (member: string): number => {
    const number = numbers.get(member) ?? numbers.size;
    numbers.set(member, number);
    return number;
  };
  const [, ...lines] = text(ALPHA_RATINGS).trim().split('\n');
  const ratings = lines.map((line, index) => {
    const [rater = '', ratee = '', weight = '', seconds = ''] = line.trim().split(',');
    const rating = {
      rater: numberOf(rater),
      ratee: numberOf(ratee),
      weight: Number(weight),
      timeMs: Math.round(Number(seconds) * 1000),
    };
    if (ratee === '' || seconds === '' || !Number.isFinite(rating.weight) || !Number.isFinite(rating.timeMs)) {
      throw new DataFault(
        `${ALPHA_RATINGS} of ${dataFolder} holds no ratings: line ${index + 2} is not rater, ratee, rating and time.`,
      );
    }
    return rating;
  });
  return { name, origins, members: numbers.size, ratings: ratings.toSorted((a, b) => a.timeMs - b.timeMs) };
}
