import { argv, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { DataFault } from '../data/data-fault.js';
import { DATA_FOLDER } from '../data/public-sets.js';
import { type AlphaNetwork, readAlpha } from './reputation/alpha-ratings.js';
import { figuresOf, type MarketFigures, PRICED_ATTACKS } from './attacks/attack-figures.js';
import { runTrials, type TrialSummary } from './attacks/attack-trials.js';
import { medianOf } from './statistics/quantiles.js';
import { type Gate, Report } from './report.js';
import { runEvaluation } from './run-evaluation.js';
import { Seeded } from './statistics/seeded.js';
import { alphaMarket, type Market, syntheticMarket } from './market/trade-market.js';

/** How many seeds the median figures come from. */
const FIGURE_SEEDS = 40;
const MOST_GROWTH = 0.15;
const LEAST_DETECTION = 0.99;

type MarketMaker = (chance: Seeded) => Market;

/**
 * `npm run eval:attacks [-- --seeds N --seed S --data DIR --out FILE]`: measures what attackers gain under the
 * production trust code and formulas, in an invented market and on the graph of Bitcoin Alpha. Exits with 1 when a bar
 * is missed, and with 2 when --data names a folder without the data. Without --data, and with no data in the default
 * folder, it runs the invented market only.
 */
function evaluate(): number {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: {
      data: { type: 'string' },
      seeds: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '20261122' },
      out: { type: 'string', default: '.tasktree/eval/attacks.md' },
    },
  });
  const [seeds, seed] = [Number(values.seeds), Number(values.seed)];
  const { network, origins } = networkOf(values.data);
  const report = new Report('Attacks on reputation');
  report.line();
  report.line(`Seeds ${seed} to ${seed + seeds - 1}. Fee 2 %, 5 % of buyers verified, amounts lognormal.`);
  for (const origin of origins) report.line(origin);
  const began = performance.now();
  const gates = marketsOf(network).flatMap(({ name, marketOf }, index, all) => {
    report.line();
    report.line(`## ${name}`);
    // Each market gets its share of the seeds.
    const share = Math.ceil((seeds * (index + 1)) / all.length) - Math.ceil((seeds * index) / all.length);
    return evaluateMarket(report, name, marketOf, share, seed + Math.ceil((seeds * index) / all.length));
  });
  const passed = report.gates(gates);
  report.save(values.out);
  stdout.write(`${Math.round((performance.now() - began) / 1000)} s\n`);
  return passed ? 0 : 1;
}

/**
 * The network, or null when no folder was named and the default one has no data. @throws DataFault when the named
 * folder has none.
 */
function networkOf(data: string | undefined): { network: AlphaNetwork | null; origins: readonly string[] } {
  try {
    const network = readAlpha(data ?? DATA_FOLDER);
    return { network, origins: network.origins };
  } catch (error) {
    if (data !== undefined || !(error instanceof DataFault)) throw error;
    return { network: null, origins: [error.message, 'Invented markets only.'] };
  }
}

function marketsOf(network: AlphaNetwork | null): { name: string; marketOf: MarketMaker }[] {
  const invented = { name: 'Invented market', marketOf: syntheticMarket };
  if (network === null) return [invented];
  return [invented, { name: network.name, marketOf: (chance) => alphaMarket(network, chance) }];
}

function evaluateMarket(report: Report, name: string, marketOf: MarketMaker, seeds: number, seed: number): Gate[] {
  const example = marketOf(new Seeded(seed));
  report.line(
    `${example.principals} principals, ${example.deals.length} deals, ${example.buyers.length} buyers of which ${example.anchors.length} are verified, ${example.workers.length} workers.`,
  );
  const trials = runTrials(seeds, seed, marketOf);
  printTrials(report, trials);
  const figures = Array.from({ length: FIGURE_SEEDS }, (_, number) => figuresOf(marketOf, seed + number));
  printPrices(report, figures);
  printHonest(report, figures);
  return [...trialGates(name, trials), ...figureGates(name, figures)];
}

