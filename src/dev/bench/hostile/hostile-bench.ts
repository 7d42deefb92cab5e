import { cpus, loadavg } from 'node:os';
import { version } from 'node:process';
import { Environment } from '../../../platform/config/environment.js';
import { UNCOUNTED_BODY_BYTES } from '../../../platform/rate-limit/body-bytes-budget.js';
import { localClient } from '../../local-client.js';
import { SeedServices } from '../../sample-market/seeds/seed-services.js';
import { Progress, type WriteLine } from '../../processes/progress.js';
import { startTemporaryMarket, type TemporaryMarket, variablesOf } from '../../local-market/temporary-market.js';
import { fundedNode, type FundedNode } from '../requests/prepare-bench.js';
import { measureBeside, type Stage, tellBeside } from './beside.js';
import { LARGEST_BODY } from './hostile-bodies.js';
import { type Caller, moreKeys, newCallers } from './hostile-people.js';
import type { PacedLane } from './paced-load.js';
import { candidatesOf, hostileRequest, type PathIds, triesOf, type TriedBody, worstBodies } from './worst-bodies.js';

const HOSTILE_ACCOUNTS = 4;
/** A hostile account sends the most expensive bodies, to this many operations where they cost the most. */
const WORST = 4;
/** A modest rate for a reader and a writer, below what an account may have. */
const READS_PER_SECOND = 8;
const WRITES_PER_SECOND = 1.8;
const SECONDS_A_MINUTE = 60;

/** The service's default limits, which this bench puts to the test. */
const LIMITS = new Environment();
/**
 * How many bodies of the largest size an account may send a minute. Its other writes have bodies small enough not to be
 * counted.
 */
const LARGE_A_MINUTE = Math.floor(LIMITS.rateLimitBodyBytes / LARGEST_BODY);
/** Limits while bodies are tried. They are sent one by one, not as an attack, so bytes and words are not limited. */
const UNLIMITED_TEXT = { RATE_LIMIT_BODY_BYTES: '1000000000', RATE_LIMIT_AGENT_WORDS: '1000000000' };

/**
 * `npm run bench -- --only hostile`: measures how much four free accounts slow down a reader and a writer, when each
 * uses its full allowed rate with the most expensive bodies known, under the service's default limits. The others are
 * measured with and without them in turn, so that a drift of the machine's speed affects both alike.
 * @returns whether the p95 of the reader and of the writer are at most twice what they are without the hostile
 * accounts.
 */
