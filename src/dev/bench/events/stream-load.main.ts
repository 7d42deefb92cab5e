import { connect, type Socket } from 'node:net';
import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EVENTS_CHANNEL } from '../../../modules/events/log/event-sequencer.sql.js';
import { LOG_END } from '../../../modules/events/events.sql-views.js';
import { residentMib } from '../memory/resident-memory.js';
import { cpuSeconds } from '../processor-time.js';
import { IDS_BEHIND } from './event-bench.sql.js';
import type { StreamOrder, StreamResult, Times } from './stream-order.js';

const MARK = 'id: evt_';
const DIGITS = 26;
const OPENED_AT_ONCE = 50;
const WRITERS = 8;
const SETTLE_MS = 3_000;
const LATE_MS = 10_000;
/** Times are kept in tenths of a millisecond. */
const TENTHS = 200_000;

/** Opens the streams, writes the events, and measures when they arrive; in a process of its own. */
class StreamLoad {
  /** When the commit of each event was answered, by the monotonic clock. */
  private readonly committed: number[] = [];
  private readonly told = new Int32Array(TENTHS);
  private readonly visible = new Int32Array(TENTHS);
  private frames = 0;

  constructor(private readonly order: StreamOrder) {}

  async run(): Promise<StreamResult> {
    const { pid, seconds, perSecond, framesPerEvent, streams } = this.order;
    const processorBefore = perSecond === 0 ? await this.processorDuring(() => sleep(seconds * 1000)) : null;
    const before = residentMib(pid);
    const sockets = await this.open(streams);
    await sleep(SETTLE_MS);
    const open = residentMib(pid);
    const follower = await this.follow();
    const processor = await this.processorDuring(() => (perSecond === 0 ? sleep(seconds * 1000) : this.write()));
    const wanted = this.committed.length * framesPerEvent;
    for (let waitedMs = 0; this.frames < wanted && waitedMs < LATE_MS; waitedMs += 50) await sleep(50);
    await sleep(100);
    await follower.end();
    for (const socket of sockets) socket.destroy();
    return {
      events: this.committed.length,
      frames: this.frames,
      missing: wanted - this.frames,
      told: timesOf(this.told),
      visible: timesOf(this.visible),
      processor,
      processorBefore,
      memory: { before, open },
    };
  }

  /** The answering process's share of one processor while `work` is done. */
  private async processorDuring(work: () => Promise<unknown>): Promise<number> {
    const used = (): number => cpuSeconds(this.order.pid) ?? Number.NaN;
    const [before, begunMs] = [used(), performance.now()];
    await work();
    return (used() - before) / ((performance.now() - begunMs) / 1000);
  }

  private async open(streams: readonly string[]): Promise<Socket[]> {
    const sockets: Socket[] = [];
    for (let n = 0; n < streams.length; n += OPENED_AT_ONCE) {
      sockets.push(...(await Promise.all(streams.slice(n, n + OPENED_AT_ONCE).map((headers) => this.stream(headers)))));
    }
    return sockets;
  }

  /** Resolves when the stream has begun. */
  private stream(headers: string): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.order.port, '127.0.0.1');
      let rest = Buffer.alloc(0);
      let hasBegun = false;
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('A stream was closed')));
      socket.on('data', (chunk) => {
        const nowMs = performance.now();
        const bytes = Buffer.concat([rest, chunk]);
        if (!hasBegun) {
          if (!bytes.includes('\r\n\r\n')) return void (rest = bytes);
          if (!bytes.toString('latin1').startsWith('HTTP/1.1 200'))
            return void socket.destroy(new Error(bytes.toString()));
          hasBegun = true;
          resolve(socket);
        }
        this.count(bytes, nowMs);
        rest = bytes.subarray(Math.max(0, bytes.length - MARK.length - DIGITS + 1));
      });
      socket.write(`GET ${this.order.path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    });
  }

  private count(bytes: Buffer, nowMs: number): void {
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
      const end = at + MARK.length + DIGITS;
      if (end > bytes.length) return;
      this.frames += 1;
      const number = Number(bytes.toString('latin1', at + MARK.length, end));
      const committedMs = this.committed[number];
      note(this.told, nowMs - (committedMs ?? nowMs));
    }
  }

  /** Notes when each event is in the log. */
  private async follow(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.order.databaseUrl });
    await client.connect();
    let [position, following] = ['0', Promise.resolve()];
    const first = await client.query<{ last: string }>(LOG_END.text);
    position = first.rows[0]?.last ?? position;
    client.on('notification', () => {
      const nowMs = performance.now();
      following = following.then(async () => {
        const { rows } = await client.query<{ id: string; sequence: string }>(IDS_BEHIND, [position]);
        for (const { id, sequence } of rows) {
          position = sequence;
          note(this.visible, nowMs - (this.committed[Number(id.slice(4))] ?? nowMs));
        }
      });
    });
    await client.query(`LISTEN ${EVENTS_CHANNEL}`);
    return client;
  }

  /** Writes each event in a transaction of its own, when it is due. */
  private async write(): Promise<void> {
    const { databaseUrl, perSecond, seconds, readers, statement } = this.order;
    const pool = new pg.Pool({ connectionString: databaseUrl, max: WRITERS });
    const begunMs = performance.now();
    const pending: Promise<void>[] = [];
    for (let number = 0; number < perSecond * seconds; number += 1) {
      const dueMs = begunMs + (number * 1000) / perSecond;
      const leftMs = dueMs - performance.now();
      if (leftMs > 1) await sleep(leftMs);
      const id = `evt_${String(number).padStart(DIGITS, '0')}`;
      const reader = readers[number % readers.length] ?? '';
      pending.push(
        pool
          .query(statement, [id, reader, documentOf(id)])
          .then(() => void (this.committed[number] = performance.now())),
      );
    }
    await Promise.all(pending);
    await pool.end();
  }
}

/** About as long as an event of a quote. */
function documentOf(id: string): string {
  const data = { updated_at: '2026-11-20T12:00:00.000Z', changed: ['x'.repeat(300)] };
  return JSON.stringify({
    id,
    type: 'agent.updated',
    timestamp: data.updated_at,
    subject: { kind: 'agent', id },
    data,
  });
}

function note(times: Int32Array, ms: number): void {
  const tenth = Math.min(TENTHS - 1, Math.max(0, Math.round(ms * 10)));
  times[tenth] = (times[tenth] ?? 0) + 1;
}

function timesOf(times: Int32Array): Times {
  const all = times.reduce((sum, count) => sum + count, 0);
  const at = (share: number): number => {
    let seen = 0;
    return times.findIndex((count) => (seen += count) >= share * all) / 10;
  };
  return { p50: at(0.5), p99: at(0.99) };
}

stdout.write(`${JSON.stringify(await new StreamLoad(JSON.parse(await text(stdin)) as StreamOrder).run())}\n`);
process.exit(0);
