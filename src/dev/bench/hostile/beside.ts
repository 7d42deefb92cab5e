import type { WriteLine } from '../../processes/progress.js';
import { carriedOut, median, quantile } from '../measure.js';
import type { PacedLane, PacedLaneResult, PacedOrder } from './paced-load.js';

/** Bar: the p95 of the others may grow to at most this multiple. */
const MOST_RATIO = 2;
/** Lets code be compiled and pages be read before anything counts. */
const WARM_UP_SECONDS = 8;

/** The lanes that are measured, and the hostile lanes that run beside them in every second part of a round. */
export interface Stage {
  others: PacedLane[];
  hostile: PacedLane[];
}

type Sides = Record<'without' | 'with', PacedLaneResult[][]>;

/** The others' response times, round by round, and how many answers of each status the hostile lanes got. */
export interface BesideResult extends Sides {
  answers: Record<string, number>;
}

/**
 * Measures the others without the hostile and with them in turn, so that a drift of the machine's speed touches both alike.
 */
export async function measureBeside(
  url: string,
  { others, hostile }: Stage,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<BesideResult> {
  const sides: Sides = { without: [], with: [] };
  const answers: Record<string, number> = {};
  const load = (lanes: PacedLane[], lasting: number): Promise<PacedLaneResult[]> =>
    carriedOut<PacedLaneResult[]>('hostile/paced-load', { url, seconds: lasting, lanes } satisfies PacedOrder);
  await Promise.all([load(others, WARM_UP_SECONDS), load(hostile, WARM_UP_SECONDS)]);
  for (let round = 0; round < rounds; round += 1) {
    sides.without.push(await load(others, seconds));
    const [measured, attack] = await Promise.all([load(others, seconds), load(hostile, seconds)]);
    sides.with.push(measured);
    for (const { name, statuses } of attack) {
      for (const [status, count] of Object.entries(statuses)) {
        const key = `${name} ${status}`;
        answers[key] = (answers[key] ?? 0) + count;
      }
    }
  }
  return { ...sides, answers };
}

/**
 * Prints the result.
 * @returns whether every p95 is at most twice what it is without the hostile lanes, and none of the others' requests
 * was refused.
 */
export function tellBeside(write: WriteLine, { answers, ...sides }: BesideResult): boolean {
  write(
    `  their answers: ${Object.entries(answers)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ')}`,
  );
  const verdicts = (sides.without[0] ?? []).map(({ name }, lane) => {
    const at = (side: 'without' | 'with', share: number): number =>
      median(sides[side].map((lanes) => quantile(lanes[lane]?.times ?? [], share)));
    const ratio = at('with', 0.95) / at('without', 0.95);
    write(`\n  The others' ${name}, medians of ${sides.without.length} rounds`);
    const refused = { without: refusedOf(sides.without, lane), with: refusedOf(sides.with, lane) };
    for (const side of ['without', 'with'] as const) {
      const [p50, p95] = [at(side, 0.5), at(side, 0.95)];
      write(
        `    ${`${side} four hostile accounts`.padEnd(32)} p50 ${p50.toFixed(2)} ms  p95 ${p95.toFixed(2)} ms  refused ${refused[side]}`,
      );
    }
    // A refusal is the fastest answer and the worst one, so any refusal misses the bar whatever the times.
    const isMet = ratio <= MOST_RATIO && refused.without === 0 && refused.with === 0;
    write(
      `    ratio of p95 ${ratio.toFixed(2)}; bar: at most ${MOST_RATIO} and none refused: ${isMet ? 'met' : 'missed'}`,
    );
    return isMet;
  });
  write('');
  return verdicts.length > 0 && verdicts.every(Boolean);
}

/** Number of answers other than 200 that one lane of the others got. */
function refusedOf(rounds: readonly PacedLaneResult[][], lane: number): number {
  const counts = rounds.flatMap((lanes) => Object.entries(lanes[lane]?.statuses ?? {}));
  return counts.reduce((sum, [status, count]) => sum + (status === '200' ? 0 : count), 0);
}
