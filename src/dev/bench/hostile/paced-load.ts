import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request with an API key. A request that writes gets a new idempotency key each time. */
export interface PacedRequest {
  method: string;
  path: string;
  key: string;
  /** JSON, or text that only looks like JSON. */
  body?: string;
}

/** Requests sent in turn at a fixed rate, whether or not the earlier ones have been answered. */
export interface PacedLane {
  name: string;
  perSecond: number;
  requests: PacedRequest[];
}

export interface PacedOrder {
  /** Base URL of the service. */
  url: string;
  seconds: number;
  lanes: PacedLane[];
}

export interface PacedLaneResult {
  name: string;
  /** Milliseconds from the time each request was due to the end of its answer. */
  times: number[];
  /** Answers by status code. */
  statuses: Record<string, number>;
}

/**
 * Sends requests at fixed rates, as independent people and programs do. Each is timed from when it was due, so a
 * request that is held up does not distort the times of those after it.
 */
export async function runPaced({ url, seconds, lanes }: PacedOrder): Promise<PacedLaneResult[]> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const results = await Promise.all(
    lanes.map(async ({ name, perSecond, requests }, place) => {
      const result: PacedLaneResult = { name, times: [], statuses: {} };
      const asked: Promise<void>[] = [];
      for (let n = 0; n < Math.floor(seconds * perSecond); n += 1) {
        // The lanes start at different offsets, because otherwise they would all send in the same moment.
        const due = startedAt + ((n + (place + 0.5) / lanes.length) * 1000) / perSecond;
        const wait = due - performance.now();
        if (wait > 0) await sleep(wait);
        const next = requests[n % requests.length];
        if (next === undefined) throw new Error(`${name} has no requests`);
        asked.push(
          ask(agent, url, next).then((status) => {
            result.times.push(performance.now() - due);
            result.statuses[status] = (result.statuses[status] ?? 0) + 1;
          }),
        );
      }
      await Promise.all(asked);
      return result;
    }),
  );
  agent.destroy();
  return results;
}

/** Sends one request and reads its whole answer. @returns the HTTP status. */
export function ask(agent: Agent, url: string, { method, path, key, body }: PacedRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'X-Api-Key': key,
      ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    };
    const sent = request(`${url}${path}`, { method, agent, headers }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', reject);
      answer.resume();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
