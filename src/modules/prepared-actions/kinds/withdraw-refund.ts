import { Injectable } from '@nestjs/common';
import {
  type ActionFields,
  checksumAddress,
  type ContractCall,
  encodeWithdrawRefund,
  escrowTypedData,
  senderAuth,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { utcInWords } from '../../../platform/time/unix-time.js';
import { type HiredNode, HiredNodes } from '../../earnings/hired-nodes.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { storedBody, storedTask } from '../action/stored-request.js';
import { refundIn, RefundWithdrawalBody } from '../dto/withdrawal.body.js';
import { RefundBalances } from '../money/refund-balances.js';
import { actionFieldsOf, messageOf, readAddress, readUint } from '../payload/typed-message.js';
import { afterWriting, triedApart, unwrittenDetails, unwrittenOf } from '../money/pending-finalizations.js';
import { WithdrawalDestinations } from '../money/withdrawal-destinations.js';

/** Out of which task, and where the money goes; addresses in EIP-55. */
export interface WithdrawRefundInput {
  readonly taskId: string;
  readonly destination: Hex;
  /** Whose balance; absent: the largest of the account's wallets. */
  readonly wallet?: Hex;
}

/**
 * Whoever paid for a node withdraws what came back from it: the buyer, or a worker who hired with its own money. Where a
 * time limit has decided that a node's money goes back, the same call finalizes that node first, which anybody may do.
 */
@Injectable()
export class WithdrawRefund implements PreparedKind<WithdrawRefundInput> {
  readonly scopes = ['buyer'] as const;

  constructor(
    private readonly tasks: TaskAccess,
    private readonly hired: HiredNodes,
    private readonly balances: RefundBalances,
    private readonly destinations: WithdrawalDestinations,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  inputOf(request: OriginatingRequest): WithdrawRefundInput {
    return { ...storedTask(request), ...refundIn(storedBody(RefundWithdrawalBody, request)) };
  }

  /** Also asks the chain for the amount, because the amount is part of the call. */
  async check({ accountId }: ActionIntent, input: WithdrawRefundInput): Promise<CheckedAction> {
    const { taskId, destination, wallet: named } = input;
    const task = await this.tasks.find(accountId, taskId);
    const ofAccount = await this.hired.ofTask(accountId, taskId);
    const paying = walletsOf(task, accountId, ofAccount);
    const hired = named === undefined ? ofAccount : ofAccount.filter(({ hirerWallet }) => hirerWallet === named);
    if (named !== undefined && !paying.includes(named)) throw this.nothingBack(hired);
    const wallets: typeof paying = named === undefined ? paying : [named];
    const escrowAddress = checksumAddress(task.escrowAddress);
    const balance = await this.balances.largest(escrowAddress, wallets, hired);
    const { wallet: signer, amount, written, unwritten, left } = balance;
    await this.destinations.accept(destination, signer);
    if (amount === 0n) throw this.nothingBack(hired);
    const { chainId, usdcAddress: token } = this.config;
    const withdrawal = (fields: ActionFields, units = amount): Hex =>
      encodeWithdrawRefund(signer, destination, units, senderAuth(fields));
    return {
      scope: 'buyer',
      taskId,
      nodeId: null,
      escrowAddress,
      nonce: null,
      signer,
      ownMoney: 0n,
      payment: { to: destination, amount },
      details: unwrittenDetails(unwritten, left),
      triedCalls: (fields) =>
        triedApart(signer, escrowAddress, unwritten, written === 0n ? null : withdrawal(fields, written)),
      confirm: async () => {
        await this.destinations.refuseUnmovable({ escrowAddress, destination, amount });
        const paid = { account: signer, recipient: destination, token, amount };
        return {
          typedData: (fields) => escrowTypedData('WithdrawRefund', { chainId, escrowAddress }, { ...paid, ...fields }),
          directCalls: (fields) => [afterWriting(escrowAddress, unwritten, withdrawal(fields))],
        };
      },
    };
  }

  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<ContractCall> {
    const message = messageOf(action.payload);
    const auth = { ...actionFieldsOf(message), signature };
    const account = readAddress(message, 'account');
    const recipient = readAddress(message, 'recipient');
    const withdrawal = encodeWithdrawRefund(account, recipient, readUint(message, 'amount'), auth);
    return afterWriting(checksumAddress(action.escrowAddress), unwrittenOf(action.details), withdrawal);
  }

  /** A refund balance outlives every state of its task and nodes, so only a task that is gone supersedes the action. */
  isSupersededBy({ taskStatus }: ActionStanding): boolean {
    return taskStatus === null;
  }

  private nothingBack(hired: readonly HiredNode[]): ApiError {
    const now = this.clock.nowSeconds();
    const overdue = hired.find(({ state, clock }) => state === 'funded' && clock < now);
    const waiting = hired.find(({ state, clock }) => state === 'rejected' && clock >= now);
    if (overdue !== undefined) {
      return nothing(`Node ${overdue.id} was not delivered in time: claim its non-delivery first.`);
    }
    if (waiting !== undefined) {
      return nothing(
        `Node ${waiting.id} is rejected; its money comes back after ${utcInWords(waiting.clock)} unless contested.`,
      );
    }
    return nothing('Money comes back when a node is given up, not delivered in time, or finally rejected.');
  }
}

/** The wallets by which the account has paid. @throws ApiError `not_task_buyer` when it never paid into the task. */
function walletsOf(
  { buyerAccountId, buyerWallet }: TaskEntity,
  accountId: string,
  hired: readonly HiredNode[],
): [Hex, ...Hex[]] {
  const own = buyerAccountId === accountId ? [checksumAddress(buyerWallet)] : [];
  const [wallet, ...others] = new Set([...own, ...hired.map(({ hirerWallet }) => hirerWallet)]);
  if (wallet === undefined) {
    throw new ApiError('not_task_buyer', 'Only who has paid into this task, its buyer above all, may take money back.');
  }
  return [wallet, ...others];
}

function nothing(suggestion: string): ApiError {
  return new ApiError('state_conflict', 'No money of this task has come back to the wallet.', suggestion);
}
