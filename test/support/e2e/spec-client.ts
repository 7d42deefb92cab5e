import { createHash, randomUUID } from 'node:crypto';
import { concat, getAddress, getCreate2Address, id, keccak256, toBeHex, ZeroAddress } from 'ethers';
import { type ActionKind, digestOf, type ExpectedPayment, faultsOf } from '../verify-action.js';

const PER_LEVEL = 2n ** 24n;

/** The facts about a deployment that its operator tells a client once. */
export interface MarketFacts {
  baseUrl: string;
  signingOrigin: string;
  chainId: number;
  factory: string;
  implementation: string;
  token: string;
  tokenDomain: { name: string; version: string };
  maxTtlSeconds: number;
  /** The client's clock, because a test's chain may be ahead of the wall clock. */
  nowMs: () => number;
}

export interface ClientIdentity {
  accountId: string;
  agentId: string;
  wallet: string;
  /** One API key per scope. */
  keys: Record<string, string>;
}

/**
 * A task as the client knows it, with terms that it has written or read itself. Money in base units, windows in
 * seconds.
 */
export interface TaskRecord {
  id: string;
  buyer: string;
  arbiter: string;
  termsHash: string;
  acceptWindow: number;
}

/**
 * The struct that hirer and worker both sign (docs/decisions/escrow.md#signed-actions). A node's id on the chain is its
 * parent's, shifted by 24 bits, and an index.
 */
export interface TermsRecord {
  nodeId: bigint;
  worker: string;
  amount: bigint;
  floor: bigint;
  workSeconds: number;
  acceptWindow: number;
  maxRevisions: number;
  hirerFunded: boolean;
  termsHash: string;
}

export interface OfferRecord {
  task: TaskRecord;
  agentId: string;
  hirer: string;
  terms: TermsRecord;
  validUntil: number;
}

/** A request for an action, and what the answer must be about. */
export interface Intent {
  kind: ActionKind;
  scope: string;
  path: string;
  body?: unknown;
  validUntil?: number | undefined;
  payment?: ExpectedPayment | undefined;
  /** What the action must be about. Only the ids of new things, which the service assigns, are read from the action. */
  about(action: any): { task: TaskRecord; node: bigint | null; own: Record<string, unknown> };
}

export interface ClientAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** The reason why the client will not sign an answer. */
export class ClientRefusal extends Error {
  constructor(
    readonly faults: readonly string[],
    readonly answer: any,
  ) {
    const said = answer?.error === undefined ? '' : `: ${JSON.stringify(answer.error)}`;
    super(`The answer is not what was asked for: ${faults.join(', ')}${said}`);
  }
}

/**
 * A client of the market written from docs/decisions/interface.md and docs/decisions/escrow.md alone, without any code
 * of the program. It prepares an action, computes for itself what the answer must say, and signs nothing else.
 */
export class SpecClient {
  constructor(
    readonly market: MarketFacts,
    readonly self: ClientIdentity,
  ) {}

  /** Prepares the action and returns it. @throws ClientRefusal when any part of it is not what was requested. */
  async prepare(intent: Intent): Promise<any> {
    const { status, body } = await this.send(intent);
    const action = intent.kind === 'deliver' ? body?.prepared_action : body;
    const faults = status === 200 ? this.faults(intent, action) : [`status ${status}`];
    if (faults.length > 0) throw new ClientRefusal(faults, body);
    return action;
  }

  send({ scope, path, body }: Intent): Promise<ClientAnswer> {
    return this.post(scope, path, body);
  }

  /** Every difference between an answer and the request. */
  faults(intent: Intent, action: any): string[] {
    let about: ReturnType<Intent['about']>;
    try {
      about = intent.about(action);
    } catch {
      return ['unreadable'];
    }
    const { task, node, own } = about;
    const { chainId, token, factory, maxTtlSeconds, signingOrigin } = this.market;
    return faultsOf(action, {
      kind: intent.kind,
      body: intent.body,
      payment: intent.payment,
      validUntil: intent.validUntil,
      own,
      chainId,
      token,
      factory,
      maxTtlSeconds,
      signingOrigin,
      nowMs: this.market.nowMs(),
      principal: this.self.accountId,
      wallet: this.self.wallet,
      taskId: task.id,
      nodeId: node === null ? null : nodeIdOf(task, node),
      escrowAddress: this.escrowOf(task),
    });
  }

