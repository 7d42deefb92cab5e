import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress, type Wallet } from 'ethers';
import { eventually } from '../eventually.js';
import { keyIssuer } from '../key-issuer.js';
import { MarketRows } from '../market-rows.js';
import { APP_SECRET, ResilienceStack } from '../resilience/resilience-stack.js';
import { testEnvironment } from '../test-environment.js';
import { MarketDocument } from './document.js';
import { type Intent, type MarketFacts, SpecClient } from './spec-client.js';
import { SpecIntents } from './spec-intents.js';

const SIGNING_ORIGIN = 'https://market.example';
const USDC_EACH = 1_000_000_000_000n;
const GAS = '0x2dc6c0';
const INDEX_MS = 20_000;

export type WalletKind = 'EOA' | 'ERC-1271';
/** How an action is executed: a stranger relays its signature, or the wallet itself sends the prepared calls. */
export type Way = 'signed' | 'direct';

/** A person with an account, an agent, API keys, and a wallet that the chain's node signs for. */
export interface Actor {
  name: string;
  /** Address of the key that signs: the wallet itself, or the owner of the contract that is the wallet. */
  key: string;
  wallet: string;
  client: SpecClient;
  intents: SpecIntents;
}

export interface Call {
  to: string;
  data: string;
  from?: string;
}

/** What became of one action: the request, the prepared action, and the transaction that executed it. */
export interface Performed {
  action: any;
  hash: string;
}

/** Expects equality, for steps that every scenario must pass. */
export function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected);
}

/** The built service with its own chain and database, used only over HTTP. A spec may move its time. */
export class IntentsMarket {
  private nextAccount = 2;

  private constructor(
    readonly stack: ResilienceStack,
    readonly facts: MarketFacts,
    private readonly accounts: readonly string[],
    private readonly document: MarketDocument,
    private readonly folder: string,
    private aheadMs = 0,
  ) {}

