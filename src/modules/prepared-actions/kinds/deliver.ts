import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  contractCall,
  type ContractCall,
  encodeDeliver,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { Custody } from '../../artifacts/custody/custody.service.js';
import { eventFault } from '../../escrow/node/node-outlook.js';
import { NodeAuthority, type StandingNode } from '../../escrow/node/node-authority.js';
import { NodeIntents } from '../checks/node-intents.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { actionFieldsOf, messageOf, readBytes32, readCount } from '../action/typed-message.js';

export interface DeliveryInput {
  readonly taskId: string;
  /** SHA-256 of the artifact, lower case. */
  readonly artifactHash: Hex;
  /** What the upload of the artifact returned. */
  readonly custodyReceipt: string;
  /** Absent: the caller's only node of the task that can be delivered to. */
  readonly nodeId?: string;
}

/** A worker delivers an artifact that is in custody: for the first time, or again after a rejection. */
@Injectable()
export class Deliver implements PreparedKind<DeliveryInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly custody: Custody,
    private readonly nodes: NodeAuthority,
    private readonly intents: NodeIntents,
    private readonly clock: Clock,
    private readonly config: ChainConfig,
  ) {}

  async check({ accountId }: ActionIntent, input: DeliveryInput): Promise<CheckedAction> {
    const { artifactHash, custodyReceipt } = input;
    // A fault of the body, and so before anything is said of the task.
    if ((await this.custody.verifyReceipt(accountId, artifactHash, custodyReceipt)) === null) {
      throw unprovenReceipt();
    }
    const node = await this.nodeOf(accountId, input);
    this.intents.requireByIndex('deliver', node);
    const { id, taskId, number: nodeId, escrowAddress, workerWallet: signer } = node;
    const { chainId } = this.config;
    const call = (fields: ActionFields): ContractCall =>
      contractCall(escrowAddress, encodeDeliver(nodeId, artifactHash, senderAuth(fields)));
    return {
      scope: 'worker',
      taskId,
      nodeId: id,
      escrowAddress,
      signer,
      ownMoney: 0n,
      triedCalls: (fields) => [{ from: signer, ...call(fields) }],
      confirm: async () => {
        await this.intents.requireByChain('deliver', node);
        const delivered = { nodeId, artifactHash };
        return {
          typedData: (fields) => escrowTypedData('Deliver', { chainId, escrowAddress }, { ...delivered, ...fields }),
          directCalls: (fields) => [call(fields)],
        };
      },
      record: async (manager, { validUntil }) => {
        // Custody may have ended since it was asked; from here on it lasts at least as long as the signature.
        if (await this.custody.keepFor(manager, accountId, artifactHash, validUntil)) return;
        throw unprovenReceipt();
      },
    };
  }

  async signedCall({ escrowAddress, payload }: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(payload);
    const auth = { ...actionFieldsOf(message), signature };
    const artifactHash = readBytes32(message, 'artifactHash');
    return contractCall(escrowAddress, encodeDeliver(readCount(message, 'nodeId'), artifactHash, auth));
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'funded' && nodeState !== 'rejected';
  }

  private async nodeOf(accountId: string, { taskId, nodeId }: DeliveryInput): Promise<StandingNode> {
    if (nodeId !== undefined) return this.intents.workedBy(accountId, taskId, nodeId);
    const nodes = await this.nodes.workedOn(accountId, taskId);
    const [first, ...others] = nodes;
    if (first === undefined) throw new ApiError('not_node_worker', 'The caller works on no node of this task.');
    // The only one is named even when it cannot be delivered to: its own refusal says why.
    if (others.length === 0) return first;
    return this.onlyOpenOf(nodes);
  }

  private onlyOpenOf(nodes: readonly StandingNode[]): StandingNode {
    const nowSeconds = this.clock.nowSeconds();
    const [open, ...more] = nodes.filter(({ facts }) => eventFault(facts, 'deliver', nowSeconds) === null);
    if (open === undefined) {
      throw new ApiError(
        'state_conflict',
        "None of the caller's nodes of this task can be delivered to now.",
        'Read the nodes of the task; their allowed_actions say what can be done.',
      );
    }
    if (more.length > 0) {
      throw new ApiError(
        'invalid_body',
        'The caller works on several nodes of this task that can be delivered to.',
        'Name the node with node_id.',
      );
    }
    return open;
  }
}

function unprovenReceipt(): ApiError {
  return new ApiError(
    'invalid_body',
    "custody_receipt is not this account's receipt for this artifact_hash, or the artifact is no longer in custody.",
    'Upload the artifact first and hand in the custody_receipt of the answer.',
  );
}
