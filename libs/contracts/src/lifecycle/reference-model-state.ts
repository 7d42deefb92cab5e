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

  protected authorize(account: string, auth: ModelAuth): void {
    this.consume(account, auth);
    const { signer, intact } = auth;
    require(signer === null ? this.sender === account : intact && signer === account, 'InvalidSignature');
  }

  protected consume(account: string, { nonce, validUntil }: ModelAuth): void {
    require(this.now <= validUntil, 'ActionExpired');
    const key = `${account}:${nonce}`;
    require(!this.tree.usedNonces.has(key), 'NonceUsed');
    this.set({ usedNonces: new Set(this.tree.usedNonces).add(key) });
  }

  protected invalidate(word: bigint, mask: bigint): void {
    const used = new Set(this.tree.usedNonces);
    for (let bit = 0n; bit < 256n; bit += 1n) {
      if ((mask >> bit) & 1n) used.add(`${this.sender}:${(word << 8n) | bit}`);
    }
    this.set({ usedNonces: used });
  }

  // Money.

  protected giveBack({ hirerFunded, parentNumber, ...rest }: ModelNode, amount: bigint): void {
    if (hirerFunded) return this.credit(this.hirer({ parentNumber, ...rest }), amount);
    this.change(parentNumber, { allocated: this.node(parentNumber).allocated - amount });
  }

  protected credit(account: string, amount: bigint): void {
    const balance = this.tree.refundOf.get(account) ?? 0n;
    this.set({ refundOf: new Map(this.tree.refundOf).set(account, balance + amount) });
  }

  protected debit(account: string, amount: bigint): void {
    require(amount > 0n && amount <= (this.tree.refundOf.get(account) ?? 0n), 'InsufficientRefund');
    this.credit(account, -amount);
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

  /** An unknown id is a node in state None, as the contract shows it. */
  protected node(number: number): ModelNode {
    return this.tree.nodes.find((node) => node.number === number) ?? { ...NOWHERE, number };
  }

  protected hirer({ parentNumber }: Pick<ModelNode, 'parentNumber'>): string {
    return parentNumber === 0 ? this.tree.buyer : this.node(parentNumber).worker;
  }

  protected change(number: number, change: Partial<ModelNode>): void {
    this.set({ nodes: this.tree.nodes.map((node) => (node.number === number ? { ...node, ...change } : node)) });
  }

  protected set(change: Partial<ModelTree>): void {
    this.tree = { ...this.tree, ...change };
  }

  protected setToken(change: Partial<ModelToken>): void {
    this.set({ token: { ...this.tree.token, ...change } });
  }
}

const NOWHERE: Omit<ModelNode, 'number'> = {
  parentNumber: 0,
  worker: '',
  hirerFunded: true,
  pool: 0n,
  allocated: 0n,
  deliverBy: 0,
  acceptWindow: 0,
  clock: 0,
  state: NodeState.None,
  artifact: null,
};

/**
 * A tree in which nothing has happened yet; `balances` are base units of the token that accounts hold outside of it.
 */
export function emptyTree(
  parties: Pick<ModelTree, 'escrow' | 'buyer' | 'arbiter'>,
  balances: ReadonlyMap<string, bigint>,
): ModelTree {
  const token = { balances, denied: new Set<string>(), paused: false };
  return { ...parties, nodes: [], refundOf: new Map(), usedNonces: new Set(), token };
}
