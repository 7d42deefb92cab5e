import { randomUUID } from 'node:crypto';
import type { Wallet } from 'ethers';
import { ApiKeysService } from '../../src/modules/credentials/api-keys/api-keys.service.js';
import type { Scope } from '../../src/modules/credentials/scope.js';
import { ChainMarket } from './chain-market.js';
import { signTypedData } from './escrow-fixture.js';
import { MarketRows } from './market-rows.js';
import type { HtmlPage } from './oauth/html-page.js';
import { ListeningService, type ListeningOptions } from './listening-service.js';
import { Person, shown } from './oauth/person.js';
import { randomWallet } from './random-wallet.js';
import { RpcProxy } from './rpc-proxy.js';
import type { SteppingClock } from './stepping-clock.js';

/** An account with a wallet and keys. */
export interface Principal {
  accountId: string;
  wallet: Wallet;
  /** Secrets by scope. */
  keys: Record<Scope, string>;
}

/** An answer of the JSON routes. */
export interface JsonAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

const BRIEF = {
  brief: 'Translate 40 pages.',
  budget: { amount: '250.00', currency: 'USDC' },
  selection_mode: 'manual',
};
const SCOPES: readonly Scope[] = ['read', 'buyer', 'worker', 'agent-owner'];

/** The whole service over HTTP on its own chain, with people who prepare actions and open their links. */
export class SigningFixture {
  private constructor(
    readonly service: ListeningService,
    readonly chain: ChainMarket,
    readonly rpc: RpcProxy,
  ) {}

  static async start({ environment, ...options }: ListeningOptions = {}): Promise<SigningFixture> {
    const chain = await ChainMarket.start();
    const rpc = await RpcProxy.start(chain.anvil.url);
    const service = await ListeningService.listen({
      ...options,
      environment: { rpcUrl: rpc.url, escrowFactoryAddress: chain.factory, ...environment },
    });
    return new SigningFixture(service, chain, rpc);
  }

  async stop(): Promise<void> {
    await this.service.close();
    await this.rpc.stop();
    await this.chain.stop();
  }

  get clock(): SteppingClock {
    return this.service.clock;
  }

  get rows(): MarketRows {
    return new MarketRows(this.service.dataSource);
  }

  async principal(name = 'somebody'): Promise<Principal> {
    const wallet = randomWallet();
    const { id: accountId } = await this.service.account(name, wallet.address);
    const keys = await Promise.all(
      SCOPES.map(async (scope) => [scope, (await this.key(accountId, scope, `${name}'s ${scope} key`)).secret]),
    );
    return { accountId, wallet, keys: Object.fromEntries(keys) };
  }

  key(accountId: string, scope: Scope, name: string) {
    return this.service.get(ApiKeysService).create(accountId, { scope, name });
  }

  /** Sends a request to the API. @throws with the refusal. */
  async call(key: string, path: string, body?: object): Promise<any> {
    const answer = await fetch(`${this.service.url}${path}`, {
      method: 'POST',
      headers: {
        'X-Api-Key': key,
        'Idempotency-Key': randomUUID(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: any = await answer.json();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status} ${json.error?.code}: ${json.error?.reason}`);
    return json;
  }

  async readAction(who: Principal, actionId: string): Promise<any> {
    const answer = await fetch(`${this.service.url}/v1/actions/${actionId}`, {
      headers: { 'X-Api-Key': who.keys.read },
    });
    return answer.json();
  }

  /** Prepares the creation of a task, which takes effect by its signature alone. */
  publication(who: Principal, change: object = {}): Promise<any> {
    return this.call(who.keys.buyer, '/v1/task-creation-intents', { ...BRIEF, ...change });
  }

  /** Submits the signature of an action over the API. */
  async sign(who: Principal, action: any, key: string): Promise<any> {
    const signature = await signTypedData(who.wallet, action.payload);
    return this.call(key, `/v1/actions/${action.action_id}/submissions`, { signature });
  }

  /** Prepares the payment of a selected quote. @param change of the task. */
  async payment(buyer: Principal, worker: Principal, change: object = {}): Promise<any> {
    const { chain, rows } = this;
    const agentId = await rows.agent(worker.accountId, worker.wallet.address);
    await chain.callUsdc('mint', [buyer.wallet.address, 1_000_000_000n]);
    const creation = await this.publication(buyer, change);
    await this.sign(buyer, creation, buyer.keys.buyer);
    const { task_id: taskId, payload } = creation;
    const deadline = new Date(Math.floor(this.clock.nowMs() / 1000) * 1000 + 10 * 86_400_000);
    const quote = await this.call(worker.keys.worker, '/v1/quotes', {
      task_id: taskId,
      agent_id: agentId,
      price: { amount: '100.00', currency: 'USDC' },
      deadline: deadline.toISOString(),
      terms_hash: payload.message.termsHash,
    });
    await this.sign(worker, quote, worker.keys.worker);
    const selection = await this.call(buyer.keys.buyer, `/v1/tasks/${taskId}/selection-intents`, {
      mode: 'manual',
      agent_id: agentId,
    });
    await this.sign(buyer, selection, buyer.keys.buyer);
    return this.call(buyer.keys.buyer, `/v1/tasks/${taskId}/funding-intents`);
  }

  /** A browser without cookies. */
  browser(wallet?: Wallet): Person {
    return new Person(this.service.environment.baseUrl, wallet);
  }

  /** Opens the action's link in the browser and presses its only button. */
  async open(action: { signing_url: string }, browser = this.browser()): Promise<{ browser: Person; page: HtmlPage }> {
    const closed = shown(await browser.open(action.signing_url));
    return { browser, page: shown(await browser.submit(closed, closed.form('/claim'))) };
  }
}

/** Sends a request as the page's script does. */
export async function ask(
  browser: Person,
  url: string,
  { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
): Promise<JsonAnswer> {
  const target = new URL(url);
  const answer = await fetch(target, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Accept: 'application/json',
      ...browser.jar.header(target),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json', Origin: target.origin }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  browser.jar.take(target, answer.headers);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null };
}

/** The code of a refusal; `none` for an answer that is not one. */
export function codeOf({ body }: JsonAnswer): string {
  return body?.error?.code ?? 'none';
}
