import { Injectable } from '@nestjs/common';
import {
  contractCall,
  type ContractCall,
  encodeFinalize,
  encodeMulticall,
  type DecodedRevert,
  NodeState,
  type StoredNode,
} from '#libs/contracts';
import { type Hex, pathText, readPathText } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainSimulation } from '../../../platform/chain/simulation.js';
import { Clock } from '../../../platform/time/clock.js';
import type { ApiError } from '../../../platform/http/api-error.js';
import type { ActionDetails } from '../action/action-details.js';
import type { TriedCall } from '../action/prepared-kind.js';
import { refusalOf } from '../preflight/revert-refusals.js';

/** Nodes that a time limit has ended and nobody has finalized: only when they are finalized does their money count. */
export interface UnwrittenReturns {
  readonly paths: readonly bigint[];
  /** Base units that go back to whoever paid for these nodes, or to the node above that they live on. */
  readonly amount: bigint;
  /** Base units that other nodes give back, which are left for the next action; 0 where no more were needed. */
  readonly left: bigint;
}

/** Most nodes that one action finalizes, because each costs gas. The others are left for the next action. */
export const MOST_WRITTEN = 20;
/** Most nodes that the chain is asked about. Some may give nothing back: those that were finalized a moment ago. */
const MOST_ASKED = 200;

/**
 * Finds nodes that silence has ended, by the chain's latest state (docs/decisions/escrow.md#states-of-a-node). The
 * service sends no transaction, so the call of an action first finalizes the nodes that its money depends on, which anybody
 * may do.
 */
@Injectable()
export class PendingFinalizations {
  constructor(
    private readonly chain: ChainClient,
    private readonly clock: Clock,
    private readonly simulation: ChainSimulation,
  ) {}

  /**
   * What the first `MOST_WRITTEN` that give anything back of these nodes would give back when finalized, and what is left.
   * @param needed base units with which it stops, because each node costs gas; absent: it takes all of them.
   * @throws ChainUnavailableError.
   */
  async returnsOf(escrowAddress: Hex, paths: readonly bigint[], needed?: bigint): Promise<UnwrittenReturns> {
    const taken: bigint[] = [];
    let [sum, left] = [0n, 0n];
    const isEnough = (): boolean => needed !== undefined && sum >= needed;
    for (const some of [paths.slice(0, MOST_WRITTEN), paths.slice(MOST_WRITTEN, MOST_ASKED)]) {
      if (isEnough()) break;
      for (const { path, amount } of await this.given(escrowAddress, some)) {
        if (amount === 0n || isEnough()) continue;
        if (taken.length === MOST_WRITTEN) {
          left += amount;
          continue;
        }
        taken.push(path);
        sum += amount;
      }
    }
    return { paths: taken, amount: sum, left };
  }

  /** What each of these nodes gives back, by calls that travel together. */
  private async given(escrowAddress: Hex, paths: readonly bigint[]): Promise<{ path: bigint; amount: bigint }[]> {
    const now = this.clock.nowSeconds();
    return Promise.all(
      paths.map(async (path) => ({ path, amount: givenBack(await this.chain.nodeAt(escrowAddress, path), now) })),
    );
  }

  /**
   * Tries a call in one transaction with the finalizations that it needs first. A batch goes through although its last
   * member fails, so only an endpoint that traces can tell; by any other, nothing is known and nothing refused.
   * @param batch what `afterWriting` makes of these nodes and the call.
   * @param refuse the refusal of an error that the call has of its own; null: the usual one.
   * @throws ApiError when the call would fail; ChainUnavailableError.
   */
  async tryOut(
    from: Hex,
    unwritten: readonly bigint[],
    batch: ContractCall,
    refuse: (revert: DecodedRevert) => ApiError | null = () => null,
  ): Promise<void> {
    const { failure, skipped } = await this.simulation.run([{ from, ...batch }]);
    const fault = failure ?? skipped.find(({ index }) => index === unwritten.length);
    if (fault) throw (fault.revert && refuse(fault.revert)) ?? refusalOf(fault.revert);
  }
}

/** What helps where more nodes must be finalized than one action does. */
export const FINALIZE_OTHERS =
  "Send the escrow's finalize for some of those whose effective_state is not their state, which anybody may do.";

/**
 * The details of an action that hold the nodes that its call finalizes.
 * @param left base units that others give back, for the next action.
 */
export function unwrittenDetails(paths: readonly bigint[], left = 0n): ActionDetails {
  return { unwritten_nodes: paths.map(pathText).join(' '), ...(left === 0n ? {} : { left: left.toString() }) };
}

/** The paths of nodes in details that `unwrittenDetails` made. */
export function unwrittenOf({ unwritten_nodes: paths }: ActionDetails): bigint[] {
  if (typeof paths !== 'string' || paths === '') return [];
  return paths.split(' ').flatMap((text) => readPathText(text) ?? []);
}

/**
 * One transaction that finalizes the nodes in this order, then makes the call. Nodes that somebody has finalized meanwhile
 * are left out by the escrow.
 */
export function afterWriting(escrowAddress: Hex, nodes: readonly bigint[], call: Hex): ContractCall {
  const data = nodes.length === 0 ? call : encodeMulticall([...nodes.map(encodeFinalize), call]);
  return contractCall(escrowAddress, data);
}

/**
 * The members of `afterWriting` as calls of their own, to be tried: a multicall would hide one that fails.
 * @param call as much of the call as needs no finalization before it; null: nothing of it does.
 */
export function triedApart(from: Hex, escrowAddress: Hex, nodes: readonly bigint[], call: Hex | null): TriedCall[] {
  const members = [...nodes.map(encodeFinalize), ...(call === null ? [] : [call])];
  return members.map((data) => ({ from, ...contractCall(escrowAddress, data) }));
}

/** Base units that `finalize` gives back for a node; 0 where there is nothing to finalize. */
function givenBack(node: StoredNode | null, nowSeconds: number): bigint {
  if (node === null || nowSeconds <= node.clock) return 0n;
  if (node.state === NodeState.Rejected) return node.amount;
  return node.state === NodeState.Disputed ? node.amount - node.floor : 0n;
}
