import { argv } from 'node:process';
import { parseArgs } from 'node:util';
import { type MarketOutcome, type Ordering, playMarket } from './market/market-newcomers.js';
import { Report } from './report.js';
import { runEvaluation } from './run-evaluation.js';

/**
 * Bar (docs/decisions/ranking.md#discovery-and-variety): least share of good late newcomers that get at least 5 jobs
 * under the production rule.
 */
const LEAST_ESTABLISHED = 0.69;
const ORDERINGS: readonly Ordering[] = ['Wilson', 'greedy', 'one slot'];

/**
 * `npm run eval:market [-- --markets N --tasks N --seed S --out FILE]`: measures whether good newcomers find work in an
 * invented market, with and without the newcomer slot. Exits with 1 when the bar is missed.
 */
function evaluate(): number {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: {
      markets: { type: 'string', default: '3' },
      tasks: { type: 'string', default: '15000' },
      seed: { type: 'string', default: '20261122' },
      out: { type: 'string', default: '.tasktree/eval/market.md' },
    },
  });
  const [markets, tasks, seed] = [Number(values.markets), Number(values.tasks), Number(values.seed)];
  const report = new Report('Newcomers in an invented market');
  report.line();
  report.line(`${markets} markets of ${tasks} tasks, seeds ${seed} to ${seed + markets - 1}.`);
  report.line('Late newcomers come between half and four fifths of the time; good ones succeed in 90 % or more.');
  const outcomes = new Map(ORDERINGS.map((ordering) => [ordering, sumOf(markets, tasks, seed, ordering)] as const));
  report.table(
    ['Ordering', 'good late newcomers', 'with 5 jobs or more', 'share', 'success of all tasks'],
    [...outcomes].map(([ordering, outcome]) => [
      ordering,
      String(outcome.newcomers),
      String(outcome.established),
      shareOf(outcome).toFixed(3),
      (outcome.successes / outcome.tasks).toFixed(3),
    ]),
  );
  const shipped = outcomes.get('one slot');
  const share = shipped ? shareOf(shipped) : 0;
  const passed = report.gates([
    {
      name: 'good late newcomers with 5 jobs, one slot',
      measured: share.toFixed(3),
      bar: `≥ ${LEAST_ESTABLISHED}`,
      passed: share >= LEAST_ESTABLISHED,
    },
  ]);
  report.save(values.out);
  return passed ? 0 : 1;
}

function shareOf({ established, newcomers }: MarketOutcome): number {
  return established / newcomers;
}

function sumOf(markets: number, tasks: number, seed: number, ordering: Ordering): MarketOutcome {
  return Array.from({ length: markets }, (_, number) => playMarket(tasks, seed + number, ordering)).reduce(
    (sum, outcome) => ({
      newcomers: sum.newcomers + outcome.newcomers,
      established: sum.established + outcome.established,
      tasks: sum.tasks + outcome.tasks,
      successes: sum.successes + outcome.successes,
    }),
  );
}

await runEvaluation(evaluate);
