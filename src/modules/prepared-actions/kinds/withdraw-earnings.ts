import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  checksumAddress,
  type ContractCall,
  encodeWithdrawableCall,
  encodeWithdrawEarnings,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import { formatUsdc, type Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { utcInWords } from '../../../platform/time/unix-time.js';
import { type ClaimableNode, type WorkedStanding, WorkedNodes } from '../../earnings/worked-nodes/worked-nodes.js';
import { NodeAccess } from '../../escrow/node/node-access.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { storedBody } from '../action/stored-request.js';
import { earningsIn, EarningsWithdrawalBody } from '../dto/withdrawal.body.js';
import { actionFieldsOf, messageOf, readAddress, readUint } from '../payload/typed-message.js';
import {
  afterWriting,
  PendingFinalizations,
  triedApart,
  unwrittenDetails,
  unwrittenOf,
} from '../money/pending-finalizations.js';
import { WithdrawalDestinations } from '../money/withdrawal-destinations.js';

/** Where the earnings go, and out of which task and node; absent: those with the most to withdraw. */
export interface WithdrawEarningsInput {
  /** EIP-55. */
  readonly destination: Hex;
  readonly taskId?: string;
  /** Only together with `taskId`. */
  readonly nodeId?: string;
}

/** What the chain would pay out of a node now. */
interface Payable {
  /** Base units. */
  readonly amount: bigint;
  /** The part of it that needs no other node finalized first. */
  readonly own: bigint;
  /** The nodes that must be finalized first. */
  readonly unwritten: readonly bigint[];
  /** What more nodes give back than are finalized at once. */
  readonly left: bigint;
}

/**
 * The worker of a node withdraws its share, once the node and all nodes that it is paid from are settled, if only by
 * silence (docs/decisions/escrow.md#money-of-nested-nodes). The contract pays node by node, so an action withdraws all
 * that one node pays. Where a time limit has decided that a node below gives money back, the same call finalizes that
 * node first, which anybody may do.
 */
@Injectable()
export class WithdrawEarnings implements PreparedKind<WithdrawEarningsInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly tasks: TaskAccess,
    private readonly nodes: NodeAccess,
    private readonly worked: WorkedNodes,
    private readonly ends: PendingFinalizations,
    private readonly destinations: WithdrawalDestinations,
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
  ) {}

  inputOf(request: OriginatingRequest): WithdrawEarningsInput {
    return earningsIn(storedBody(EarningsWithdrawalBody, request));
  }

  /** Also asks the chain for the amount, because the amount is part of the call. */
  async check({ accountId }: ActionIntent, input: WithdrawEarningsInput): Promise<CheckedAction> {
    const { destination } = input;
    const standing = await this.standing(accountId, input);
    const node = claimable(standing);
    const { id: nodeId, taskId, path, workerWallet: signer, escrowAddress } = node;
    await this.destinations.accept(destination, signer);
    const { amount, own, unwritten, left } = await this.payable(node);
    const { chainId, usdcAddress: token } = this.config;
    const withdrawal = (fields: ActionFields, units = amount): Hex =>
      encodeWithdrawEarnings(path, destination, units, senderAuth(fields));
    return {
      scope: 'worker',
      taskId,
      nodeId,
      escrowAddress,
      nonce: null,
      signer,
      ownMoney: 0n,
      payment: { to: destination, amount },
      details: unwrittenDetails(unwritten, left),
      triedCalls: (fields) => triedApart(signer, escrowAddress, unwritten, own === 0n ? null : withdrawal(fields, own)),
      confirm: async () => {
        await this.destinations.refuseUnmovable({ escrowAddress, destination, amount });
        const paid = { nodeId: path, recipient: destination, token, amount };
        return {
          typedData: (fields) =>
            escrowTypedData('WithdrawEarnings', { chainId, escrowAddress }, { ...paid, ...fields }),
          directCalls: (fields) => [afterWriting(escrowAddress, unwritten, withdrawal(fields))],
        };
      },
    };
  }

  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(action.payload);
    const auth = { ...actionFieldsOf(message), signature };
    const recipient = readAddress(message, 'recipient');
    const data = encodeWithdrawEarnings(readUint(message, 'nodeId'), recipient, readUint(message, 'amount'), auth);
    return afterWriting(checksumAddress(action.escrowAddress), unwrittenOf(action.details), data);
  }

  /** Delivered and disputed nodes pay too when their time is over; nothing is ever paid out of the others. */
  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'released' && nodeState !== 'delivered' && nodeState !== 'disputed';
  }

  /** @throws ApiError `not_found`, `not_node_worker`. */
  private async standing(accountId: string, { taskId, nodeId }: WithdrawEarningsInput): Promise<WorkedStanding> {
    if (taskId !== undefined && nodeId !== undefined) {
      const { workerAccountId } = await this.nodes.find(accountId, taskId, nodeId);
      if (workerAccountId !== accountId) throw notWorker('Only the worker of this node may withdraw what it earned.');
    } else if (taskId !== undefined) {
      await this.tasks.find(accountId, taskId);
    }
    const scope = { ...(taskId === undefined ? {} : { taskId }), ...(nodeId === undefined ? {} : { nodeId }) };
    const standing = await this.worked.standing(accountId, scope);
    if (standing === null && taskId !== undefined) throw notWorker('You work on no node of this task.');
    return standing ?? { node: null, pending: 0n, nextDue: null };
  }

  /**
   * Reads the amount from the chain's latest state. The withdrawal finalizes the node itself; what comes back from nodes
   * below is added, in whatever order they are finalized.
   * @throws ApiError `state_conflict` when that pays nothing; `service_unavailable`.
   */
  private async payable(node: ClaimableNode): Promise<Payable> {
    const { escrowAddress, path } = node;
    const below = await this.worked.returnsTo(node);
    const [own, returns] = await Promise.all([
      this.chain.amountFrom({ to: escrowAddress, data: encodeWithdrawableCall(path) }),
      this.ends.returnsOf(escrowAddress, below),
    ]);
    const amount = own + returns.amount;
    if (amount > 0n) return { amount, own, unwritten: returns.paths, left: returns.left };
    throw new ApiError(
      'state_conflict',
      'The chain pays nothing out of this node now: it is withdrawn already, or the clock of the chain is behind.',
      'Try again when the index has caught up with the chain.',
    );
  }
}

function claimable({ node, pending, nextDue }: WorkedStanding): ClaimableNode {
  if (node !== null) return node;
  if (pending === 0n) {
    throw new ApiError('state_conflict', 'There is nothing to withdraw, and nothing is pending.');
  }
  throw new ApiError(
    'state_conflict',
    `There is nothing to withdraw yet; ${formatUsdc(pending)} USDC is pending.`,
    nextDue === null
      ? 'It is held until the nodes above are released, or others act; each node says in next what happens.'
      : `The next time limit of it ends at ${utcInWords(nextDue)}; each node says in next what happens then.`,
  );
}

function notWorker(reason: string): ApiError {
  return new ApiError('not_node_worker', reason);
}
