import { randomUUID } from 'node:crypto';
import type { ApiAnswer } from '../../support/market.js';
import { rowsAbout } from '../../support/e2e/database-rows.js';
import { type RawRequest, send } from '../../support/e2e/http-request.js';
import { MarketFixture, type OwnNode, type Person } from '../../support/e2e/market-fixture.js';

type Headers = [string, string][];

/**
 * A funded node with its parties, to which specs send wrong requests. What the database holds about them must not
 * change.
 */
export class WatchedNode {
  private constructor(
    readonly fixture: MarketFixture,
    readonly buyer: Person,
    readonly worker: Person,
    readonly node: OwnNode,
    readonly before: Record<string, string>,
  ) {}

  static async create(): Promise<WatchedNode> {
    const fixture = await MarketFixture.open();
    const buyer = await fixture.person('Watched buyer');
    const worker = await fixture.person('Watched worker', { 'Fumbler-1': ['fumbling'] });
    const node = await fixture.fundedNode(buyer, worker);
    return new WatchedNode(fixture, buyer, worker, node, await rowsOf(buyer, worker, node));
  }

  /** Rows of every table about the node, its task, its parties and their wallets. */
  rows(): Promise<Record<string, string>> {
    return rowsOf(this.buyer, this.worker, this.node);
  }

  /** The path of operation 1 for the node. */
  get intents(): string {
    return `/v1/tasks/${this.node.task.id}/nodes/${this.node.id}/abandon-intents`;
  }

  /** Sends a GET as the buyer, with the read key. */
  get(target: string, headers: Headers = []): Promise<ApiAnswer> {
    return send(target, { headers: [['X-Api-Key', this.buyer.keys.read], ...headers] });
  }

  /** Sends a POST as the worker, with a new idempotency key; as JSON unless other headers are given. */
  post(request: RawRequest & { headers?: Headers }, target = this.intents): Promise<ApiAnswer> {
    const { headers = [['Content-Type', 'application/json']], ...rest } = request;
    return send(target, {
      method: 'POST',
      ...rest,
      headers: [['X-Api-Key', this.worker.keys.worker], ['Idempotency-Key', randomUUID()], ...headers],
    });
  }
}

/** Expects every table to have the rows that it had before the spec began. */
export async function expectUntouched(watched: WatchedNode): Promise<void> {
  expect(await watched.rows()).toEqual(watched.before);
}

function rowsOf(buyer: Person, worker: Person, node: OwnNode): Promise<Record<string, string>> {
  return rowsAbout(buyer.account_id, worker.account_id, node.task.id, node.id, worker.wallet_address);
}
