import type {
  ActionStatus,
  Check,
  Deployment,
  Description,
  ShownField,
  TreeParties,
  TypedDataHashes,
} from '#libs/prepared-action';
import type { SimulatedTransfer } from '../../../platform/chain/simulation.js';
import type { SpendStanding } from '../../prepared-actions/spending/spend-ledger.js';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import type { ApprovalPaths, ApprovalRequester } from '#libs/approval-wire';

/** Contents of the approval page without its script. */
export interface ApprovalPageContent {
  action: PreparedActionEntity;
  status: ActionStatus;
  transactionHash: string | null;
  /** Null: this page does not know the kind. */
  description: Description | null;
  requester: ApprovalRequester;
  /** What is left of the limits of whoever asked, this action taken off; null: nothing limits it. */
  spending: SpendStanding | null;
  matchCode: string;
  money: SimulatedTransfer | null;
  checks: readonly Check[];
  fields: readonly ShownField[];
  hashes: TypedDataHashes;
  deployment: Deployment;
  /** The parties that the address of the task's escrow commits to; null when the task is gone. */
  tree: TreeParties | null;
  paths: ApprovalPaths;
  /** Public path of the action that replaces this one; null: none. */
  newerPath: string | null;
  /** URL template of a transaction's page in an explorer; null: none. */
  explorerTransactionUrl: string | null;
}
