import { argv } from 'node:process';
import { parseArgs } from 'node:util';
import { DATA_FOLDER } from '../data/public-sets.js';
import { type Choices, measureChoices, tellChoices } from './matching/matching-choices.js';
import { ALL_HISTORY, type HistoryDepth } from './matching/matching-history.js';
import { BM25F, byTexts, type TestFigures, withHistory } from './matching/matching-methods.js';
import { type LexicalSet, lexicalSet, POSTGRES_METHODS, rankedByPostgres } from './matching/matching-postgres.js';
import { type MeasuredOn, readSets } from './matching/matching-sets.js';
import { ndcgOf } from './statistics/ndcg.js';
import { meanOf, pairedDifference } from './statistics/paired-bootstrap.js';
import { type Gate, Report } from './report.js';
import { runEvaluation } from './run-evaluation.js';
import { withScratchPostgres } from './scratch-postgres.js';
import { Seeded } from './statistics/seeded.js';

/** Least nDCG@10 of the texts alone, and with all settled briefs. Only the public sets have these names. */
const BARS: Readonly<Record<string, { texts: number; briefs?: number }>> = {
  MetaTool: { texts: 0.575, briefs: 0.69 },
  'Seal-Tools in-domain': { texts: 0.915 },
  'Seal-Tools out-domain': { texts: 0.91 },
};
/** How much nDCG@10 settled briefs may cost on any set. */
const MOST_LOST = 0.005;

/** Two of three agents are new; shows what they lose against the third that has all the history. */
const SPARSE: HistoryDepth = {
  name: 'sparse: all for a third of them',
  perTool: Number.POSITIVE_INFINITY,
  share: 1 / 3,
};

const DEPTHS: readonly HistoryDepth[] = [
  { name: '1 per agent', perTool: 1, share: 1 },
  { name: '3 per agent', perTool: 3, share: 1 },
  { name: '10 per agent', perTool: 10, share: 1 },
  { name: '20 per agent', perTool: 20, share: 1 },
  ALL_HISTORY,
  SPARSE,
];

/** Results on one set: nDCG@10 of each test, by method. */
interface SetResults {
  lexical: LexicalSet;
  /** Empty when Postgres was left out. */
  postgres: Map<string, TestFigures>;
  texts: Map<string, TestFigures>;
  briefs: Map<string, { figures: TestFigures; experienced: Set<number> }>;
  /** With the whole history, and rarity counted over agents only. */
  agentsAlone: TestFigures;
  /** Only on validation. */
  choices: Choices | null;
}

/**
 * `npm run eval:matching [-- --data DIR --seed N --draws N --on test|validation --without postgres --out FILE]`:
 * measures how well the production relevance finds the right agents for a task, on public sets of tools and requests,
 * and compares it with the ranking functions of Postgres, which take most of the time. Exits with 1 when a bar is
 * missed, with 2 without the data.
 */
async function evaluate(): Promise<number> {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: {
      data: { type: 'string', default: DATA_FOLDER },
      seed: { type: 'string', default: '20261122' },
      draws: { type: 'string', default: '2000' },
      on: { type: 'string', default: 'test' },
      without: { type: 'string' },
      out: { type: 'string', default: '.tasktree/eval/matching.md' },
    },
  });
  const [seed, draws] = [Number(values.seed), Number(values.draws)];
  const on: MeasuredOn = values.on === 'validation' ? 'validation' : 'test';
  const { sets, origins } = readSets(values.data, on, new Seeded(seed));
  const results = await withScratchPostgres(async (client) => {
    const measured: SetResults[] = [];
    for (const set of sets) {
      const lexical = await lexicalSet(client, set);
      const ranking =
        values.without === 'postgres' ? new Map<string, number[][]>() : rankedByPostgres(client, lexical.tests);
      const shipped = measureShipped(lexical, on, seed);
      const postgres = [...(await ranking)].map(
        ([name, rankings]) =>
          [name, rankings.map((best, test) => ndcgOf(best, set.tests[test]?.wanted ?? []))] as const,
      );
      measured.push({ postgres: new Map(postgres), ...shipped });
    }
    return measured;
  });
  const report = new Report('Matching: the right agents among the first ten');
  report.line();
  for (const origin of origins) report.line(origin);
  describeRun(report, results, seed);
  const passed = tell(report, results, draws, seed);
  report.save(values.out);
  return passed ? 0 : 1;
}

function measureShipped(lexical: LexicalSet, on: MeasuredOn, seed: number): Omit<SetResults, 'postgres'> {
  return {
    lexical,
    texts: byTexts(lexical),
    briefs: new Map(DEPTHS.map((depth) => [depth.name, withHistory(lexical, depth, 'agents and briefs', seed)])),
    agentsAlone: withHistory(lexical, ALL_HISTORY, 'agents alone', seed).figures,
    choices: on === 'validation' ? measureChoices(lexical, seed) : null,
  };
}

function describeRun(report: Report, results: readonly SetResults[], seed: number): void {
  report.line();
  report.line('nDCG@10 over all tools of a set, for every test. Equals: in order of the set.');
  report.line(`Tests, history and draws by chance of seed ${seed}. History never holds the text of a test.`);
  report.table(
    ['Set', 'Tools', 'Tests', 'History', 'Tools with history'],
    results.map(({ lexical: { set }, briefs }) => [
      set.name,
      String(set.tools.length),
      String(set.tests.length),
      String(set.history.length),
      String(briefs.get(ALL_HISTORY.name)?.experienced.size ?? 0),
    ]),
  );
}

