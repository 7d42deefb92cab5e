import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  contractCall,
  type ContractCall,
  encodeResolveTask,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import type { ReviewInput } from '../action/intent-inputs.js';
import { NodeIntents } from '../checks/node-intents.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { actionFieldsOf, messageOf, readBytes32, readCount } from '../action/typed-message.js';

/** A hirer accepts what was delivered, or gives in while its own rejection can still be contested or ruled on. */
@Injectable()
export class ResolveTask implements PreparedKind<ReviewInput> {
  readonly scopes = ['buyer', 'worker'] as const;

  constructor(
    private readonly intents: NodeIntents,
    private readonly config: ChainConfig,
  ) {}

  async check({ accountId }: ActionIntent, input: ReviewInput): Promise<CheckedAction> {
    const found = await this.intents.reviewedBy(accountId, input);
    const node = this.intents.requireDelivered('resolve_task', found);
    const { id, taskId, number: nodeId, escrowAddress, hirerWallet: signer, artifactHash } = node;
    const { chainId, usdcAddress: token } = this.config;
    const call = (fields: ActionFields): ContractCall =>
      contractCall(escrowAddress, encodeResolveTask(nodeId, artifactHash, senderAuth(fields)));
    return {
      scope: input.nodeId === null ? 'buyer' : 'worker',
      taskId,
      nodeId: id,
      escrowAddress,
      signer,
      ownMoney: 0n,
      triedCalls: (fields) => [{ from: signer, ...call(fields) }],
      confirm: async () => {
        const { worker, amount } = await this.intents.requireSameArtifact('resolve_task', node);
        const accepted = { nodeId, worker, token, amount, artifactHash };
        return {
          typedData: (fields) => escrowTypedData('ResolveTask', { chainId, escrowAddress }, { ...accepted, ...fields }),
          directCalls: (fields) => [call(fields)],
        };
      },
    };
  }

  async signedCall({ escrowAddress, payload }: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(payload);
    const auth = { ...actionFieldsOf(message), signature };
    const artifactHash = readBytes32(message, 'artifactHash');
    return contractCall(escrowAddress, encodeResolveTask(readCount(message, 'nodeId'), artifactHash, auth));
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'delivered' && nodeState !== 'rejected' && nodeState !== 'disputed';
  }
}
