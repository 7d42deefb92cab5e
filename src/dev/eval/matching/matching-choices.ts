import { isDeepStrictEqual } from 'node:util';
import { TEXT_WEIGHTS, type TextWeights } from '../../../modules/matching/relevance/matching-constants.js';
import { ALL_HISTORY } from './matching-history.js';
import { byNumbers, type TestFigures, withHistory } from './matching-methods.js';
import type { LexicalSet } from './matching-postgres.js';
import type { ImpactScale } from './matching-relevance.js';
import { meanOf } from '../statistics/paired-bootstrap.js';
import type { Report } from '../report.js';

/** Roundings of impacts, by what they are called. */
const IMPACT_SCALES: readonly [string, ImpactScale][] = [
  ['1 to 255', 255],
  ['1 to 1,023', 1_023],
  ['1 to 4,095', 4_095],
  ['not rounded', null],
];

/** Plain BM25F, with the weights of the first formula and with the best of those that were compared for it. */
const PLAIN: readonly TextWeights[] = [
  { name: 3, nameLength: 0.5, restLength: 0.75, wholeLength: 0, saturation: 1.2 },
  { name: 2, nameLength: 0.5, restLength: 0.7, wholeLength: 0, saturation: 1.8 },
];

/** Weights of the relevance of texts to choose from. */
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

/** What numbers of the relevance are chosen by, on requests that no test measures on. */
export interface Choices {
  scales: { name: string; texts: TestFigures; briefs: TestFigures }[];
  weights: { weights: TextWeights; texts: TestFigures }[];
}

/** nDCG@10 of one set for every number that could be chosen. */
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

/** The set with its history measured on as well: texts alone learn nothing from it. */
function withAllRequests({ set, tools, tests, history }: LexicalSet): LexicalSet {
  return {
    set: { ...set, tests: [...set.tests, ...set.history], history: [] },
    tools,
    tests: [...tests, ...history],
    history: [],
  };
}

/** Prints what there was to choose from; nothing without any set. */
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
