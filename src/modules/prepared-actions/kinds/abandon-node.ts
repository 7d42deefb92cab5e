import { Injectable } from '@nestjs/common';
import {
  checksumAddress,
  encodeAbandonNode,
  escrowTypedData,
  nodeNonce,
  NodeState,
  senderAuth,
  type StoredNode,
} from '#libs/contracts';
import type { ActionFields, ContractCall, TypedData } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { WorkedNodes } from '../../earnings/worked-nodes/worked-nodes.js';
import { type AccessibleNode, NodeAccess } from '../../escrow/node/node-access.js';
import type { NodeInput } from '../action/intent-inputs.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { trialFields } from '../checks/quote-refusals.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { storedNode } from '../action/stored-request.js';
import {
  afterWriting,
  FINALIZE_OTHERS,
  MOST_WRITTEN,
  PendingFinalizations,
  triedApart,
  unwrittenDetails,
  unwrittenOf,
  type UnwrittenReturns,
} from '../money/pending-finalizations.js';
import { actionFieldsOf, messageOf, readUint } from '../payload/typed-message.js';

/**
 * The worker of a node gives it up, only while the node is funded (docs/decisions/interface.md#lifecycles) and none of
 * its money is promised to subcontracts. What a time limit has sent back from subcontracts is not promised any more: the same
 * call finalizes them first, which anybody may do.
 */
@Injectable()
export class AbandonNode implements PreparedKind<NodeInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly nodes: NodeAccess,
    private readonly worked: WorkedNodes,
    private readonly ends: PendingFinalizations,
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
  ) {}

  inputOf(request: OriginatingRequest): NodeInput {
    return storedNode(request);
  }

  async check({ accountId }: ActionIntent, { taskId, nodeId }: NodeInput): Promise<CheckedAction> {
    const node = await this.nodes.find(accountId, taskId, nodeId);
    if (node.workerAccountId !== accountId) {
      throw new ApiError('not_node_worker', 'Only the worker of this node may abandon it.');
    }
    if (node.state !== 'funded') throw notFunded(`The node is ${node.state}; only a funded node can be abandoned.`);
    const signer = checksumAddress(node.workerWallet);
    const escrowAddress = checksumAddress(node.escrowAddress);
    const returns = await this.returned(escrowAddress, { taskId, nodeId }, node);
    const unwritten = returns.paths;
    const abandonment = (fields: ActionFields): Hex => encodeAbandonNode(node.path, senderAuth(fields));
    const call = (fields: ActionFields): ContractCall => afterWriting(escrowAddress, unwritten, abandonment(fields));
    return {
      scope: 'worker',
      taskId,
      nodeId,
      escrowAddress,
      nonce: nodeNonce(node.path, node.version),
      signer,
      ownMoney: 0n,
      details: unwritten.length === 0 ? {} : unwrittenDetails(unwritten),
      triedCalls: (fields) =>
        triedApart(signer, escrowAddress, unwritten, unwritten.length === 0 ? abandonment(fields) : null),
      confirm: async () => {
        const stored = await this.chain.nodeAt(escrowAddress, node.path, 'latest');
        const { amount } = abandonable(stored, node, returns);
        if (unwritten.length > 0) {
          const fields = trialFields(nodeNonce(node.path, node.version));
          await this.ends.tryOut(signer, unwritten, call(fields));
        }
        return {
          typedData: (fields) => this.typedData(escrowAddress, node.path, amount, fields),
          directCalls: (fields) => [call(fields)],
        };
      },
    };
  }

  async signedCall({ escrowAddress, payload, details }: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(payload);
    const auth = { ...actionFieldsOf(message), signature };
    const data = encodeAbandonNode(readUint(message, 'nodeId'), auth);
    return afterWriting(checksumAddress(escrowAddress), unwrittenOf(details), data);
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'funded';
  }

  /**
   * What time has sent back from the node's subcontracts, which must be all that is promised to them.
   * @throws ApiError `state_conflict`; ChainUnavailableError.
   */
  private async returned(
    escrow: Hex,
    { taskId, nodeId }: NodeInput,
    { allocated }: AccessibleNode,
  ): Promise<UnwrittenReturns> {
    if (allocated === 0n) return { paths: [], amount: 0n, left: 0n };
    const below = await this.worked.returnsTo({ id: nodeId, taskId });
    if (below.length === 0) throw hasCarveOuts();
    const returns = await this.ends.returnsOf(escrow, below);
    if (returns.amount >= allocated) return returns;
    throw below.length > MOST_WRITTEN ? hasManyEnded() : hasCarveOuts();
  }

  private typedData(escrowAddress: Hex, nodeId: bigint, amount: bigint, fields: ActionFields): TypedData {
    const domain = { chainId: this.config.chainId, escrowAddress };
    return escrowTypedData('AbandonNode', domain, { nodeId, token: this.config.usdcAddress, amount, ...fields });
  }
}

/** The node as the chain has it now. @throws ApiError when the chain, ahead of the index, no longer lets it be given up. */
function abandonable(
  stored: StoredNode | null,
  indexed: AccessibleNode,
  { amount: returned }: UnwrittenReturns,
): StoredNode {
  if (stored?.state !== NodeState.Funded) {
    throw notFunded('The node is no longer funded on the chain; the index has not caught up yet.');
  }
  if (stored.allocated > returned) throw hasCarveOuts();
  if (stored.worker !== indexed.workerWallet) {
    throw new ApiError('wallet_mismatch', 'The wallet known for this node is not the one the chain would accept.');
  }
  return stored;
}

function notFunded(reason: string): ApiError {
  return new ApiError('node_not_funded', reason, 'Read the node again; its state says what can be done now.');
}

function hasCarveOuts(): ApiError {
  return new ApiError(
    'state_conflict',
    'A part of the node is promised to subcontracts that are paid out of it.',
    'A node can be given up once its subcontracts have ended without pay; where one was accepted, its own time decides.',
  );
}

function hasManyEnded(): ApiError {
  return new ApiError(
    'state_conflict',
    `One call finalizes at most ${MOST_WRITTEN} subcontracts, and more than that must be finalized before the node is free.`,
    FINALIZE_OTHERS,
  );
}
