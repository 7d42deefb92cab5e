import { isDeepStrictEqual } from 'node:util';
import { TEXT_WEIGHTS, type TextWeights } from '../../../modules/matching/relevance/matching-constants.js';
import { ALL_HISTORY } from './matching-history.js';
import { byNumbers, type TestFigures, withHistory } from './matching-methods.js';
import type { LexicalSet } from './matching-postgres.js';
import type { ImpactScale } from './matching-relevance.js';
import { meanOf } from '../statistics/paired-bootstrap.js';
import type { Report } from '../report.js';

/** The roundings of impacts to compare, with their names in the report. */
const IMPACT_SCALES: readonly [string, ImpactScale][] = [
  ['1 to 255', 255],
  ['1 to 1,023', 1_023],
  ['1 to 4,095', 4_095],
  ['not rounded', null],
];

/** Plain BM25F: the weights of the first formula, and the best ones that were found for it. */
const PLAIN: readonly TextWeights[] = [
  { name: 3, nameLength: 0.5, restLength: 0.75, wholeLength: 0, saturation: 1.2 },
  { name: 2, nameLength: 0.5, restLength: 0.7, wholeLength: 0, saturation: 1.8 },
];

/** The text weights to compare. */
const WEIGHTS: readonly TextWeights[] = [
  ...PLAIN,
  ...[2, 3].flatMap((name) =>
    [0.1, 0.2, 0.3].flatMap((restLength) =>
      [0.5, 0.6, 0.7].flatMap((wholeLength) =>
        [1.8, 2.4, 3].map((saturation) => ({ name, nameLength: 0.5, restLength, wholeLength, saturation })),
      ),
    ),
  ),
];

/** Figures by which the constants of the relevance are chosen, measured on requests that are in no test. */
export interface Choices {
  scales: { name: string; texts: TestFigures; briefs: TestFigures }[];
  weights: { weights: TextWeights; texts: TestFigures }[];
}

/** nDCG@10 of one set for every constant to compare. */
export function measureChoices(lexical: LexicalSet, seed: number): Choices {
  const everything = withAllRequests(lexical);
  return {
    scales: IMPACT_SCALES.map(([name, scale]) => ({
      name,
      texts: byNumbers(lexical, scale),
      briefs: withHistory(lexical, ALL_HISTORY, 'agents and briefs', seed, scale).figures,
    })),
    weights: WEIGHTS.map((weights) => ({ weights, texts: byNumbers(everything, undefined, weights) })),
  };
}

/** The set with its history as further tests. This is fair because the texts alone do not use the history. */
function withAllRequests({ set, tools, tests, history }: LexicalSet): LexicalSet {
  return {
    set: { ...set, tests: [...set.tests, ...set.history], history: [] },
    tools,
    tests: [...tests, ...history],
    history: [],
  };
}

/** Prints the compared constants; nothing when no set was measured. */
export function tellChoices(report: Report, measured: readonly { set: string; choices: Choices }[]): void {
  const [first] = measured;
  if (first === undefined) return;
  report.line('## Rounding of impacts');
  report.table(
    ['nDCG@10', ...measured.flatMap(({ set }) => [set, `${set}, all briefs`])],
    first.choices.scales.map(({ name }, place) => [
      name,
      ...measured
        .flatMap(({ choices: { scales } }) => [scales[place]?.texts ?? [], scales[place]?.briefs ?? []])
        .map((figures) => meanOf(figures).toFixed(5)),
    ]),
  );
  report.line('## Weights of the texts, on tests and history, by the mean of the sets');
  report.table(
    ['Name', 'Length inside', 'Length outside', 'k1', ...measured.map(({ set }) => set), 'Mean'],
    first.choices.weights
      .map(({ weights }, place) => ({
        weights,
        means: measured.map(({ choices }) => meanOf(choices.weights[place]?.texts ?? [])),
      }))
      .sort((a, b) => meanOf(b.means) - meanOf(a.means))
      .map(({ weights, means }) => [
        `${weights.name}${isShipped(weights) ? ' (shipped)' : ''}`,
        String(weights.restLength),
        String(weights.wholeLength),
        String(weights.saturation),
        ...[...means, meanOf(means)].map((mean) => mean.toFixed(4)),
      ]),
  );
}

function isShipped(weights: TextWeights): boolean {
  return isDeepStrictEqual(weights, TEXT_WEIGHTS);
}
