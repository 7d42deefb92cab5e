import { Injectable } from '@nestjs/common';
import { type StoredNode, wireNodeState } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { eventFault } from '../../escrow/node/node-outlook.js';
import { NodeAuthority, type StandingNode } from '../../escrow/node/node-authority.js';
import type { ReviewInput } from '../action/intent-inputs.js';
import { nodeRefusal, type PreparedEvent } from './node-refusals.js';

/** Checks that the kinds on a funded node share: who may act on the node, and whether its state allows the event. */
@Injectable()
export class NodeIntents {
  constructor(
    private readonly nodes: NodeAuthority,
    private readonly chain: ChainClient,
    private readonly clock: Clock,
  ) {}

  /**
   * The node that its hirer reviews: a root node for the buyer, the deciding one where it names none; a child node for the
   * worker above it.
   * @throws ApiError `not_found`, `not_task_buyer`, `not_node_hirer`, `state_conflict` when no root node was funded.
   */
  async reviewedBy(accountId: string, { taskId, nodeId, rootNodeId }: ReviewInput): Promise<StandingNode> {
    if (nodeId === null) return this.rootOf(accountId, taskId, rootNodeId);
    const node = await this.nodes.find(accountId, taskId, nodeId);
    if (node.parentNodeId === null) {
      throw new ApiError(
        'not_node_hirer',
        'This is a root node; the buyer of the task hires for it.',
        'The buyer uses the operation of the task, and names the node there with node_id.',
      );
    }
    if (node.hirerAccountId !== accountId) {
      throw new ApiError('not_node_hirer', 'Only the hirer of this node, who works on the node above, may do this.');
    }
    return node;
  }

  /** The node, for the account that works on it. @throws ApiError `not_found`, `not_node_worker`. */
  async workedBy(accountId: string, taskId: string, nodeId: string): Promise<StandingNode> {
    const node = await this.nodes.find(accountId, taskId, nodeId);
    if (node.workerAccountId !== accountId) {
      throw new ApiError('not_node_worker', 'Only the worker of this node may do this.');
    }
    return node;
  }

  /** @throws ApiError with a 409 code when the index does not allow the event now. */
  requireByIndex(event: PreparedEvent, { facts }: StandingNode): void {
    const fault = eventFault(facts, event, this.clock.nowSeconds());
    if (fault !== null) throw nodeRefusal(event, fault, facts);
  }

  /**
   * The node as the chain's latest state has it, which must be at the version that the index shows the caller: every
   * signature about a node names one.
   * @throws ApiError with a 409 code when that state does not allow the event now, or the chain is at another version;
   * `service_unavailable`.
   */
  async requireByChain(event: PreparedEvent, node: StandingNode): Promise<StoredNode> {
    const stored = await this.chain.nodeAt(node.escrowAddress, node.path, 'latest');
    const state = stored === null ? null : wireNodeState(stored.state);
    if (stored === null || state === null) throw chainDiffers('The chain does not have this node as funded.');
    const { clock, deliverBy, allocated, amount: pool, revisions } = stored;
    const facts = { ...node.facts, state, clock, deliverBy, allocated, pool, revisions };
    const fault = eventFault(facts, event, this.clock.nowSeconds());
    if (fault !== null) throw nodeRefusal(event, fault, facts);
    if (stored.worker !== node.workerWallet) {
      throw new ApiError('wallet_mismatch', "The worker known for this node is not the chain's.");
    }
    if (stored.version !== node.version) throw chainDiffers('The node has moved on on the chain meanwhile.');
    return stored;
  }

  private async rootOf(accountId: string, taskId: string, nodeId?: string): Promise<StandingNode> {
    const { buyerAccountId, node } = await (nodeId === undefined
      ? this.nodes.decidingRoot(accountId, taskId)
      : this.nodes.rootNode(accountId, taskId, nodeId));
    if (buyerAccountId !== accountId) {
      throw new ApiError('not_task_buyer', 'Only the buyer of this task may do this.');
    }
    if (node === null) {
      throw new ApiError(
        'state_conflict',
        'The task has no funded node yet.',
        'Select an agent and fund the task first.',
      );
    }
    return node;
  }
}

/** The hash of the artifact that was delivered to a node under review. Throws TypeError when the node has none. */
export function deliveredArtifact({ artifactHash }: StandingNode): Hex {
  if (artifactHash === null) throw new TypeError('A delivered node has no artifact');
  return artifactHash;
}

function chainDiffers(reason: string): ApiError {
  return new ApiError('state_conflict', reason, 'Read the node again when the index has caught up with the chain.');
}
