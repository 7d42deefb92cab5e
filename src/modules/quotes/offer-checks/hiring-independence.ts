import type { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { AgentEntity } from '../../agents/agent/agent.entity.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { Ancestor } from './ancestors.js';
import { HOLDS_ARBITER } from './offer-checks.sql.js';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Whether the account uses the wallet of the task's arbiter in any way. A task that is gone counts as one that it does. */
export async function holdsArbiter(transactions: Transactions, accountId: string, taskId: string): Promise<boolean> {
  const [row] = await transactions.lookUp<{ holds: boolean }>(HOLDS_ARBITER, [accountId, taskId]);
  return row?.holds !== false;
}

/**
 * Checks that a worker is neither the hirer nor a hirer above the node, nor the arbiter who would rule on its pay. The
 * contract compares wallets; accounts are compared here as well, because an account may have many wallets.
 * @param line the nodes above the quoted node, nearest first; empty for a root node.
 * @param isArbiter what `holdsArbiter` says of the worker's account.
 * @throws ApiError `wallet_mismatch` for a conflict of wallets, `state_conflict` for one of accounts.
 */
export async function checkIndependence(
  task: Pick<TaskEntity, 'buyerAccountId' | 'buyerWallet' | 'arbiterWallet'>,
  { accountId, walletAddress }: Pick<AgentEntity, 'accountId' | 'walletAddress'>,
  line: readonly Ancestor[],
  isArbiter: Promise<boolean>,
): Promise<void> {
  if (walletAddress === task.buyerWallet || line.some(({ workerWallet }) => workerWallet === walletAddress)) {
    throw new ApiError(
      'wallet_mismatch',
      'A wallet cannot be hired by itself, nor below a node that it hires for or works on.',
      'Quote with the wallet of an agent that has no part in the tree above the node.',
    );
  }
  if (walletAddress === task.arbiterWallet) {
    throw new ApiError('wallet_mismatch', 'The wallet is the arbiter of this task: it cannot work for it.');
  }
  if (accountId === task.buyerAccountId || line.some(({ workerAccountId }) => workerAccountId === accountId)) {
    throw new ApiError('state_conflict', 'An account cannot hire its own agent, at any level of a tree.');
  }
  if (task.arbiterWallet === ZERO_ADDRESS) return;
  if (await isArbiter) {
    throw new ApiError('state_conflict', 'The account is the arbiter of this task: its agents cannot work for it.');
  }
}
