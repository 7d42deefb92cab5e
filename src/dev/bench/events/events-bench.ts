import { cpus, loadavg } from 'node:os';
import { version } from 'node:process';
import { localClient } from '../../local-client.js';
import { startTemporaryMarket } from '../../local-market/temporary-market.js';
import { Progress, type WriteLine } from '../../processes/progress.js';
import { LIMITS } from '../bench-market.js';
import { carriedOut, startBare } from '../measure.js';
import {
  benchToken,
  INSERT_GRANT_RECORDS,
  INSERT_GRANTS,
  INSERT_READERS,
  INSERT_TOKENS,
  NOTIFY_EVENT,
  RECORD_EVENT,
} from './event-bench.sql.js';
import type { StreamOrder, StreamResult } from './stream-order.js';
import { benchWriterCost } from './writer-cost.js';

/** Streams and events a second that the bars are about. */
const STREAMS = 1_000;
const PER_SECOND = 200;
const ACCOUNTS = 100;
const IDLE_STREAMS = 10_000;
const STREAMS_OF_GRANT = 3;
/** Bars: milliseconds, MiB, share of one processor. */
const MOST_VISIBLE_MS = 50;
const MOST_TOLD_MS = 100;
const MOST_IDLE_MIB = 200;
const MOST_IDLE_PROCESSOR = 0.05;
const WIDTH = 52;

type Load = Omit<StreamOrder, 'databaseUrl' | 'seconds'>;

/**
 * `npm run bench -- --only events`: from the commit of an event to its place in the log and to its readers, beside a program
 * that does nothing but pass notifications on; what idle streams cost; and what recording costs a writer.
 * @returns whether the bars are met.
 */
export async function benchEvents(write: WriteLine, { seconds }: { seconds: number }): Promise<boolean> {
  const isCostMet = await benchWriterCost(write);
  const service = { ...LIMITS, MAX_CONNECTIONS_PER_ADDRESS: '50000' };
  const market = await startTemporaryMarket('bench', { service, postgres: {} }, new Progress(write, false));
  const databaseUrl = market.file.database_url;
  const client = localClient(databaseUrl);
  try {
    await client.connect();
    await client.query(INSERT_READERS, [ACCOUNTS]);
    await client.query(INSERT_GRANTS, [Math.ceil(IDLE_STREAMS / STREAMS_OF_GRANT), ACCOUNTS]);
    await client.query(INSERT_GRANT_RECORDS);
    await client.query(INSERT_TOKENS, [market.file.base_url]);
    const load = [...loadavg()].map((one) => one.toFixed(1)).join(' ');
    write(`\n  ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${version}, load before ${load}`);
    const bare = await startBare('events/bare-relay', [databaseUrl]);
    const run = (own: Load): Promise<StreamResult> =>
      carriedOut<StreamResult>('events/stream-load', { ...own, databaseUrl, seconds } satisfies StreamOrder);
    const ours = { port: Number(new URL(market.file.base_url).port), pid: market.servicePid };
    const theirs = { port: bare.port, pid: bare.child.pid ?? Number.NaN };
    const idle = await run({ ...ours, ...streamsOf(IDLE_STREAMS), ...NOBODY, perSecond: 0 });
    const isIdleMet = idleLine(write, idle);
    const met: boolean[] = [];
    for (const [what, readers] of Object.entries(AUDIENCES)) {
      const shared = { ...readers, perSecond: PER_SECOND };
      const bareTimes = await run({ ...theirs, ...streamsOf(STREAMS), ...shared, statement: NOTIFY_EVENT });
      const times = await run({ ...ours, ...streamsOf(STREAMS), ...shared, statement: RECORD_EVENT });
      write(`\n  ${STREAMS} streams, ${PER_SECOND} events/s ${what}`);
      timesLine(write, 'notifications passed on, nothing else', bareTimes, false);
      timesLine(write, 'the service', times, true);
      met.push(times.visible.p99 <= MOST_VISIBLE_MS && times.told.p99 <= MOST_TOLD_MS && times.missing === 0);
    }
    bare.child.kill();
    return isCostMet && isIdleMet && met[0] === true;
  } finally {
    await client.end().catch(() => undefined);
    await market.stop();
  }
}

const accountOf = (grant: number): string => `acct_bench${1 + ((grant - 1) % ACCOUNTS)}`;
const NOBODY = { readers: [], statement: RECORD_EVENT, framesPerEvent: 0 };

/** The bars are about the first; the second sends each event to every stream. */
const AUDIENCES = {
  'for one account each': {
    readers: Array.from({ length: ACCOUNTS }, (_, n) => `acct_bench${n + 1}`),
    framesPerEvent: STREAMS / ACCOUNTS,
  },
  'for everybody': { readers: ['public'], framesPerEvent: STREAMS },
};

/** So many streams, of as many grants as there must be; each account has as many as any other, up to a grant's. */
function streamsOf(count: number): Pick<Load, 'path' | 'streams'> {
  const grants = count <= STREAMS ? count : Math.ceil(count / STREAMS_OF_GRANT);
  const headers = Array.from({ length: count }, (_, n) => {
    const grant = 1 + (n % grants);
    return `Authorization: Bearer ${benchToken(grant)}\r\nX-Account: ${accountOf(grant)}\r\n`;
  });
  return { path: '/v1/events/stream', streams: headers };
}

function timesLine(write: WriteLine, name: string, { told, visible, ...own }: StreamResult, isService: boolean): void {
  const inLog = isService ? `  in the log p50 ${visible.p50.toFixed(1)} p99 ${visible.p99.toFixed(1)} ms` : '';
  write(
    `    ${name.padEnd(WIDTH)} at the client p50 ${told.p50.toFixed(1)} p99 ${told.p99.toFixed(1)} ms${inLog}` +
      `  ${own.frames} frames, ${own.missing} missing, ${(own.processor * 100).toFixed(0)} % of a processor`,
  );
}

function idleLine(write: WriteLine, { memory, processor: during, processorBefore }: StreamResult): boolean {
  const more = memory.open - memory.before;
  const processor = during - (processorBefore ?? 0);
  write(
    `\n  ${IDLE_STREAMS} idle streams: ${more.toFixed(0)} MiB more (${memory.before.toFixed(0)} before), ` +
      `${(processor * 100).toFixed(1)} % of a processor more (${((processorBefore ?? 0) * 100).toFixed(1)} before)`,
  );
  return more <= MOST_IDLE_MIB && processor <= MOST_IDLE_PROCESSOR;
}
