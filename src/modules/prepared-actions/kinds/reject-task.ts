import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  contractCall,
  type ContractCall,
  encodeRejectTask,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { NO_REASON, reasonHashOf, RejectionReasons } from '../../deliveries/rejection-reasons.js';
import type { ReviewInput } from '../action/intent-inputs.js';
import { NodeIntents } from '../checks/node-intents.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { actionFieldsOf, messageOf, readBytes32, readCount } from '../action/typed-message.js';

export interface RejectionInput extends ReviewInput {
  /** What the worker is told; absent: the rejection says nothing. */
  readonly reason?: string;
}

/** A hirer rejects what was delivered, while its window for that runs. */
@Injectable()
export class RejectTask implements PreparedKind<RejectionInput> {
  readonly scopes = ['buyer', 'worker'] as const;

  constructor(
    private readonly intents: NodeIntents,
    private readonly reasons: RejectionReasons,
    private readonly config: ChainConfig,
  ) {}

  async check({ accountId }: ActionIntent, input: RejectionInput): Promise<CheckedAction> {
    const found = await this.intents.reviewedBy(accountId, input);
    const node = this.intents.requireDelivered('reject_task', found);
    const { id, taskId, number: nodeId, escrowAddress, hirerWallet: signer, artifactHash } = node;
    const { reason } = input;
    const reasonHash = reason === undefined ? NO_REASON : reasonHashOf(reason);
    const { chainId } = this.config;
    const call = (fields: ActionFields): ContractCall =>
      contractCall(escrowAddress, encodeRejectTask(nodeId, artifactHash, reasonHash, senderAuth(fields)));
    return {
      scope: input.nodeId === null ? 'buyer' : 'worker',
      taskId,
      nodeId: id,
      escrowAddress,
      signer,
      ownMoney: 0n,
      triedCalls: (fields) => [{ from: signer, ...call(fields) }],
      confirm: async () => {
        await this.intents.requireSameArtifact('reject_task', node);
        const rejected = { nodeId, artifactHash, reasonHash };
        return {
          typedData: (fields) => escrowTypedData('RejectTask', { chainId, escrowAddress }, { ...rejected, ...fields }),
          directCalls: (fields) => [call(fields)],
        };
      },
      // The chain keeps only the hash; the text is shown once the chain has it.
      record: async (manager) => {
        if (reason !== undefined) await this.reasons.keep(manager, id, reason);
      },
    };
  }

  async signedCall({ escrowAddress, payload }: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(payload);
    const auth = { ...actionFieldsOf(message), signature };
    const artifactHash = readBytes32(message, 'artifactHash');
    const reasonHash = readBytes32(message, 'reasonHash');
    return contractCall(escrowAddress, encodeRejectTask(readCount(message, 'nodeId'), artifactHash, reasonHash, auth));
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'delivered';
  }
}
