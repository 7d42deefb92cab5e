import { CHAIN_VIEWS, escrowCodeOf, keccakText, NODE_MEMBERS, sameAddress } from '#libs/prepared-action';
import type { FakeAction, FakeNode, FakeTask, MarketState } from './market-state.js';
import { allocatedOf } from './node-money.js';

interface Question {
  method: string;
  params?: unknown;
}

const WORD = 64;
/** USDC of every wallet, base units. */
const BALANCE = 1_000_000_000_000n;

/** A blockchain node that shows the escrows of a fake market (EIP-1193). */
export class FakeChain {
  /** @param sent is told of each action that somebody has sent. */
  constructor(
    private readonly state: MarketState,
    private readonly sent: (action: FakeAction, hash: string) => void,
  ) {}

  /** Throws Error on a method that no part of the SDK asks for. */
  readonly request = async ({ method, params }: Question): Promise<unknown> => {
    const [first] = (params ?? []) as [unknown];
    switch (method) {
      case 'eth_chainId':
        return quantity(this.state.deployment.chainId);
      case 'eth_getBlockByNumber':
        return { number: quantity(this.state.events.length + 1), timestamp: quantity(this.state.nowSeconds()) };
      case 'eth_getCode':
        return this.codeAt(first);
      case 'eth_call':
        return this.view(first as { to: string; data: string });
      case 'eth_sendTransaction':
        return this.send((first as { data: string }).data);
      default:
        throw new Error(`The fake market's chain does not know ${method}`);
    }
  };

  /** An action is found by its id, which each of its calls carries. */
  private send(data: string): string {
    const action = this.state.actions.find(({ prepared }) => data.includes(keccakText(prepared.action_id).slice(2)));
    if (action === undefined) throw new Error('The transaction carries no action of this market');
    const hash = this.state.hash();
    this.sent(action, hash);
    return hash;
  }

  private codeAt(address: unknown): string {
    const task = this.taskAt(address);
    return task === undefined || task.nodes.size === 0 ? '0x' : escrowCodeOf(this.state.deployment, task.parties);
  }

  private view({ to, data }: { to: string; data: string }): string {
    const [view] = Object.entries(CHAIN_VIEWS).find(([, selector]) => data.startsWith(selector)) ?? [];
    const words = data.slice(10);
    const first = BigInt(`0x${words.slice(0, WORD) || '0'}`);
    if (view === 'balanceOf') return word(BALANCE);
    if (view === 'nonces') return word(0n);
    const task = this.taskAt(to);
    if (task === undefined || task.nodes.size === 0) return '0x';
    const node = task.nodes.get(first);
    const wallet = `0x${words.slice(24, WORD)}`;
    if (view === 'node') return `0x${nodeWords(node, this.state.nowSeconds())}`;
    if (view === 'withdrawable') return word(node?.withdrawable ?? 0n);
    if (view === 'refundOf') return word(task.refunds.get(wallet) ?? 0n);
    return word(BigInt(task.usedNonces.has(`${wallet} ${BigInt(`0x${words.slice(WORD)}`)}`)));
  }

  private taskAt(address: unknown): FakeTask | undefined {
    return this.state.tasks.find(({ record }) => sameAddress(record.escrow_address, address));
  }
}

function nodeWords(node: FakeNode | undefined, now: number): string {
  const { terms = {}, ...own } = node ?? {};
  const allocated = node === undefined ? 0n : allocatedOf(node, now);
  const values: Readonly<Record<string, unknown>> = { ...terms, ...own, worker: terms['worker'], allocated };
  return NODE_MEMBERS.map((name) => word(BigInt((values[name] ?? 0) as string)).slice(2)).join('');
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(WORD, '0')}`;
}

function quantity(value: number): string {
  return `0x${value.toString(16)}`;
}
