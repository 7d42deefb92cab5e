import { Injectable } from '@nestjs/common';
import {
  contractCall,
  type ContractCall,
  encodeFinalize,
  encodeMulticall,
  lapsedShare,
  NodeState,
  type StoredNode,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { Clock } from '../../../platform/time/clock.js';
import type { ActionDetails } from '../action/action-details.js';

/** Nodes that a time limit has ended and nobody has finalized: only when they are finalized does their money count. */
export interface UnwrittenReturns {
  readonly numbers: readonly number[];
  /** Base units that go back to whoever paid for these nodes, or to the node above that they live on. */
  readonly amount: bigint;
}

/** Most nodes that one action finalizes, because each costs gas. The others are left for the next action. */
const MOST_WRITTEN = 20;

/**
 * Finds nodes that silence has ended, by the chain's latest state (docs/decisions/escrow.md#states-of-a-node). The
 * service sends no transaction, so the call of a withdrawal first finalizes the nodes that its money depends on, which
 * anybody may do.
 */
@Injectable()
export class PendingFinalizations {
  constructor(
    private readonly chain: ChainClient,
    private readonly clock: Clock,
  ) {}

  /** What the first `MOST_WRITTEN` of these nodes would give back when finalized. @throws ChainUnavailableError. */
  async returnsOf(escrowAddress: Hex, numbers: readonly number[]): Promise<UnwrittenReturns> {
    const asked = numbers.slice(0, MOST_WRITTEN);
    const stored = await this.stored(escrowAddress, asked);
    const given = asked.map((number, index) => ({ number, amount: givenBack(stored[index] ?? null) }));
    const giving = given.filter(({ amount }) => amount > 0n);
    return {
      numbers: giving.map(({ number }) => number),
      amount: giving.reduce((sum, { amount }) => sum + amount, 0n),
    };
  }

  /** Those of the nodes that are rejected or disputed and still have to be finalized. @throws ChainUnavailableError. */
  async stillUnwritten(escrowAddress: Hex, numbers: readonly number[]): Promise<number[]> {
    const stored = await this.stored(escrowAddress, numbers);
    return numbers.filter((_, index) => stored[index] !== null);
  }

  /** The nodes as the chain stores them; null where there is nothing to finalize. */
  private async stored(escrowAddress: Hex, numbers: readonly number[]): Promise<(StoredNode | null)[]> {
    const now = this.clock.nowSeconds();
    const nodes = await Promise.all(numbers.map((number) => this.chain.nodeAt(escrowAddress, number)));
    return nodes.map((node) => (node !== null && isUnwritten(node, now) ? node : null));
  }
}

/** The details of an action that hold the numbers of the nodes that its call finalizes. */
export function unwrittenDetails(numbers: readonly number[]): ActionDetails {
  return { unwritten_nodes: numbers.join(' ') };
}

/** The numbers of nodes in details that `unwrittenDetails` made. */
export function unwrittenOf({ unwritten_nodes: numbers }: ActionDetails): number[] {
  return typeof numbers === 'string' && numbers !== '' ? numbers.split(' ').map(Number) : [];
}

/** One transaction that finalizes the nodes in this order, then makes the call. */
export function afterWriting(escrowAddress: Hex, nodes: readonly number[], call: Hex): ContractCall {
  const data = nodes.length === 0 ? call : encodeMulticall([...nodes.map(encodeFinalize), call]);
  return contractCall(escrowAddress, data);
}

function isUnwritten({ state, clock }: StoredNode, nowSeconds: number): boolean {
  return nowSeconds > clock && (state === NodeState.Rejected || state === NodeState.Disputed);
}

/** Base units that `finalize` gives back for a node; 0 for null, which has nothing to finalize. */
function givenBack(node: StoredNode | null): bigint {
  if (node === null) return 0n;
  if (node.state === NodeState.Rejected) return node.amount;
  return node.amount - lapsedShare({ pool: node.amount, allocated: node.allocated });
}
