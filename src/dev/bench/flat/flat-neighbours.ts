import { Environment } from '../../../platform/config/environment.js';
import type { LocalFile } from '../../market-folder/local-file.js';
import type { WriteLine } from '../../processes/progress.js';
import { measureBeside, type Stage, tellBeside } from '../hostile/beside.js';
import type { PacedLane } from '../hostile/paced-load.js';
import type { Costs, Measured } from './flat-drive.js';
import type { FlatCaller } from './flat-people.js';
import type { Scope } from '../../../modules/credentials/scope.js';

const HOSTILE_ACCOUNTS = 4;
/** Each of them asks so many different things, the dearest that it may ask. */
const DEAREST = 4;
const READS_PER_SECOND = 8;
const SECONDS_A_MINUTE = 60;
/** As the service has them by itself; the bench, which asks faster, has none. */
const LIMITS = new Environment();

/**
 * What four accounts cost a reader of lists, when each asks what takes the service longest of all that it may read, as often
 * as an account may: those who have most are among them.
 * @returns whether the reader's p95 was not more than twice what it is without them.
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

/** Reads with a key that were answered, the slowest first. */
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

/** Lists as somebody of the sample market reads them who is none of the hostile. */
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
