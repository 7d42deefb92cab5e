import { connect } from 'node:net';
import { hrtime } from 'node:process';
import type { LoadOrder, LoadResult } from './load-order.js';
import { type RequestMaker, requestMakers } from './request-makers.js';

const HEADER_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = Buffer.from('Content-Length: ');
const READ_BYTES = 65_536;

/**
 * Runs a closed-loop load on one port of this machine: every connection sends its next request when the last answer is
 * complete, until the time is over. It uses raw sockets with one buffer each, because it shares the machine with the
 * server and an HTTP client library would use more CPU than the server.
 * @throws Error when an answer cannot be measured, or lacks what the next request needs.
 */
export async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const makers = requestMakers(order.requests, order.connections);
  const startedAt = hrtime.bigint();
  const taken: Taken = { latencies: [], statuses: {}, bytes: 0 };
  const endAt = startedAt + BigInt(Math.round(order.seconds * 1e9));
  await Promise.all(makers.map((maker) => connection(order.port, maker, endAt, taken)));
  const seconds = Number(hrtime.bigint() - startedAt) / 1e9;
  const latencies = taken.latencies.toSorted((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  const { statuses, bytes } = taken;
  return { requests: latencies.length, seconds, p50: at(0.5), p99: at(0.99), statuses, bytes };
}

interface Taken {
  latencies: number[];
  statuses: Record<string, number>;
  bytes: number;
}

function connection(port: number, maker: RequestMaker, endAt: bigint, taken: Taken): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0n;
    /** Bytes of the current answer still to come; 0 until its header has been read. */
    let missing = 0;
    let answer: Buffer[] = [];
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const next = (body: string): void => {
      const now = hrtime.bigint();
      if (now >= endAt) {
        socket.end();
        resolve();
        return;
      }
      const request = maker.next(body);
      sentAt = hrtime.bigint();
      socket.write(request);
      maker.sent?.();
    };
    const read = (size: number): boolean => {
      const bytes = buffer.subarray(0, size);
      if (missing === 0) missing = answerSize(bytes, taken.statuses);
      if (maker.readsAnswers) answer.push(Buffer.from(bytes));
      missing -= size;
      taken.bytes += size;
      if (missing > 0) return true;
      taken.latencies.push(Number(hrtime.bigint() - sentAt) / 1e6);
      const whole = Buffer.concat(answer);
      answer = [];
      next(whole.toString('utf8', whole.indexOf(HEADER_END) + HEADER_END.length));
      return true;
    };
    /** Rejects with the error. An error thrown from a socket's callback would end the process without a reason. */
    const orFail = <Arguments extends unknown[], Result>(work: (...given: Arguments) => Result) => {
      return (...given: Arguments): Result | false => {
        try {
          return work(...given);
        } catch (error) {
          socket.destroy();
          reject(error instanceof Error ? error : new Error(String(error)));
          return false;
        }
      };
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback: orFail(read) } });
    socket.on(
      'connect',
      orFail(() => next('')),
    );
    socket.on('error', reject);
    // Without this, a server that closes a connection during the load would leave the promise pending.
    socket.on('close', () => reject(new Error('the connection was closed before the load was over')));
  });
}

/** Length of the whole answer, header included, from the header in its first bytes. Also counts its status. */
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