function tell(report: Report, results: readonly SetResults[], draws: number, seed: number): boolean {
  const names = results.map(({ lexical }) => lexical.set.name);
  const row = (name: string, figures: (result: SetResults) => TestFigures): string[] => [
    name,
    ...results.map((result) => meanOf(figures(result)).toFixed(4)),
  ];
  report.line('## Texts alone');
  report.table(
    ['nDCG@10', ...names],
    [
      ...(results.some(hasPostgres)
        ? POSTGRES_METHODS.map(({ name }) => row(name, ({ postgres }) => postgres.get(name) ?? []))
        : []),
      ...[...(results[0]?.texts.keys() ?? [])].map((name) => row(name, ({ texts }) => texts.get(name) ?? [])),
    ],
  );
  report.line('## With similar settled briefs');
  report.table(
    ['nDCG@10', ...names],
    [
      ...DEPTHS.map(({ name }) => row(name, ({ briefs }) => briefs.get(name)?.figures ?? [])),
      row('all, rarity over agents alone', ({ agentsAlone }) => agentsAlone),
      row('sparse: tests of agents without history', (result) => withoutHistory(result, sparseFigures(result))),
      row('the same by texts alone', (result) => withoutHistory(result, shippedOf(result))),
    ],
  );
  tellChoices(
    report,
    results.flatMap(({ lexical: { set }, choices }) => (choices === null ? [] : [{ set: set.name, choices }])),
  );
  report.line(`## Differences, paired bootstrap of the tests (${draws} draws)`);
  report.table(
    ['Set', 'Compared', 'Difference', '95 % interval', 'Draws not ahead'],
    results.flatMap((result) => comparisons(result, draws, seed)),
  );
  return report.gates(results.flatMap(gatesOf));
}

function comparisons(result: SetResults, draws: number, seed: number): string[][] {
  const shipped = shippedOf(result);
  const pairs: [string, TestFigures, TestFigures][] = [
    ...bestPostgres(result).map(({ name, figures }): [string, TestFigures, TestFigures] => [
      `BM25F against ${name}`,
      shipped,
      figures,
    ]),
    ...DEPTHS.map(({ name }): [string, TestFigures, TestFigures] => [
      `briefs (${name}) against BM25F`,
      result.briefs.get(name)?.figures ?? [],
      shipped,
    ]),
  ];
  return pairs.map(([name, first, second]) => {
    const { mean, low, high, notAhead } = pairedDifference(first, second, draws, new Seeded(seed));
    const interval = `${signed(low)} to ${signed(high)}`;
    return [result.lexical.set.name, name, signed(mean), interval, `${(100 * notAhead).toFixed(1)} %`];
  });
}

function gatesOf(result: SetResults): Gate[] {
  const { name } = result.lexical.set;
  const texts = meanOf(shippedOf(result));
  const bar = BARS[name];
  const lost = Math.max(...DEPTHS.map((depth) => texts - meanOf(result.briefs.get(depth.name)?.figures ?? [])));
  return [
    ...(bar ? [atLeast(`${name}: BM25F`, texts, bar.texts)] : []),
    ...bestPostgres(result).map(({ figures }) => ({
      name: `${name}: BM25F above every rank of Postgres`,
      measured: texts.toFixed(4),
      bar: `> ${meanOf(figures).toFixed(4)}`,
      passed: texts > meanOf(figures),
    })),
    ...(bar?.briefs === undefined
      ? []
      : [
          atLeast(
            `${name}: with all settled briefs`,
            meanOf(result.briefs.get(ALL_HISTORY.name)?.figures ?? []),
            bar.briefs,
          ),
        ]),
    {
      name: `${name}: most that briefs cost`,
      measured: Math.max(0, lost).toFixed(4),
      bar: `≤ ${MOST_LOST}`,
      passed: lost <= MOST_LOST,
    },
  ];
}

function atLeast(name: string, measured: number, bar: number): Gate {
  return { name, measured: measured.toFixed(4), bar: `≥ ${bar}`, passed: measured >= bar };
}

function hasPostgres({ postgres }: SetResults): boolean {
  return postgres.size > 0;
}

/** The best Postgres method as a list of one; empty when none was measured. */
function bestPostgres({ postgres }: SetResults): { name: string; figures: TestFigures }[] {
  return [...postgres]
    .map(([name, figures]) => ({ name, figures }))
    .sort((a, b) => meanOf(b.figures) - meanOf(a.figures))
    .slice(0, 1);
}

function shippedOf({ texts }: SetResults): TestFigures {
  return texts.get(BM25F) ?? [];
}

function sparseFigures({ briefs }: SetResults): TestFigures {
  return briefs.get(SPARSE.name)?.figures ?? [];
}

/** Figures of the newcomers' tests: those in which no wanted tool has history under `SPARSE`. */
function withoutHistory({ lexical, briefs }: SetResults, figures: TestFigures): TestFigures {
  const experienced = briefs.get(SPARSE.name)?.experienced ?? new Set();
  return figures.filter((_, test) => !lexical.set.tests[test]?.wanted.some((tool) => experienced.has(tool)));
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}

await runEvaluation(evaluate);
