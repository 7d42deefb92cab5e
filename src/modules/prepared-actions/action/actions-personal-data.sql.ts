import { ALL, type PersonalTable } from '../../../platform/database/personal-data.js';
import { spendPoliciesOf } from '../../credentials/credentials.sql-views.js';
import { executed } from './action-bounds.sql.js';

const OWN_POLICIES = spendPoliciesOf('$1');
const OWN_ACTIONS = 'SELECT id FROM prepared_actions WHERE account_id = $1';
/** True for an action that the chain has executed, or that a task or an accepted quote still refers to. */
const IN_THE_BOOKS = `(own.is_kept
  OR ${executed('own')}
  OR EXISTS (SELECT FROM tasks task WHERE task.id = own.task_id AND task.selection_action_id = own.id)
  OR EXISTS (SELECT FROM quotes quote WHERE quote.task_id = own.task_id AND quote.action_id = own.id AND quote.status = 'accepted'))`;

/** The rows that refer to the actions of an account, and the actions. */
export const ACTIONS_PERSONAL_DATA: readonly PersonalTable[] = [
  { table: 'signing_extra_links', of: `own.action_id IN (${OWN_ACTIONS})`, deleted: ALL },
  { table: 'signing_claims', of: `own.action_id IN (${OWN_ACTIONS})`, deleted: ALL },
  { table: 'spend_reservations', of: `own.policy_id IN (${OWN_POLICIES})`, deleted: ALL },
  { table: 'spent_sums', of: `own.policy_id IN (${OWN_POLICIES})`, deleted: ALL },
  {
    table: 'prepared_actions',
    of: 'own.account_id = $1',
    deleted: `NOT ${IN_THE_BOOKS}`,
    cleared: { set: `request = NULL, client_id = NULL, credential_id = NULL, signing_token_sealed = ''` },
    kept: 'what was signed and is on the chain: amounts, hashes, wallets and transactions, without the request and its link',
  },
];
