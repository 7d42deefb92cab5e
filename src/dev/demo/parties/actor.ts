import { Wallet } from 'ethers';
import type { EscrowPrimaryType } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { Scope } from '../../../modules/credentials/scope.js';
import type { LocalChain } from '../../local-chain/local-chain.js';
import type { LocalFile } from '../../market-folder/local-file.js';
import {
  type Asker,
  checkAction,
  hexText,
  type Meaning,
  type PreparedAction,
  type ReadyCall,
  structsOf,
} from './action-check.js';
import { ActionNews } from './action-news.js';
import { MarketClient } from './market-client.js';
import { LONGEST_EVENT_WAIT_MS } from './longest-event-wait.js';
import { expectThat } from './step-reporter.js';

/** A request that prepares an action. */
export interface IntentRequest {
  scope: Scope;
  path: string;
  /** Absent: no body. */
  body?: object;
}

/** An action and its current state. */
export interface ActionState extends PreparedAction {
  status: string;
  transaction_hash?: string;
  /**
   * The call that brings a signed action to the chain; absent before the signature and for actions that need no
   * transaction.
   */
  transaction?: ReadyCall;
}

/** What an actor knows of the chain independently of the service. */
interface Ground {
  chain: Pick<LocalChain, 'now'>;
  /** Address of the contract that every escrow is a clone of. */
  implementation: Hex;
}

const DONE = new Set(['confirmed', 'final']);

/**
 * An account of the running market, used by a program: it has API keys for the service and a wallet whose key the
 * service never sees, and it checks every action before it signs.
 */
export class Actor {
  readonly client: MarketClient;
  private readonly asker: Omit<Asker, 'nowMs'>;

  private constructor(
    readonly name: string,
    readonly accountId: string,
    readonly wallet: Wallet,
    file: LocalFile,
    keys: Readonly<Record<Scope, string>>,
    private readonly ground: Ground,
  ) {
    this.client = new MarketClient(file.base_url, keys);
    this.asker = {
      accountId,
      wallet: wallet.address,
      chainId: file.chain_id,
      usdc: file.usdc_address,
      factory: file.escrow_factory_address,
      implementation: ground.implementation,
      origin: new URL(file.base_url).origin,
    };
  }

  /** Returns the actor for the market's account of this name. Throws DemoMismatch when there is none. */
  static of(file: LocalFile, ground: Ground, name: string): Actor {
    const local = file.accounts.find((one) => one.name === name);
    expectThat(
      local !== undefined,
      `The market has no account called ${name}: start one with its sample data (npm start -- --reset).`,
    );
    return new Actor(name, local.account_id, new Wallet(local.wallet_private_key), file, local.keys, ground);
  }

  get address(): Hex {
    return hexText(this.wallet.address);
  }

  /**
   * Has the service prepare an action and returns it once checked. Throws DemoMismatch when it is not what `meaning`
   * says.
   */
  async prepare<P extends EscrowPrimaryType>(
    request: IntentRequest,
    meaning: (action: PreparedAction) => Meaning<P> | Promise<Meaning<P>>,
  ): Promise<PreparedAction> {
    const sent = request.body === undefined ? {} : { body: request.body };
    const action = await this.client.send<PreparedAction>(request.scope, 'POST', request.path, sent);
    await this.check(action, await meaning(action), request.body);
    return action;
  }

  /** Checks an action that came inside another record. Throws DemoMismatch when it is not what `meaning` says. */
  async check<P extends EscrowPrimaryType>(
    action: PreparedAction,
    meaning: Meaning<P>,
    body: object | undefined,
  ): Promise<void> {
    const nowMs = (await this.ground.chain.now()) * 1000;
    checkAction(action, { ...this.asker, nowMs }, meaning, body);
  }

  /** Signs the typed data unchanged and submits the signature. */
  async sign(scope: Scope, { action_id: id, payload }: PreparedAction): Promise<ActionState> {
    const { domain, types, message } = payload;
    const signature = await this.wallet.signTypedData(domain, structsOf(types), message);
    return this.submit(scope, id, { signature });
  }

  /**
   * Submits the wallet's result for an action: a signature, or the hash of the transaction that the wallet has sent.
   */
  submit(
    scope: Scope,
    actionId: string,
    body: { signature: string } | { transaction_hash: string },
  ): Promise<ActionState> {
    return this.client.send<ActionState>(scope, 'POST', `/v1/actions/${actionId}/submissions`, { body });
  }

  /**
   * Waits until the service says that the chain has executed the action. Throws DemoMismatch when the transaction fails
   * or LONGEST_EVENT_WAIT_MS have passed.
   */
  async confirmed(actionId: string): Promise<void> {
    let seen = '';
    const isDone = await this.hearOf(actionId, async () => {
      ({ status: seen } = await this.client.get<ActionState>(`/v1/actions/${actionId}`));
      expectThat(seen !== 'failed', `The transaction of the action ${actionId} has failed.`);
      return DONE.has(seen) || undefined;
    });
    expectThat(
      isDone === true,
      `The action ${actionId} is still ${seen} after ${LONGEST_EVENT_WAIT_MS / 1000} s, not confirmed.`,
    );
  }
  /**
   * Asks about an action until there is an answer, at once and whenever the service tells something of it; undefined after
   * LONGEST_EVENT_WAIT_MS.
   */
  hearOf<T>(actionId: string, ask: () => Promise<T | undefined>): Promise<T | undefined> {
    return ActionNews.until(actionId, (signal) => this.client.openActionStream(signal), ask, LONGEST_EVENT_WAIT_MS);
  }
}