  /**
   * @param own changed variables of the service; with a BASE_URL of this machine a browser can open its pages.
   * @param anvilArgs further arguments of the chain.
   */
  static async start(own: Record<string, string> = {}, anvilArgs: readonly string[] = []): Promise<IntentsMarket> {
    const stack = await ResilienceStack.start(['--accounts', '100', ...anvilArgs]);
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-artifacts-'));
    const variables = { ARTIFACT_DIR: folder, BASE_URL: SIGNING_ORIGIN, ...own };
    const service = await stack.service(variables);
    const { chain } = stack;
    const facts: MarketFacts = {
      baseUrl: service.url,
      signingOrigin: variables.BASE_URL,
      chainId: 31337,
      factory: chain.factory,
      implementation: chain.implementation,
      token: chain.usdc,
      tokenDomain: { name: 'USD Coin', version: '2' },
      maxTtlSeconds: 900,
      nowMs: () => market.nowMs,
    };
    const accounts = (await chain.anvil.rpc<string[]>('eth_accounts')).map((address) => getAddress(address));
    const market = new IntentsMarket(stack, facts, accounts, await MarketDocument.load(), folder);
    return market;
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The time of the market, which is ahead of the wall clock once the spec has travelled. */
  get nowMs(): number {
    return Date.now() + this.aheadMs;
  }

  get nowSeconds(): number {
    return Math.floor(this.nowMs / 1000);
  }

  async actor(name: string, kind: WalletKind = 'EOA'): Promise<Actor> {
    const { chain, dataSource, databaseUrl } = this.stack;
    const key = this.accounts[this.nextAccount]!;
    this.nextAccount += 1;
    const wallet = kind === 'EOA' ? key : await chain.contractWallet({ address: key } as Wallet);
    await chain.callUsdc('mint', [wallet, USDC_EACH]);
    const rows = new MarketRows(dataSource);
    const accountId = await rows.account(name, wallet);
    const agentId = await rows.agent(accountId, wallet);
    const environment = testEnvironment(databaseUrl, { appSecret: APP_SECRET });
    const keys = await keyIssuer(dataSource, environment).createKeySet({ id: accountId }, { name });
    const self = { accountId, agentId, wallet, keys };
    return {
      name,
      key,
      wallet,
      client: new SpecClient(this.facts, self),
      intents: new SpecIntents(this.facts, self),
    };
  }

  /** Prepares the action, has the wallet execute it in this way, and waits until the service has seen it. */
  async perform(who: Actor, intent: Intent, way: Way): Promise<Performed> {
    const { action, transaction } = way === 'signed' ? await this.sign(who, intent) : await this.ask(who, intent);
    if (way === 'signed') {
      const { hash, ok } = await this.transact(transaction.from ?? this.relayer, transaction);
      expectSame([intent.kind, ok], [intent.kind, true]);
      await this.confirmed(who, action, hash);
      return { action, hash };
    }
    const hash = await this.sendAll(who, action);
    const handedIn = await who.client.handIn(intent.scope, action.action_id, { transaction_hash: hash });
    expectSame([intent.kind, handedIn.status], [intent.kind, 200]);
    await this.confirmed(who, action, hash);
    return { action, hash };
  }

  /** Prepares the action and checks the answer, by the client and against the document. */
  async ask(who: Actor, intent: Intent): Promise<{ action: any; transaction?: never }> {
    const action = await who.client.prepare(intent);
    expectSame(this.document.faults('PreparedAction', action), []);
    return { action };
  }

  /** Prepares the action, signs the payload exactly as it was answered, and submits the signature. */
  async sign(who: Actor, intent: Intent): Promise<{ action: any; answer: any; transaction: any }> {
    const { action } = await this.ask(who, intent);
    const signature = await this.signature(who, action.payload);
    const { status, body } = await who.client.handIn(intent.scope, action.action_id, { signature });
    expectSame([intent.kind, status, body.error], [intent.kind, 200, undefined]);
    expectSame(this.document.faults('Action', body), []);
    expectSame([intent.kind, body.status], [intent.kind, 'signed']);
    return { action, answer: body, transaction: body.transaction };
  }

  /** The wallet's signature over the payload exactly as it was answered. */
  signature(who: Actor, payload: unknown): Promise<string> {
    return this.stack.chain.anvil.rpc('eth_signTypedData_v4', who.key, payload);
  }

  /** Sends the call or calls of an action from the wallet itself. @returns the hash of the last transaction. */
  async sendAll(who: Actor, { payload }: any): Promise<string> {
    const calls: Call[] = payload.calls ?? [payload.transaction];
    let last = '';
    for (const call of calls) {
      const { hash, ok } = await this.transact(who.wallet, call);
      expectSame([who.name, call.to, ok], [who.name, call.to, true]);
      last = hash;
    }
    return last;
  }

  /** Sends a call. @returns its hash, and whether it was executed. */
  async transact(from: string, { to, data }: Call): Promise<{ hash: string; ok: boolean }> {
    const { anvil } = this.stack.chain;
    if (!this.accounts.includes(getAddress(from))) await anvil.rpc('anvil_impersonateAccount', from);
    const hash = await anvil.rpc<string>('eth_sendTransaction', { from, to, data, gas: GAS });
    return { hash, ok: await this.isExecuted(hash) };
  }

  /** Waits until the transaction is in a block. @returns whether it was executed. */
  async isExecuted(hash: string): Promise<boolean> {
    let receipt: { status: string } | null = null;
    await eventually(async () => {
      receipt = await this.stack.chain.anvil.rpc<{ status: string } | null>('eth_getTransactionReceipt', hash);
      return receipt !== null;
    });
    return receipt!['status'] === '0x1';
  }

  /** Waits until the service says that this transaction has executed the action. */
  async confirmed(who: Actor, { action_id: id, kind }: any, hash: string): Promise<void> {
    await this.comesToBe(who, id, 'confirmed');
    const action = await who.client.read(`/v1/actions/${id}`);
    expectSame([kind, action.transaction_hash], [kind, hash]);
    expectSame(this.document.faults('Action', action), []);
  }

  /** Waits until the action has this status. */
  async comesToBe(who: Actor, actionId: string, status: string): Promise<void> {
    let seen = '';
    const isSo = async (): Promise<boolean> =>
      (seen = (await who.client.read(`/v1/actions/${actionId}`)).status) === status;
    await eventually(isSo, INDEX_MS).catch(() => expectSame([actionId, seen], [actionId, status]));
  }

  /**
   * Moves the time of the chain, and waits until the service follows. The service takes over the time shortly after the
   * index has read a block, so once a second block has been read it has certainly done so.
   */
  async travel(seconds: number): Promise<void> {
    const { anvil } = this.stack.chain;
    await anvil.rpc('evm_increaseTime', seconds);
    this.aheadMs += seconds * 1000;
    for (let blocks = 0; blocks < 2; blocks += 1) {
      await anvil.mine();
      await this.indexed();
    }
  }

  /** Waits until the service has read the newest block. */
  private async indexed(): Promise<void> {
    const block = await this.stack.chain.anvil.blockNumber();
    await eventually(async () => {
      const [row] = await this.stack.dataSource.query<{ seen: boolean }[]>(
        'SELECT coalesce(max(number), -1) >= $1 AS seen FROM chain_blocks',
        [block],
      );
      return row?.seen === true;
    }, INDEX_MS);
  }

  /** An account of the chain that takes part in nothing and only relays. */
  get relayer(): string {
    return this.accounts[1]!;
  }
}
