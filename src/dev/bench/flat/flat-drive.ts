import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Scope } from '../../../modules/credentials/scope.js';
import { type Answers, ENDPOINT, flatActs } from './flat-acts.js';
import type { FlatCaller } from './flat-people.js';
import { type ApiDescription, type FlatRequest, flatRequests } from './flat-requests.js';
import { FLAT_TARGETS, type FlatTargets } from './flat-targets.sql.js';
import { CHEAP_MS } from './flat-verdict.js';
import type { RequestCost, StatementCosts } from './statement-costs.js';

/** Requests sent before the measured ones, so that the key is cached, the statement prepared and the pages read. */
export const WARM_UP = 2;
export const TIMES = 3;
/** The deep page is reached in at most this many strides of `STRIDE` rows. */
const DEEP_STRIDES = 10;
const STRIDE = 100;

/** What one kind of request costs, with what is needed to send it again. */
export interface Measured extends RequestCost {
  status: number;
  request: FlatRequest;
  caller: string;
  /** Milliseconds of the whole request: the fastest of its repetitions. */
  wholeMs: number;
}

/** Costs by a text that names operation, filters, caller and page. */
export type Costs = Map<string, Measured>;

/** Measures every read and every act as every caller. */
export async function driveAll(
  baseUrl: string,
  callers: readonly FlatCaller[],
  costs: StatementCosts,
  client: pg.Client,
): Promise<Costs> {
  const description = JSON.parse(readFileSync('openapi.json', 'utf8')) as ApiDescription;
  const all: Costs = new Map();
  for (const caller of callers) {
    const { rows } = await client.query<FlatTargets>(FLAT_TARGETS, [caller.accountId]);
    const [targets] = rows;
    if (!targets) throw new Error('There is nothing to act on');
    const driver = new Driver(baseUrl, caller, costs, all);
    const known = knownTo(caller, { event: targets.event_id, endpoint: await driver.endpoint() });
    for (const request of flatRequests(description, known)) await driver.read(request);
    for (const act of flatActs(caller, targets)) {
      const request = act(driver.answers);
      if (request !== null) await driver.measure('–', request);
    }
  }
  return all;
}

/**
 * Ids that exist at every market size. Callers get different ones, because each is a party of another task.
 * @param one an event that the caller may read, and a webhook endpoint of the caller.
 */
function knownTo(
  { name, agentId }: FlatCaller,
  { event, endpoint }: { event: string | null; endpoint: string },
): Record<string, string[]> {
  const id = (prefix: string, number: number) => `${prefix}_01z${number.toString(16).padStart(23, '0')}`;
  const own = { ordinary: 51, 'owner of many': 17 }[name] ?? 15;
  return {
    task_id: [id('task', own)],
    action_id: [id('act', own)],
    delivery_id: [id('dlv', own * 2 + 1)],
    agent_id: [agentId],
    event_id: [event ?? id('evt', own)],
    endpoint_id: [endpoint],
    types: ['quote.submitted'],
    mine: ['true'],
    // Words of all agents; of one in five together with one agent's own; two pairs of frequent words that no agent has
    // both of, asked as "and" and as "or"; and a word of no agent.
    query: ['handbook', 'translator 21', 'handbook translator', 'translator editor', 'editor or auditor', 'unheardof'],
    explain: ['true'],
  };
}

/** Sends and measures the requests of one caller. */
class Driver {
  readonly answers: Answers & Map<string, Record<string, unknown>> = new Map();

  constructor(
    private readonly baseUrl: string,
    private readonly caller: FlatCaller,
    private readonly costs: StatementCosts,
    private readonly all: Costs,
  ) {}

  /** The id of the caller's one webhook endpoint. Others, which an earlier drive has made, would use up their quota. */
  async endpoint(): Promise<string> {
    const asked = { operation: '', scope: 'read', path: '/v1/webhook-endpoints', filters: '', isList: false };
    const list = (await (await this.ask(asked)).json()) as { data: { id: string }[] };
    const [known, ...others] = list.data;
    for (const { id } of others) await this.ask({ ...asked, method: 'DELETE', path: `${asked.path}/${id}` });
    if (known) return known.id;
    const body = JSON.stringify(ENDPOINT);
    const made = await this.ask({ ...asked, method: 'POST', type: 'application/json', body });
    return ((await made.json()) as { id: string }).id;
  }

  async read(request: FlatRequest): Promise<void> {
    await this.measure('first', request);
    const cursor = request.isList ? await this.deepCursor(request) : null;
    if (cursor === null) return;
    await this.measure('deep', { ...request, path: `${request.path}&cursor=${encodeURIComponent(cursor)}` });
  }

  async measure(page: string, request: FlatRequest): Promise<void> {
    let status = 0;
    let wholeMs = Number.POSITIVE_INFINITY;
    let ready = request;
    const prepare = async (): Promise<void> => {
      ready = await this.follow(request);
    };
    const ask = async (): Promise<void> => {
      const begun = performance.now();
      const answer = await this.ask(ready);
      const text = await answer.text();
      wholeMs = Math.min(wholeMs, performance.now() - begun);
      ({ status } = answer);
      if (answer.headers.get('content-type')?.startsWith('application/json')) {
        this.answers.set(request.operation, JSON.parse(text) as Record<string, unknown>);
      }
    };
    for (let n = 0; n < WARM_UP; n += 1) {
      await prepare();
      await ask();
    }
    let cost = await this.costs.of(TIMES, ask, prepare);
    // A round of the service may have run beside all of them; what is dear by itself is so again.
    if (cost.ms > CHEAP_MS) {
      const again = await this.costs.of(TIMES, ask, prepare);
      if (again.ms < cost.ms) cost = again;
    }
    const { name } = this.caller;
    const what = [request.operation, request.filters || '–', name, page].join(' | ');
    this.all.set(what, { ...cost, status, request, caller: name, wholeMs });
  }

  /**
   * First sends the request that this one depends on, if any, and before it what that one depends on; returns this one
   * completed by the answer.
   * @throws Error when one of them was refused.
   */
  private async follow({ after, ...request }: FlatRequest): Promise<FlatRequest> {
    if (after === undefined) return request;
    const answer = await this.ask(await this.follow(after.request));
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${after.request.operation} answered ${answer.status}: ${text}`);
    return { ...request, ...after.follows(JSON.parse(text) as Record<string, unknown>) };
  }

  private ask({ scope, method = 'GET', path, body, type }: FlatRequest): Promise<Response> {
    const { keys, cookie } = this.caller;
    return fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(scope === 'session' ? { Cookie: cookie } : { 'X-Api-Key': keys[scope as Scope] }),
        ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  /**
   * The cursor of the last page but one, or of the page after `DEEP_STRIDES` strides; null when there is only one page.
   */
  private async deepCursor(request: FlatRequest): Promise<string | null> {
    let cursor: string | null = null;
    for (let n = 0; n < DEEP_STRIDES; n += 1) {
      const strides: string = request.path.replace(/limit=\d+/, `limit=${STRIDE}`);
      const path: string = cursor === null ? strides : `${strides}&cursor=${encodeURIComponent(cursor)}`;
      const answer: Response = await this.ask({ ...request, path });
      if (answer.status !== 200) return cursor;
      const { next_page: next } = (await answer.json()) as { next_page: string | null };
      if (next === null) return cursor;
      cursor = next;
    }
    return cursor;
  }
}
