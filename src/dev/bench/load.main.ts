import { connect } from 'node:net';
import { hrtime, stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

/** What one run of the load process is told on its standard input, as JSON. */
export interface LoadOrder {
  port: number;
  connections: number;
  seconds: number;
  /** Whole HTTP/1.1 requests, sent in turn; `{{n}}` becomes a number that never repeats in this process. */
  requests: string[];
  /** True: each request is good only once, and the load ends early when none is left. */
  once?: boolean;
}

/** What it prints at its end, as JSON. */
export interface LoadResult {
  requests: number;
  seconds: number;
  /** Sorted-sample latencies in milliseconds. */
  p50: number;
  p99: number;
  /** Answers by status code. */
  statuses: Record<string, number>;
  bytes: number;
}

const HEADER_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = Buffer.from('Content-Length: ');
const READ_BYTES = 65_536;

/**
 * A closed-loop load on one port of this machine: every connection sends the next request when it has the whole answer
 * to the last. Raw sockets that read into one buffer each, because the load shares the machine with what it measures:
 * a client library would cost more than the server.
 */
async function run(order: LoadOrder): Promise<LoadResult> {
  // Once for all connections, and before the time runs.
  const ready = order.requests.map((request) => Buffer.from(request, 'latin1'));
  const startedAt = hrtime.bigint();
  const taken: Taken = { latencies: [], statuses: {}, sent: 0, bytes: 0 };
  const endAt = startedAt + BigInt(Math.round(order.seconds * 1e9));
  await Promise.all(Array.from({ length: order.connections }, () => connection(order, ready, endAt, taken)));
  const seconds = Number(hrtime.bigint() - startedAt) / 1e9;
  const latencies = taken.latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  const { statuses, bytes } = taken;
  return { requests: latencies.length, seconds, p50: at(0.5), p99: at(0.99), statuses, bytes };
}

interface Taken {
  latencies: number[];
  statuses: Record<string, number>;
  sent: number;
  bytes: number;
}

function connection(
  { port, requests, once = false }: LoadOrder,
  ready: readonly Buffer[],
  endAt: bigint,
  taken: Taken,
): Promise<void> {
  const unique = `${process.pid}-${hrtime.bigint()}`;
  const isFixed = !requests.some((request) => request.includes('{{n}}'));
  return new Promise((resolve, reject) => {
    let sentAt = 0n;
    /** Bytes of the answer that have not come yet; 0 before its header is read. */
    let missing = 0;
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const next = (now: bigint): void => {
      if (now >= endAt || (once && taken.sent >= requests.length)) {
        socket.end();
        resolve();
        return;
      }
      const index = taken.sent % requests.length;
      sentAt = now;
      socket.write(
        isFixed ? (ready[index] ?? '') : (requests[index] ?? '').replaceAll('{{n}}', `${unique}-${taken.sent}`),
      );
      taken.sent += 1;
    };
    const read = (size: number): boolean => {
      if (missing === 0) missing = answerSize(buffer.subarray(0, size), taken.statuses);
      missing -= size;
      taken.bytes += size;
      if (missing > 0) return true;
      const now = hrtime.bigint();
      taken.latencies.push(Number(now - sentAt) / 1e6);
      next(now);
      return true;
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: read } });
    socket.on('connect', () => next(hrtime.bigint()));
    socket.on('error', reject);
  });
}

/** Whole length of the answer whose header the first bytes hold; counts its status. */
function answerSize(head: Buffer, statuses: Record<string, number>): number {
  const headerEnd = head.indexOf(HEADER_END);
  const lengthAt = head.indexOf(CONTENT_LENGTH);
  if (headerEnd < 0 || lengthAt < 0 || lengthAt > headerEnd) {
    throw new Error('an answer without Content-Length cannot be measured');
  }
  const status = head.toString('latin1', 9, 12);
  statuses[status] = (statuses[status] ?? 0) + 1;
  const length = Number.parseInt(head.toString('latin1', lengthAt + CONTENT_LENGTH.length, lengthAt + 32), 10);
  return headerEnd + HEADER_END.length + length;
}

const result = await run(JSON.parse(await text(stdin)) as LoadOrder);
stdout.write(`${JSON.stringify(result)}\n`);
