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
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';
import type { ApprovalPaths, ApprovalRequester } from '#libs/approval-wire';

/** Everything that the page says without its script. */
export interface ApprovalPageContent {
  action: PreparedActionEntity;
  status: ActionStatus;
  transactionHash: string | null;
  /** Null: this page does not know the kind. */
  description: Description | null;
  requester: ApprovalRequester;
  matchCode: string;
  money: SimulatedTransfer | null;
  checks: readonly Check[];
  fields: readonly ShownField[];
  hashes: TypedDataHashes;
  deployment: Deployment;
  /** Whom the task's escrow commits to; null: the task is gone. */
  tree: TreeParties | null;
  paths: ApprovalPaths;
  /** Public path of the action that stands in this one's place; null: none does. */
  newerPath: string | null;
  /** Template of a transaction's page; null: there is none. */
  explorerTransactionUrl: string | null;
}