  /** Submits the signature or the transaction that the wallet has made of an action. */
  handIn(scope: string, actionId: string, made: { signature: string } | { transaction_hash: string }) {
    return this.post(scope, `/v1/actions/${actionId}/submissions`, made);
  }

  async read(path: string): Promise<any> {
    return (await this.request('GET', 'read', path)).body;
  }

  post(scope: string, path: string, body?: unknown): Promise<ClientAnswer> {
    const json = body === undefined ? {} : { content: JSON.stringify(body), type: 'application/json' };
    return this.request('POST', scope, path, json);
  }

  /** Uploads the work into custody. @returns its hash and the receipt. */
  async upload(work: string): Promise<{ artifact_hash: string; custody_receipt: string }> {
    const hash = sha256(work);
    const content = { content: work, type: 'application/octet-stream' };
    const { status, body } = await this.request('PUT', 'worker', `/v1/artifacts/${hash}`, content);
    if (status !== 200 || body.artifact_hash !== hash) throw new ClientRefusal([`upload ${status}`], body);
    return { artifact_hash: hash, custody_receipt: body.custody_receipt };
  }

  /**
   * The address of the task's escrow: CREATE2 of the ERC-1167 clone whose code carries buyer and arbiter
   * (docs/decisions/escrow.md#one-contract-per-tree), with the task's salt.
   */
  escrowOf({ id: taskId, buyer, arbiter }: TaskRecord): string {
    const { factory, implementation } = this.market;
    const parties = concat([buyer, arbiter]);
    const code = concat(['0x363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91602b57fd5bf3', parties]);
    const creation = concat(['0x61', toBeHex((code.length - 2) / 2, 2), '0x3d81600a3d39f3', code]);
    return getCreate2Address(getAddress(factory), id(taskId), keccak256(creation));
  }

  private async request(
    method: string,
    scope: string,
    path: string,
    { content, type }: { content?: string; type?: string } = {},
  ): Promise<ClientAnswer> {
    const response = await fetch(`${this.market.baseUrl}${path}`, {
      method,
      headers: {
        'X-Api-Key': this.self.keys[scope] ?? '',
        ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      ...(content === undefined ? {} : { body: content }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
}

/** SHA-256 over the JCS bytes of the terms that a creation request freezes. Absent members have their defaults. */
export function termsHashOf(body: any): string {
  const [whole, part = ''] = String(body.budget.amount).split('.');
  return digestOf({
    accept_window_seconds: body.accept_window_seconds ?? 259_200,
    arbiter: getAddress(body.arbiter ?? ZeroAddress),
    brief: body.brief,
    budget: { amount: `${whole}.${part.replace(/0+$/, '').padEnd(2, '0')}`, currency: 'USDC' },
    criteria: body.criteria ?? [],
    delivery_window_seconds: body.delivery_window_seconds ?? 604_800,
  });
}

/** The name of a node over HTTP: that of its task, and the indexes of its id on the chain from the top. */
export function nodeIdOf(task: Pick<TaskRecord, 'id'>, node: bigint): string {
  const indexes: bigint[] = [];
  for (let left = node; left > 0n; left /= PER_LEVEL) indexes.unshift(left % PER_LEVEL);
  return `node_${task.id.slice('task_'.length)}_${indexes.join('-')}`;
}

/** The node that a name over HTTP stands for. */
export function nodeOf(name: unknown): bigint {
  const [, indexes = ''] = /_([1-9][0-9]*(?:-[1-9][0-9]*)*)$/.exec(String(name)) ?? [];
  return indexes.split('-').reduce((above, index) => above * PER_LEVEL + BigInt(index), 0n);
}

/** The node above, 0 for the buyer. */
export function above(node: bigint): bigint {
  return node / PER_LEVEL;
}

export function sha256(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}
