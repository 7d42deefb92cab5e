import { Agent } from 'node:http';
import { bodyOperations, type BodyOperation } from './body-operations.js';
import { acceptedBodies, hostileBodies } from './hostile-bodies.js';
import type { Caller } from './hostile-people.js';
import { ask, type PacedRequest } from './paced-load.js';

/** A body to an operation, and what it cost when it was tried. */
export interface TriedBody {
  operation: BodyOperation;
  what: string;
  text: string;
  /** Milliseconds of the whole request on an idle service; the fastest of its tries. */
  ms: number;
}

/**
 * Every body is tried once, and the most expensive of them `AGAIN` more times, because a single try may have met a
 * garbage collection.
 */
const LOOKED_AT_AGAIN = 150;
const AGAIN = 3;

/** Ids to put into the paths of operations. The agent's id is always that of the caller's own agent. */
export type PathIds = Readonly<Record<string, string>>;

/** A request of this caller with this body, using one of its keys in turn. */
export function hostileRequest(
  { operation, text }: Pick<TriedBody, 'operation' | 'text'>,
  { agentId, keys }: Caller,
  ids: PathIds,
  turn: number,
): PacedRequest {
  const own: PathIds = { ...ids, agent_id: agentId };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name] ?? 'unknown');
  const usable = keys[operation.scope];
  return { method: operation.method, path, key: usable[turn % usable.length] ?? '', body: text };
}

/** The number of requests that `worstBodies` sends. */
export function triesOf(candidates: readonly unknown[]): number {
  return candidates.length + LOOKED_AT_AGAIN * AGAIN;
}

/**
 * Every hostile body of at most `largest` bytes, for every operation of the service's OpenAPI document that takes a
 * body.
 */
export async function candidatesOf(url: string, largest: number): Promise<Omit<TriedBody, 'ms'>[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Parameters<typeof bodyOperations>[0];
  const accepted = acceptedBodies(largest);
  return bodyOperations(document).flatMap((operation) =>
    [...hostileBodies(operation.members, largest), ...(accepted[operation.name] ?? [])].map((body) => ({
      operation,
      ...body,
    })),
  );
}

/**
 * Tries the candidates one by one and returns the most expensive body of each of the `count` most expensive operations,
 * the most expensive first. There is one body per operation, so that an operation with a limit of its own does not hide
 * the others.
 * @param callers enough accounts that each writes at most `most` times, as the service's limits require.
 * @throws Error when a body is answered with 429, which costs the service nothing, or with 5xx.
 */
export async function worstBodies(
  url: string,
  candidates: readonly Omit<TriedBody, 'ms'>[],
  callers: readonly Caller[],
  ids: PathIds,
  { count, most }: { count: number; most: number },
): Promise<TriedBody[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let tries = 0;
  const costOf = async (body: Omit<TriedBody, 'ms'>): Promise<number> => {
    const caller = callers[Math.floor(tries / most)];
    if (caller === undefined) throw new Error('There are too few accounts to try all bodies with');
    const request = hostileRequest(body, caller, ids, tries);
    tries += 1;
    const begun = performance.now();
    const status = await ask(agent, url, request);
    const taken = performance.now() - begun;
    if (status === 429 || status >= 500) {
      throw new Error(`${body.operation.name} answered ${status} to a body with ${body.what}`);
    }
    return taken;
  };
  const tried: TriedBody[] = [];
  for (const candidate of candidates) tried.push({ ...candidate, ms: await costOf(candidate) });
  const again = worstOf(tried, LOOKED_AT_AGAIN);
  for (let turn = 0; turn < AGAIN; turn += 1) {
    for (const body of again) {
      const ms = await costOf(body);
      body.ms = turn === 0 ? ms : Math.min(body.ms, ms);
    }
  }
  agent.destroy();
  const ofOperation = new Map<string, TriedBody>();
  for (const body of worstOf(again, again.length)) {
    if (!ofOperation.has(body.operation.name)) ofOperation.set(body.operation.name, body);
  }
  return [...ofOperation.values()].slice(0, count);
}

function worstOf(tried: readonly TriedBody[], count: number): TriedBody[] {
  return tried.toSorted((a, b) => b.ms - a.ms).slice(0, count);
}
