import { Injectable } from '@nestjs/common';
import {
  checksumAddress,
  contractCall,
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
import { type AccessibleNode, NodeAccess } from '../../escrow/node/node-access.js';
import type { NodeInput } from '../action/intent-inputs.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { storedNode } from '../action/stored-request.js';
import { actionFieldsOf, messageOf, readUint } from '../payload/typed-message.js';

/**
 * The worker of a node gives it up, only while the node is funded (docs/decisions/interface.md#lifecycles) and none of
 * its money is promised to subcontracts.
 */
@Injectable()
export class AbandonNode implements PreparedKind<NodeInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly nodes: NodeAccess,
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
    if (node.allocated > 0n) throw hasCarveOuts();
    const signer = checksumAddress(node.workerWallet);
    const escrowAddress = checksumAddress(node.escrowAddress);
    const call = (fields: ActionFields): ContractCall =>
      contractCall(escrowAddress, encodeAbandonNode(node.path, senderAuth(fields)));
    return {
      scope: 'worker',
      taskId,
      nodeId,
      escrowAddress,
      nonce: nodeNonce(node.path, node.version),
      signer,
      ownMoney: 0n,
      triedCalls: (fields) => [{ from: signer, ...call(fields) }],
      confirm: async () => {
        const stored = await this.chain.nodeAt(escrowAddress, node.path, 'latest');
        const { amount } = abandonable(stored, node);
        return {
          typedData: (fields) => this.typedData(escrowAddress, node.path, amount, fields),
          directCalls: (fields) => [call(fields)],
        };
      },
    };
  }

  async signedCall({ escrowAddress, payload }: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(payload);
    const auth = { ...actionFieldsOf(message), signature };
    return contractCall(escrowAddress, encodeAbandonNode(readUint(message, 'nodeId'), auth));
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'funded';
  }

  private typedData(escrowAddress: Hex, nodeId: bigint, amount: bigint, fields: ActionFields): TypedData {
    const domain = { chainId: this.config.chainId, escrowAddress };
    return escrowTypedData('AbandonNode', domain, { nodeId, token: this.config.usdcAddress, amount, ...fields });
  }
}

/** The node as the chain has it now. @throws ApiError when the chain, ahead of the index, no longer lets it be given up. */
function abandonable(stored: StoredNode | null, indexed: AccessibleNode): StoredNode {
  if (stored?.state !== NodeState.Funded) {
    throw notFunded('The node is no longer funded on the chain; the index has not caught up yet.');
  }
  if (stored.allocated > 0n) throw hasCarveOuts();
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