export async function benchHostile(write: WriteLine, settings: { seconds: number; rounds: number }): Promise<boolean> {
  const progress = new Progress(write, false);
  const worst = await inMarket(UNLIMITED_TEXT, progress, (market) => triedBodies(market, progress));
  return inMarket({}, progress, async (market) => {
    const stage = await prepare(market, worst);
    write(
      `\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
    );
    write(`  ${settings.rounds} rounds, ${settings.seconds} s without and ${settings.seconds} s with them`);
    for (const [size, bodies] of Object.entries(worst)) {
      write(`  the worst ${size} bodies:`);
      for (const { operation, what, text, ms } of bodies) {
        write(`    ${ms.toFixed(1).padStart(6)} ms  ${operation.name}: ${what} (${text.length} characters)`);
      }
    }
    return tellBeside(write, await measureBeside(market.file.base_url, stage, settings));
  });
}

/** The most expensive bodies of the largest size there is, and of the largest size that is not counted as bytes. */
interface WorstBodies {
  large: TriedBody[];
  small: TriedBody[];
}

/** Runs `use` with a market whose service has these settings, and stops the market afterwards. */
async function inMarket<T>(
  service: Record<string, string>,
  progress: Progress,
  use: (market: TemporaryMarket) => Promise<T>,
): Promise<T> {
  const market = await startTemporaryMarket('bench', { service, postgres: {} }, progress);
  try {
    return await use(market);
  } finally {
    await market.stop();
  }
}

async function fundedNodeOf(file: TemporaryMarket['file']): ReturnType<typeof fundedNode> {
  const client = localClient(file.database_url);
  await client.connect();
  try {
    const query: Parameters<typeof fundedNode>[0]['query'] = async (text, values) =>
      (await client.query<Record<string, unknown>>(text, values)).rows;
    return await fundedNode({ file, query });
  } finally {
    await client.end();
  }
}

async function triedBodies(market: TemporaryMarket, progress: Progress): Promise<WorstBodies> {
  const { file } = market;
  const node = await fundedNodeOf(file);
  const services = await SeedServices.open(variablesOf(market));
  const most = LIMITS.rateLimitAccountPrepare - 1;
  const tried = async (size: string, largest: number): Promise<TriedBody[]> => {
    const candidates = await candidatesOf(file.base_url, largest);
    const callers = await newCallers(services, Math.ceil(triesOf(candidates) / most));
    return progress.part(
      'Bodies',
      () => worstBodies(file.base_url, candidates, callers, pathIdsOf(node), { count: WORST, most }),
      () => `${candidates.length.toLocaleString('en')} hostile ${size} bodies tried`,
    );
  };
  try {
    return { large: await tried('large', LARGEST_BODY), small: await tried('small', UNCOUNTED_BODY_BYTES) };
  } finally {
    await services.close();
  }
}

function pathIdsOf({ taskId, id }: FundedNode): PathIds {
  return { task_id: taskId, node_id: id, action_id: 'act_unknown' };
}

async function prepare(market: TemporaryMarket, worst: WorstBodies): Promise<Stage> {
  const { file } = market;
  const node = await fundedNodeOf(file);
  const services = await SeedServices.open(variablesOf(market));
  try {
    const attackers = await newCallers(services, HOSTILE_ACCOUNTS);
    const reader = file.accounts.find(({ account_id: id }) => id !== node.accountId);
    const writer = file.accounts.find(({ account_id: id }) => id === node.accountId);
    if (!reader || !writer) throw new Error('The sample market has too few accounts');
    const readerKeys = await moreKeys(services, reader.account_id);
    const writerKeys = await moreKeys(services, writer.account_id);
    return {
      hostile: attackers.flatMap((attacker, n) => lanesOf(attacker, n, worst, pathIdsOf(node))),
      others: [
        {
          name: 'reader',
          perSecond: READS_PER_SECOND,
          requests: readerKeys.read.flatMap((key) => [
            { method: 'GET', path: '/v1/tasks?limit=20', key },
            { method: 'GET', path: `/v1/tasks/${node.taskId}`, key },
            { method: 'GET', path: '/v1/agents?limit=20', key },
          ]),
        },
        {
          name: 'writer',
          perSecond: WRITES_PER_SECOND,
          requests: writes(writerKeys, node, writer.agents[0]?.id ?? ''),
        },
      ],
    };
  } finally {
    await services.close();
  }
}

/**
 * The most that an account may send: large bodies up to its limit of bytes, small ones for the rest of its rate of
 * writes, and reads of the longest pages.
 */
function lanesOf(attacker: Caller, number: number, { large, small }: WorstBodies, ids: PathIds): PacedLane[] {
  const requestsOf = (bodies: readonly TriedBody[]): PacedLane['requests'] =>
    Array.from({ length: WORST * attacker.keys.buyer.length }, (_, turn) => {
      const body = bodies[(number + turn) % bodies.length];
      if (body === undefined) throw new Error('There is no hostile body');
      return hostileRequest(body, attacker, ids, turn);
    });
  const aMinute = (count: number): number => count / SECONDS_A_MINUTE;
  return [
    { name: 'large bodies', perSecond: aMinute(LARGE_A_MINUTE), requests: requestsOf(large) },
    {
      name: 'small bodies',
      perSecond: aMinute(LIMITS.rateLimitAccountPrepare - LARGE_A_MINUTE),
      requests: requestsOf(small),
    },
    {
      name: 'reads',
      perSecond: aMinute(LIMITS.rateLimitAccount),
      requests: attacker.keys.read.map((key) => ({ method: 'GET', path: '/v1/tasks?limit=100', key })),
    },
  ];
}

/** Requests of the writer: change a profile, then prepare an action; one pair for each set of keys. */
function writes(keys: Caller['keys'], { taskId, id }: FundedNode, agentId: string): PacedLane['requests'] {
  return keys.worker.flatMap((key, turn) => [
    {
      method: 'PATCH',
      path: `/v1/agents/${agentId}`,
      key: keys['agent-owner'][turn] ?? '',
      body: JSON.stringify({ description: `Translates manuals, ${turn}.` }),
    },
    { method: 'POST', path: `/v1/tasks/${taskId}/nodes/${id}/abandon-intents`, key },
  ]);
}
