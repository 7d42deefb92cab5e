import {
  type ActionKind,
  type Check,
  type Deployment,
  type ExpectedMembers,
  hashTypedData,
  type Hex,
  type Intent,
  isSignable,
  type PreparedAction,
  type TreeParties,
  verifyPreparedAction,
} from '#libs/prepared-action';
import type { Scope, WriteOptions } from '../http/connection.js';
import { type ReadChain, readerOf } from './chain-node.js';
import { PreparedActionRejected } from './prepared-action-rejected.js';
import type { Wallet } from './wallets.js';

/** What is known of the market and of the caller before any action arrives. */
export interface Pinned {
  readonly deployment: Deployment;
  /** Reads the caller's own blockchain node. */
  readonly read?: ReadChain;
  /** Address of the wallet that will sign. */
  readonly wallet?: string;
  readonly now: () => number;
}

/** What a caller can say about an action beyond the request: more to hold the answer against. */
export interface PrepareOptions extends WriteOptions {
  /** Members of the message that are signed, such as `{ terms: { worker: '0x…' } }`. */
  expects?: ExpectedMembers;
  /** Buyer and arbiter of the task, where the caller knows them: the escrow's address follows from them. */
  tree?: TreeParties;
  /** The escrow's address, where the caller knows it. */
  escrow?: string;
  /** The EIP-712 digest that was shown elsewhere. */
  digest?: string;
}

/** What an action must answer. */
export interface Asked {
  readonly kind: ActionKind;
  readonly scope: Scope;
  readonly taskId?: string;
  readonly nodeId?: string;
  readonly body?: unknown;
  readonly expects?: ExpectedMembers;
  /** The greatest price, in base units, where no certain one was asked for. */
  readonly most?: bigint;
}

/** An action that has passed: a copy that nobody can change, and what it was held against. */
export interface Admitted {
  readonly action: PreparedAction;
  readonly intent: Intent;
  readonly checks: readonly Check[];
  readonly digest: Hex;
}

/** Lets through what answers a request, twice: when the service has answered, and again when a wallet is to sign. */
export class ActionGate {
  constructor(readonly pinned: Pinned) {}

  /**
   * Checks an answer, before the caller sees it. Only what a wallet or its node must say may stay open. Throws
   * PreparedActionRejected.
   */
  async admit(answer: unknown, asked: Asked, principal: string, options: PrepareOptions = {}): Promise<Admitted> {
    const { wallet, read } = this.pinned;
    const action = frozen(JSON.parse(JSON.stringify(answer ?? null))) as PreparedAction;
    const intent = intentOf(asked, principal, options, wallet);
    const checks = await this.check(action, intent, wallet, read);
    const failed = checks.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && options.expects !== undefined) {
      // What a quote says of a member and what the caller knows of it must both hold; together, one would hide the other.
      const own = await this.check(action, { ...intent, expects: options.expects }, wallet, read);
      failed.push(...own.filter(({ status }) => status === 'failed'));
    }
    if (failed.length === 0 && asked.most !== undefined) failed.push(...tooDear(action, asked.most, checks));
    if (failed.length > 0) throw new PreparedActionRejected(failed, answer);
    const { digest } = hashTypedData(action.payload);
    return { action, intent: { ...intent, digest }, checks, digest };
  }

  /**
   * Checks an admitted action once more, now with the wallet that is to sign, its own node and the time of now. Throws
   * PreparedActionRejected also where something stays open that must be known.
   */
  async confirm({ action, intent }: Admitted, wallet: Wallet): Promise<void> {
    const { read, deployment } = this.pinned;
    const own = read ?? (wallet.ask && readerOf(wallet.ask, deployment));
    const checks = await this.check(action, intent, await wallet.address(), own);
    if (isSignable(checks)) return;
    throw new PreparedActionRejected(
      checks.filter(({ status }) => status !== 'passed'),
      action,
    );
  }

  private async check(
    action: PreparedAction,
    intent: Intent,
    connectedWallet: string | undefined,
    read: ReadChain | undefined,
  ): Promise<Check[]> {
    const { deployment, now } = this.pinned;
    const readings = (await read?.(action, intent)) ?? [];
    return verifyPreparedAction(action, intent, {
      deployment,
      nowMs: now(),
      readings,
      connectedWallet,
    });
  }
}

function intentOf(asked: Asked, principal: string, own: PrepareOptions, wallet: string | undefined): Intent {
  const { kind, taskId, nodeId, body } = asked;
  const expects = { ...asked.expects, ...own.expects, ...termsOf(asked.expects, own.expects) };
  return {
    kind,
    principal,
    expects,
    wallet,
    taskId,
    nodeId,
    // As JSON writes it: what is undefined was not sent.
    body: body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown),
    tree: own.tree,
    escrow: own.escrow,
    digest: own.digest,
  };
}

/** Terms of both; those that follow from the request cannot be taken back by the caller's own. */
function termsOf(asked: ExpectedMembers = {}, own: ExpectedMembers = {}): ExpectedMembers {
  const [of, ofOwn] = [asked['terms'], own['terms']];
  if (typeof of !== 'object' || typeof ofOwn !== 'object') return {};
  return { terms: { ...ofOwn, ...of } };
}

/** The failed row of an offer above the greatest price. */
function tooDear({ payload }: PreparedAction, most: bigint, checks: readonly Check[]): Check[] {
  const { terms } = payload['message'] as { terms?: { amount?: unknown } };
  const amount = BigInt(String(terms?.amount));
  if (amount <= most) return [];
  const detail = `The price is ${amount} base units, above ${most}.`;
  return checks.filter(({ name }) => name === 'members').map((row) => ({ ...row, status: 'failed', detail }));
}

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
