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
import { type ClaimableNode, type WorkedStanding, WorkedNodes } from '../../earnings/worked-nodes/worked-nodes.js';
import { NodeAccess } from '../../escrow/node/node-access.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { storedBody } from '../action/stored-request.js';
import { earningsIn, EarningsWithdrawalBody } from '../dto/withdrawal.body.js';
import { actionFieldsOf, messageOf, readAddress, readCount, readUint } from '../payload/typed-message.js';
import { afterWriting, unwrittenDetails, PendingFinalizations, unwrittenOf } from '../money/pending-finalizations.js';
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
  /** Numbers of the nodes that must be finalized first, in this order. */
  readonly unwritten: readonly number[];
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
    const { id: nodeId, taskId, number, workerWallet: signer, escrowAddress } = node;
    await this.destinations.accept(destination, signer);
    const { amount, unwritten } = await this.payable(node);
    const { chainId, usdcAddress: token } = this.config;
    const call = (fields: ActionFields): ContractCall =>
      afterWriting(escrowAddress, unwritten, encodeWithdrawEarnings(number, destination, amount, senderAuth(fields)));
    return {
      scope: 'worker',
      taskId,
      nodeId,
      escrowAddress,
      signer,
      ownMoney: 0n,
      details: unwrittenDetails(unwritten),
      triedCalls: (fields) => [{ from: signer, ...call(fields) }],
      confirm: async () => {
        await this.destinations.refuseUnmovable({ escrowAddress, destination, amount });
        const paid = { nodeId: number, recipient: destination, token, amount };
        return {
          typedData: (fields) =>
            escrowTypedData('WithdrawEarnings', { chainId, escrowAddress }, { ...paid, ...fields }),
          directCalls: (fields) => [call(fields)],
        };
      },
    };
  }

  /** Leaves out the nodes that somebody has finalized meanwhile: the chain would refuse to finalize them again. */
  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(action.payload);
    const auth = { ...actionFieldsOf(message), signature };
    const recipient = readAddress(message, 'recipient');
    const escrowAddress = checksumAddress(action.escrowAddress);
    const unwritten = await this.ends.stillUnwritten(escrowAddress, unwrittenOf(action.details));
    const data = encodeWithdrawEarnings(readCount(message, 'nodeId'), recipient, readUint(message, 'amount'), auth);
    return afterWriting(escrowAddress, unwritten, data);
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
   * Reads the amount from the chain's latest state. When the node's own dispute lapsed without a ruling, the node is
   * finalized before those below it: its money is then divided by what it had promised to them, as the contract's view
   * and the hirer's refund divide it, and what comes back from below afterwards is the worker's.
   * @throws ApiError `state_conflict` when that pays nothing; `service_unavailable`.
   */
  private async payable(node: ClaimableNode): Promise<Payable> {
    const { escrowAddress, number } = node;
    const below = await this.worked.returnsTo(node);
    const [own, returns, itself] = await Promise.all([
      this.chain.amountFrom({ to: escrowAddress, data: encodeWithdrawableCall(number) }),
      this.ends.returnsOf(escrowAddress, below),
      below.length === 0 ? [] : this.ends.stillUnwritten(escrowAddress, [number]),
    ]);
    const amount = own + returns.amount;
    const unwritten = returns.numbers.length === 0 ? [] : [...itself, ...returns.numbers];
    if (amount > 0n) return { amount, unwritten };
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
      : `The next time limit of it ends at ${utc(nextDue)}; each node says in next what happens then.`,
  );
}

function notWorker(reason: string): ApiError {
  return new ApiError('not_node_worker', reason);
}

function utc(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
