import { connect } from 'node:net';
import { argv, hrtime, stdout } from 'node:process';

/** What one run of the load process is told on its command line, as JSON. */
export interface LoadOrder {
  port: number;
  connections: number;
  seconds: number;
  /** Whole HTTP/1.1 requests, sent in turn; `{{n}}` becomes a number that never repeats in this process. */
  requests: string[];
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

/**
 * A closed-loop load on one port of this machine: every connection sends the next request when it has the whole answer
 * to the last. Raw sockets, because a client library would cost more than the server that is measured.
 */
function run(order: LoadOrder): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let sent = 0;
  let bytes = 0;
  const startedAt = hrtime.bigint();
  const endAt = startedAt + BigInt(Math.round(order.seconds * 1e9));
  const unique = `${process.pid}-${startedAt}`;

  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true });
      let pending = Buffer.alloc(0);
      let sentAt = 0n;
      const next = (): void => {
        if (hrtime.bigint() >= endAt) {
          socket.end();
          resolve();
          return;
        }
        const request = order.requests[sent % order.requests.length] ?? '';
        sentAt = hrtime.bigint();
        socket.write(request.replaceAll('{{n}}', `${unique}-${sent}`));
        sent += 1;
      };
      socket.on('connect', next);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const size = answerSize(pending);
        if (size === null || pending.length < size) return;
        const status = pending.toString('latin1', 9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        latencies.push(Number(hrtime.bigint() - sentAt) / 1e6);
        bytes += size;
        pending = pending.subarray(size);
        next();
      });
    });

  return Promise.all(Array.from({ length: order.connections }, one)).then(() => {
    const seconds = Number(hrtime.bigint() - startedAt) / 1e9;
    latencies.sort((a, b) => a - b);
    const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
    return { requests: latencies.length, seconds, p50: at(0.5), p99: at(0.99), statuses, bytes };
  });
}

/** Whole length of the answer that starts the buffer, or null while its header is not complete. */
function answerSize(buffer: Buffer): number | null {
  const headerEnd = buffer.indexOf(HEADER_END);
  if (headerEnd < 0) return null;
  const match = /content-length: (\d+)/i.exec(buffer.toString('latin1', 0, headerEnd));
  if (!match) throw new Error('an answer without Content-Length cannot be measured');
  return headerEnd + HEADER_END.length + Number(match[1]);
}

const result = await run(JSON.parse(argv[2] ?? '') as LoadOrder);
stdout.write(`${JSON.stringify(result)}\n`);
