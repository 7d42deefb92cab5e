import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  contractCall,
  type ContractCall,
  encodeDisputeNode,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import type { NodeInput } from '../action/intent-inputs.js';
import { NodeIntents } from '../checks/node-intents.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { actionFieldsOf, messageOf, readBytes32, readCount } from '../action/typed-message.js';

export interface DisputeInput extends NodeInput {
  /** SHA-256 of what the worker shows the arbiter; absent: nothing. */
  readonly evidenceHash?: Hex;
}

const NO_EVIDENCE: Hex = `0x${'0'.repeat(64)}`;

/** A worker contests a rejection before the arbiter that both sides signed up to. */
@Injectable()
export class DisputeNode implements PreparedKind<DisputeInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly intents: NodeIntents,
    private readonly config: ChainConfig,
  ) {}

  async check({ accountId }: ActionIntent, input: DisputeInput): Promise<CheckedAction> {
    const node = await this.intents.workedBy(accountId, input.taskId, input.nodeId);
    this.intents.requireByIndex('dispute_node', node);
    const { id, taskId, number: nodeId, escrowAddress, workerWallet: signer } = node;
    const evidenceHash = input.evidenceHash ?? NO_EVIDENCE;
    const { chainId } = this.config;
    const call = (fields: ActionFields): ContractCall =>
      contractCall(escrowAddress, encodeDisputeNode(nodeId, evidenceHash, senderAuth(fields)));
    return {
      scope: 'worker',
      taskId,
      nodeId: id,
      escrowAddress,
      signer,
      ownMoney: 0n,
      triedCalls: (fields) => [{ from: signer, ...call(fields) }],
      confirm: async () => {
        await this.intents.requireByChain('dispute_node', node);
        const contested = { nodeId, evidenceHash };
        return {
          typedData: (fields) =>
            escrowTypedData('DisputeNode', { chainId, escrowAddress }, { ...contested, ...fields }),
          directCalls: (fields) => [call(fields)],
        };
      },
    };
  }

  async signedCall({ escrowAddress, payload }: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(payload);
    const auth = { ...actionFieldsOf(message), signature };
    const evidenceHash = readBytes32(message, 'evidenceHash');
    return contractCall(escrowAddress, encodeDisputeNode(readCount(message, 'nodeId'), evidenceHash, auth));
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'rejected';
  }
}
