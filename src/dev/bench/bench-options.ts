import { parseArgs } from 'node:util';
import { CallFault, messageOf } from '../processes/local-fault.js';

/** The comparisons that make up the whole bench. `--only` selects one of them by its name. */
export const COMPARISONS = ['list', 'deep', 'prepare', 'auth'] as const;
export type ComparisonName = (typeof COMPARISONS)[number];

/**
 * Measurements of one part of the service, with their own market or with none. They run only when `--only` names them.
 */
export const ALONE = [
  'events',
  'flat',
  'growth',
  'hostile',
  'indexer',
  'match',
  'memory',
  'reindex',
  'scaling',
  'settlement',
  'trust',
] as const;
export type AloneName = (typeof ALONE)[number];

/** What the command line asks to be measured. */
export interface BenchOptions {
  only: ComparisonName | AloneName | null;
  tasks: number;
  agents: number;
  /** For `indexer` and `reindex`: the number of trees, ten events each. */
  trees: number;
  /** For `indexer`: the number of nodes in the hostile tree. */
  nodes: number;
  /** Seconds that each load runs; null: the default of the measurement. */
  seconds: number | null;
  rounds: number;
  /** For `settlement`: the number of settlements measured of each kind. */
  samples: number;
  /** For `settlement`: settlements of one pair, agents of one owner, and buyers of one agent. */
  whales: { dealt: number; owned: number; buyers: number };
  /** Folder of the public data; null: the usual folder, if it exists. */
  data: string | null;
}

export const BENCH_USAGE = `Measures the service on this machine, each figure beside a baseline in the same run.

  npm run bench                        lists, deep pages, operation 1, credentials
  npm run bench -- --only NAME         one of them (${COMPARISONS.join(', ')}),
                                       or one part alone (${ALONE.join(', ')})
  npm run bench -- --tasks NUMBER      tasks in the market (1000000; flat: 100000; list, memory, scaling: 20000)
  npm run bench -- --agents NUMBER     agents of match (1000000), memory (200000), trust's first run (100000)
  npm run bench -- --trees NUMBER      trees of indexer and reindex, ten events each (5000)
  npm run bench -- --nodes NUMBER      nodes of indexer's hostile tree (50000)
  npm run bench -- --seconds NUMBER    of each load (4; flat, hostile: 15; events: 20; memory: 60)
  npm run bench -- --rounds NUMBER     of which the medians are taken (5)
  npm run bench -- --samples NUMBER    settlements of each kind of settlement (1000)
  npm run bench -- --dealt NUMBER      settlements of its busiest pair (320000)
  npm run bench -- --owned NUMBER      agents of its largest owner (20000)
  npm run bench -- --buyers NUMBER     buyers of its best known agent (50000)
  npm run bench -- --data FOLDER       public texts for match (.tasktree/data; without them it makes up its own)

Exit code 0: every bar is met; 1: one is missed, or something went wrong; 2: called with what it does not know.`;

const FEWER_TASKS: Readonly<Record<string, string>> = {
  flat: '100000',
  list: '20000',
  memory: '20000',
  scaling: '20000',
};
const FEWER_AGENTS: Readonly<Record<string, string>> = { memory: '200000', trust: '100000' };

/** Reads the command line. @throws CallFault on anything it does not know. */
export function benchOptions(args: readonly string[]): BenchOptions {
  const { only, tasks, agents, trees, nodes, seconds, rounds, samples, dealt, owned, buyers, data } = parse(args);
  return {
    only: nameOf(only),
    tasks: numberOf('--tasks', tasks ?? FEWER_TASKS[only ?? ''] ?? '1000000'),
    agents: numberOf('--agents', agents ?? FEWER_AGENTS[only ?? ''] ?? '1000000'),
    trees: numberOf('--trees', trees ?? '5000'),
    nodes: numberOf('--nodes', nodes ?? '50000'),
    seconds: seconds === undefined ? null : numberOf('--seconds', seconds),
    rounds: numberOf('--rounds', rounds ?? '5'),
    samples: numberOf('--samples', samples ?? '1000'),
    whales: {
      dealt: numberOf('--dealt', dealt ?? '320000'),
      owned: numberOf('--owned', owned ?? '20000'),
      buyers: numberOf('--buyers', buyers ?? '50000'),
    },
    data: data ?? null,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        tasks: text,
        agents: text,
        trees: text,
        nodes: text,
        seconds: text,
        rounds: text,
        samples: text,
        dealt: text,
        owned: text,
        buyers: text,
        only: text,
        data: text,
      },
    }).values;
  } catch (error) {
    throw new CallFault(messageOf(error), BENCH_USAGE);
  }
}

function nameOf(only: string | undefined): BenchOptions['only'] {
  if (only === undefined) return null;
  const name = [...COMPARISONS, ...ALONE].find((known) => known === only);
  if (name === undefined) throw new CallFault(`There is no "${only}" to measure.`, BENCH_USAGE);
  return name;
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new CallFault(`${option} is "${text}": give a whole number from 1 on.`, BENCH_USAGE);
}
