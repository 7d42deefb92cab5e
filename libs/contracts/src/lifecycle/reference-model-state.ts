import { parentPath } from '#libs/kernel';
import { isWithdrawalNonce, nodeNonce } from '../abi/nonce-bitmap.js';
import type { LifecycleError } from './node-state-machine.js';
import type { ModelAuth, ModelNode, ModelToken, ModelTree, TokenError } from './lifecycle-calls.js';
import { NodeState } from '../tree/node-states.js';

/** Thrown when the model refuses a call, with the error of the contract or the token. */
export class Refusal extends Error {
  constructor(readonly reason: LifecycleError | TokenError) {
    super(reason);
  }
}

/** Throws Refusal with this reason unless `holds` is true. */
export function require(holds: boolean, reason: LifecycleError | TokenError): asserts holds {
  if (!holds) throw new Refusal(reason);
}

type Versioned = Pick<ModelNode, 'path' | 'version'>;

/**
 * The books of one escrow at one second while a call works on them: nodes, refund balances, nonces and the token. Every
 * change makes a new tree, so that a refused call leaves the tree before it unchanged.
 */
export class ModelBooks {
  constructor(
    public tree: ModelTree,
    protected readonly sender: string,
    protected readonly now: number,
  ) {}

  // Authorisation.

  /** An action about a node is signed for the version that the node is at. */
  protected authorize(account: string, { path, version }: Versioned, auth: ModelAuth): void {
    this.checkNonce(account, nodeNonce(path, version), auth);
    this.checkSignature(account, auth);
  }

  /** A withdrawal has a nonce of the signer's choice, which is used up. */
  protected authorizeWithdrawal(account: string, auth: ModelAuth): void {
    require(isWithdrawalNonce(auth.nonce), 'WrongNonce');
    this.checkNonce(account, auth.nonce, auth);
    this.set({ usedNonces: new Set(this.tree.usedNonces).add(`${account}:${auth.nonce}`) });
    this.checkSignature(account, auth);
  }

  protected checkNonce(account: string, expected: bigint, { nonce, validUntil }: ModelAuth): void {
    require(this.now <= validUntil, 'ActionExpired');
    require(nonce === expected, 'WrongNonce');
    require(!this.tree.usedNonces.has(`${account}:${nonce}`), 'NonceUsed');
  }

  private checkSignature(account: string, { signer, intact }: ModelAuth): void {
    require(signer === null ? this.sender === account : intact && signer === account, 'InvalidSignature');
  }

  protected invalidate(word: bigint, mask: bigint): void {
    const used = new Set(this.tree.usedNonces);
    for (let bit = 0n; bit < 256n; bit += 1n) {
      if ((mask >> bit) & 1n) used.add(`${this.sender}:${(word << 8n) | bit}`);
    }
    this.set({ usedNonces: used });
  }

  // Money.

  protected credit(account: string, amount: bigint): void {
    const balance = this.tree.refundOf.get(account) ?? 0n;
    this.set({ refundOf: new Map(this.tree.refundOf).set(account, balance + amount) });
  }

  protected debit(account: string, amount: bigint): void {
    require(amount > 0n && amount <= (this.tree.refundOf.get(account) ?? 0n), 'InsufficientRefund');
    this.credit(account, -amount);
  }

  /** Whether the token would move money between the escrow and this account. */
  protected isMovable(account: string): boolean {
    const { paused, denied } = this.tree.token;
    return !paused && !denied.has(this.tree.escrow) && !denied.has(account);
  }

  protected requireMovable(...accounts: string[]): void {
    require(!this.tree.token.paused, 'TokenPaused');
    const { denied } = this.tree.token;
    require(![this.tree.escrow, ...accounts].some((account) => denied.has(account)), 'AccountBlacklisted');
  }

  protected move(from: string, to: string, amount: bigint): void {
    this.requireMovable(from, to);
    const balances = new Map(this.tree.token.balances);
    const held = balances.get(from) ?? 0n;
    require(amount <= held, 'ERC20InsufficientBalance');
    balances.set(from, held - amount);
    balances.set(to, (balances.get(to) ?? 0n) + amount);
    this.setToken({ balances });
  }

  protected deny(account: string, denied: boolean): void {
    const accounts = new Set(this.tree.token.denied);
    if (denied) accounts.add(account);
    else accounts.delete(account);
    this.setToken({ denied: accounts });
  }

  // The tree.

  /** An unknown path is a node in state None, as the contract shows it. */
  protected node(path: bigint): ModelNode {
    return this.tree.nodes.find((node) => node.path === path) ?? { ...NOWHERE, path };
  }

  protected hirer({ path }: Pick<ModelNode, 'path'>): string {
    const parent = parentPath(path);
    return parent === 0n ? this.tree.buyer : this.node(parent).worker;
  }

  protected change(path: bigint, change: Partial<ModelNode>): void {
    this.set({ nodes: this.tree.nodes.map((node) => (node.path === path ? { ...node, ...change } : node)) });
  }

  protected set(change: Partial<ModelTree>): void {
    this.tree = { ...this.tree, ...change };
  }

  protected setToken(change: Partial<ModelToken>): void {
    this.set({ token: { ...this.tree.token, ...change } });
  }
}

const NOWHERE: Omit<ModelNode, 'path'> = {
  worker: '',
  hirerFunded: true,
  price: 0n,
  floor: 0n,
  share: 0n,
  withdrawn: 0n,
  deliverBy: 0,
  acceptWindow: 0,
  clock: 0,
  state: NodeState.None,
  version: 0,
  revisions: 0,
  maxRevisions: 0,
  payOut: false,
  artifact: null,
};

/**
 * What a node's worker has promised: everything that the helpers it pays out of the node have, taken out or not. A helper
 * whose node ended without pay has nothing.
 */
export function promisedTo({ nodes }: Pick<ModelTree, 'nodes'>, { path }: Pick<ModelNode, 'path'>): bigint {
  return nodes
    .filter((node) => !node.hirerFunded && parentPath(node.path) === path)
    .reduce((sum, { share }) => sum + share, 0n);
}

/**
 * A tree in which nothing has happened yet; `balances` are base units of the token that accounts hold outside of it.
 */
export function emptyTree(
  parties: Pick<ModelTree, 'escrow' | 'factory' | 'buyer' | 'arbiter'>,
  balances: ReadonlyMap<string, bigint>,
): ModelTree {
  const token = { balances, denied: new Set<string>(), paused: false };
  return { ...parties, nodes: [], refundOf: new Map(), usedNonces: new Set(), token };
}