function printTrials(report: Report, trials: readonly TrialSummary[]): void {
  report.line();
  report.line(
    'Attacks of any size, $400 to $1.2 M washed. Bound: docs/decisions/ranking.md#bound-on-attacks, in every cohort by itself.',
  );
  report.table(
    ['Attack', 'trials', 'bounds checked', 'violated', 'value / bound, most', 'zero cut', 'not exactly 0', 'gained'],
    trials.map(({ kind, trials: count, bounds, violations, shares, zeroCuts, leaks, gains }) => {
      const known = shares.filter((share) => Number.isFinite(share));
      const most = known.length === 0 ? '–' : Math.max(...known).toFixed(2);
      return [kind, count, bounds, violations, most, zeroCuts, leaks, gains].map(String);
    }),
  );
  report.line('Without anchors every buyer counts; "not exactly 0" is then confidence above 0.5.');
}

function printPrices(report: Report, figures: readonly MarketFigures[]): void {
  report.line();
  report.line(
    `What an attack costs and gives: medians of ${figures.length} markets. Independent value is of all of the attacker's agents; the rest of the one it is for. Percentiles are among honest agents.`,
  );
  report.table(
    ['Attack', 'pays', 'gross value', 'independent value', 'most', 'independence', 'percentile'],
    PRICED_ATTACKS.map((attack, row) => {
      const prices = figures.flatMap((market) => market.prices[row] ?? []);
      return [
        attack,
        inUsdc(medianOf(prices.map(({ pays }) => pays))),
        percent(medianOf(prices.map(({ grossPercentile }) => grossPercentile))),
        inUsdc(medianOf(prices.map(({ value }) => value))),
        inUsdc(Math.max(...prices.map(({ value }) => value))),
        medianOf(prices.map(({ independence }) => independence)).toFixed(3),
        percent(medianOf(prices.map(({ independencePercentile }) => independencePercentile))),
      ];
    }),
  );
}

/** Prints figures of honest agents. They have no bar, because they depend on how much each agent trades. */
function printHonest(report: Report, figures: readonly MarketFigures[]): void {
  const median = (figure: (market: MarketFigures) => number): number => medianOf(figures.map(figure));
  report.line(`Honest value that is independent: ${percent(median(({ honest }) => honest.share))}.`);
  report.line(
    `Independence of the 200 best honest agents, median: ${median(({ honest }) => honest.top).toFixed(3)}; ` +
      `if every buyer were independent it would be ${median(({ honest }) => honest.topCeiling).toFixed(3)} ` +
      '(docs/decisions/ranking.md#evaluation asks for 0.75 on Bitcoin OTC, a larger network that is not here).',
  );
  report.line(
    `60 attackers against the best honest tenth, AUC: ${median(({ detection }) => detection.independence).toFixed(4)} ` +
      `by independence, ${median(({ detection }) => detection.gross).toFixed(4)} by gross value.`,
  );
}

function trialGates(name: string, trials: readonly TrialSummary[]): Gate[] {
  const total = (figure: (summary: TrialSummary) => number): number =>
    trials.reduce((sum, summary) => sum + figure(summary), 0);
  const [leaks, zeroCuts] = [total((t) => t.leaks), total((t) => t.zeroCuts)];
  const [violations, bounds] = [total((t) => t.violations), total((t) => t.bounds)];
  return [
    {
      name: `${name}: zero cut, not exactly 0`,
      measured: `${leaks} of ${zeroCuts}`,
      bar: '0',
      passed: leaks === 0 && zeroCuts > 0,
    },
    {
      name: `${name}: bound violated`,
      measured: `${violations} of ${bounds}`,
      bar: '0',
      passed: violations === 0 && bounds > 0,
    },
  ];
}

function figureGates(name: string, figures: readonly MarketFigures[]): Gate[] {
  const growth = figures.map(({ washGrowth }) => washGrowth);
  const found = figures.map(({ detection }) => detection.independence);
  return [
    {
      name: `${name}: value grown by washing × 1,000, median (most)`,
      measured: `${percent(medianOf(growth))} (${percent(Math.max(...growth))})`,
      bar: `< ${percent(MOST_GROWTH)}`,
      passed: Math.max(...growth) < MOST_GROWTH,
    },
    {
      name: `${name}: detection AUC, median (worst)`,
      measured: `${medianOf(found).toFixed(4)} (${Math.min(...found).toFixed(4)})`,
      bar: `≥ ${LEAST_DETECTION}`,
      passed: medianOf(found) >= LEAST_DETECTION,
    },
  ];
}

function inUsdc(amount: number): string {
  return `$${Math.round(amount).toLocaleString('en')}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

await runEvaluation(evaluate);
