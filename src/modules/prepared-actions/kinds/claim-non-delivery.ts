import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  checksumAddress,
  contractCall,
  type ContractCall,
  encodeClaimNonDelivery,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { NodeAuthority } from '../../escrow/node/node-authority.js';
import type { NodeInput } from '../action/intent-inputs.js';
import { NodeIntents } from '../checks/node-intents.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { actionFieldsOf, messageOf, readCount } from '../action/typed-message.js';

/**
 * The money of a node that was not delivered in time goes back. Whoever may see the node may ask for it, because the
 * money goes to where it came from whoever calls (docs/decisions/escrow.md#signed-actions).
 */
@Injectable()
export class ClaimNonDelivery implements PreparedKind<NodeInput> {
  readonly scopes = ['read'] as const;

  constructor(
    private readonly nodes: NodeAuthority,
    private readonly intents: NodeIntents,
    private readonly config: ChainConfig,
  ) {}

  async check({ accountId, walletAddress }: ActionIntent, input: NodeInput): Promise<CheckedAction> {
    const node = await this.nodes.find(accountId, input.taskId, input.nodeId);
    this.intents.requireByIndex('claim_non_delivery', node);
    if (walletAddress === null) {
      throw new ApiError('wallet_mismatch', 'The account has no wallet.', 'Link a wallet to the account first.');
    }
    const { id, taskId, number: nodeId, escrowAddress } = node;
    const signer = checksumAddress(walletAddress);
    const { chainId, usdcAddress: token } = this.config;
    const call = (fields: ActionFields): ContractCall =>
      contractCall(escrowAddress, encodeClaimNonDelivery(nodeId, signer, senderAuth(fields)));
    return {
      scope: 'read',
      taskId,
      nodeId: id,
      escrowAddress,
      signer,
      ownMoney: 0n,
      triedCalls: (fields) => [{ from: signer, ...call(fields) }],
      confirm: async () => {
        const { amount } = await this.intents.requireByChain('claim_non_delivery', node);
        const claimed = { nodeId, token, amount };
        return {
          typedData: (fields) =>
            escrowTypedData('ClaimNonDelivery', { chainId, escrowAddress }, { ...claimed, ...fields }),
          directCalls: (fields) => [call(fields)],
        };
      },
    };
  }

  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const { escrowAddress, payload, walletAddress } = action;
    const message = messageOf(payload);
    const auth = { ...actionFieldsOf(message), signature };
    return contractCall(escrowAddress, encodeClaimNonDelivery(readCount(message, 'nodeId'), walletAddress, auth));
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'funded';
  }
}
