import { agentsPersonalData } from '../../modules/agents/agents-personal-data.sql.js';
import { IDENTITIES_PERSONAL_DATA } from '../../modules/identities/identities-personal-data.sql.js';
import { ARTIFACTS_PERSONAL_DATA } from '../../modules/artifacts/artifacts-personal-data.sql.js';
import {
  ACCOUNT_PERSONAL_DATA,
  ACCOUNT_RECORD_PERSONAL_DATA,
} from '../../modules/accounts/accounts-personal-data.sql.js';
import { CREDENTIALS_PERSONAL_DATA } from '../../modules/credentials/credentials-personal-data.sql.js';
import { OAUTH_PERSONAL_DATA } from '../../modules/oauth/oauth-personal-data.sql.js';
import { SIGN_IN_PERSONAL_DATA } from '../../modules/sign-in/sign-in-personal-data.sql.js';
import { deliveriesPersonalData } from '../../modules/deliveries/deliveries-personal-data.sql.js';
import { EARNINGS_PERSONAL_DATA } from '../../modules/earnings/earnings-personal-data.sql.js';
import { ESCROW_PERSONAL_DATA, NAMES_AGENT } from '../../modules/escrow/escrow-personal-data.sql.js';
import { nodesOfParty } from '../../modules/escrow/escrow.sql-views.js';
import { tasksOfParty } from '../../modules/tasks/tasks.sql-views.js';
import { EVENTS_PERSONAL_DATA } from '../../modules/events/events-personal-data.sql.js';
import { WEBHOOKS_PERSONAL_DATA } from '../../modules/webhooks/webhooks-personal-data.sql.js';
import { MATCHING_PERSONAL_DATA } from '../../modules/matching/matching-personal-data.sql.js';
import { ACTIONS_PERSONAL_DATA } from '../../modules/prepared-actions/action/actions-personal-data.sql.js';
import { QUOTES_PERSONAL_DATA } from '../../modules/quotes/quotes-personal-data.sql.js';
import { RECEIPTS_PERSONAL_DATA } from '../../modules/receipts/receipts-personal-data.sql.js';
import { reputationPersonalData } from '../../modules/reputation/reputation-personal-data.sql.js';
import { TASKS_PERSONAL_DATA } from '../../modules/tasks/tasks-personal-data.sql.js';
import type { PersonalTable } from '../../platform/database/personal-data.js';
import { IDEMPOTENCY_PERSONAL_DATA } from '../../platform/idempotency/idempotency-personal-data.sql.js';

/**
 * Every table that holds something about an account, in an order in which the rows of each can still be found, so the
 * account comes last.
 */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  ...IDEMPOTENCY_PERSONAL_DATA,
  ...SIGN_IN_PERSONAL_DATA,
  ...OAUTH_PERSONAL_DATA,
  ...ACCOUNT_RECORD_PERSONAL_DATA,
  ...CREDENTIALS_PERSONAL_DATA,
  ...MATCHING_PERSONAL_DATA,
  ...reputationPersonalData(tasksOfParty('$1')),
  ...deliveriesPersonalData(nodesOfParty('$1', 'node.hirer_account_id = $1')),
  ...ARTIFACTS_PERSONAL_DATA,
  ...EARNINGS_PERSONAL_DATA,
  ...ESCROW_PERSONAL_DATA,
  ...RECEIPTS_PERSONAL_DATA,
  ...ACTIONS_PERSONAL_DATA,
  ...WEBHOOKS_PERSONAL_DATA,
  ...EVENTS_PERSONAL_DATA,
  ...QUOTES_PERSONAL_DATA,
  ...TASKS_PERSONAL_DATA,
  ...IDENTITIES_PERSONAL_DATA,
  ...agentsPersonalData(NAMES_AGENT),
  ...ACCOUNT_PERSONAL_DATA,
];

const OF_THE_SERVICE = 'the service itself';
const OF_THE_CHAIN = 'what everybody reads on the chain';
const OF_TEXTS = 'made of texts of agents and briefs, and follows them';
const SHORT_LIVED = 'counters and proofs that end within the hour';

/** Every other table, and why nothing in it is an account's personal data. */
export const IMPERSONAL_TABLES: Readonly<Record<string, string>> = {
  action_looks: 'ids of tasks whose actions are looked at, within a second',
  agent_words: OF_TEXTS,
  buyer_independence: 'a number for each cluster of ids',
  chain_blocks: OF_THE_CHAIN,
  chain_facts: OF_THE_CHAIN,
  chain_identity: OF_THE_CHAIN,
  chain_rollbacks: OF_THE_CHAIN,
  changed_wallets: 'wallets by which agents are counted anew, until the next run',
  dpop_proofs: SHORT_LIVED,
  event_head: OF_THE_SERVICE,
  evidence_changes: 'ids of agents to count anew, until the next run',
  match_agents: OF_TEXTS,
  match_agents_state: OF_THE_SERVICE,
  match_brief_postings: OF_TEXTS,
  match_briefs: OF_TEXTS,
  match_changes: 'numbers of agents that changed, for an hour',
  match_lengths: OF_TEXTS,
  match_postings: OF_TEXTS,
  match_statistics: OF_THE_SERVICE,
  match_terms: 'words, without whose they are; unused ones are deleted',
  oauth_client_settings: 'what the operator has set for an application',
  oauth_signing_keys: OF_THE_SERVICE,
  payout_transfers: OF_THE_CHAIN,
  payout_wallets: OF_THE_CHAIN,
  payouts: OF_THE_CHAIN,
  rate_limits: SHORT_LIVED,
  schema_migrations: OF_THE_SERVICE,
  told_matches: OF_THE_SERVICE,
  trust_runs: OF_THE_SERVICE,
  unpublished_trees: OF_THE_CHAIN,
  webhook_signing_keys: OF_THE_SERVICE,
  wallet_nonces: 'the next free number of a wallet in an escrow',
};
