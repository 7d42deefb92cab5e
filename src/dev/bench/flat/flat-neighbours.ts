import { Environment } from '../../../platform/config/environment.js';
import type { LocalFile } from '../../market-folder/local-file.js';
import type { WriteLine } from '../../processes/progress.js';
import { measureBeside, type Stage, tellBeside } from '../hostile/beside.js';
import type { PacedLane } from '../hostile/paced-load.js';
import type { Costs, Measured } from './flat-drive.js';
import type { FlatCaller } from './flat-people.js';
import type { Scope } from '../../../modules/credentials/scope.js';

const HOSTILE_ACCOUNTS = 4;
/** Each hostile account repeats this many different requests: the slowest that it may send. */
const DEAREST = 4;
const READS_PER_SECOND = 8;
const SECONDS_A_MINUTE = 60;
/**
 * The service's default rate limits. The market of this bench has none, because the bench sends faster than they allow.
 */
const LIMITS = new Environment();

/**
 * Measures how much four accounts slow down a reader of lists, when each sends its slowest reads at the full rate that
 * an account may have. The accounts that own most are among the four.
 * @returns whether the reader's p95 is at most twice what it is without them.
 */
export async function benchNeighbours(
  write: WriteLine,
  { base_url: url, accounts }: LocalFile,
  {
    callers,
    costs,
    settings,
  }: { callers: readonly FlatCaller[]; costs: Costs; settings: { seconds: number; rounds: number } },
): Promise<boolean> {
  const hostile = callers.slice(0, HOSTILE_ACCOUNTS).map((caller) => ({ caller, asked: dearestOf(caller, costs) }));
  write(`  Four accounts, each ${LIMITS.rateLimitAccount} reads a minute, and what each asks:`);
  for (const { caller, asked } of hostile) {
    for (const { request, wholeMs, ms } of asked) {
      write(
        `    ${wholeMs.toFixed(1).padStart(6)} ms, ${ms.toFixed(2)} of them in the database: ${caller.name}, ${request.path.slice(0, 100)}`,
      );
    }
  }
  const stage: Stage = { others: [reader(accounts, callers)], hostile: hostile.map(laneOf) };
  write(`  ${settings.rounds} rounds, ${settings.seconds} s without and ${settings.seconds} s with them`);
  return tellBeside(write, await measureBeside(url, stage, settings));
}

/** The caller's reads by API key that were answered with 200, the slowest first; at most `DEAREST` of them. */
export function dearestOf({ name }: Pick<FlatCaller, 'name'>, costs: Costs): Measured[] {
  return [...costs.values()]
    .filter(
      ({ caller, status, request: { scope, method } }) =>
        caller === name && status === 200 && scope !== 'session' && (method ?? 'GET') === 'GET',
    )
    .toSorted((a, b) => b.wholeMs - a.wholeMs)
    .slice(0, DEAREST);
}

function laneOf({ caller, asked }: { caller: FlatCaller; asked: readonly Measured[] }): PacedLane {
  return {
    name: caller.name,
    perSecond: LIMITS.rateLimitAccount / SECONDS_A_MINUTE,
    requests: asked.map(({ request }) => ({
      method: 'GET',
      path: request.path,
      key: caller.keys[request.scope as Scope],
    })),
  };
}

/** Reads lists as an account of the sample market that is not one of the hostile ones. */
function reader(accounts: LocalFile['accounts'], callers: readonly FlatCaller[]): PacedLane {
  const account = accounts.find(({ account_id: id }) => !callers.some(({ accountId }) => accountId === id));
  if (!account) throw new Error('Everybody is hostile');
  const paths = ['tasks', 'agents', 'quotes', 'deliveries', 'receipts'];
  return {
    name: 'reader of lists',
    perSecond: READS_PER_SECOND,
    requests: paths.map((path) => ({ method: 'GET', path: `/v1/${path}?limit=20`, key: account.keys.read })),
  };
}
