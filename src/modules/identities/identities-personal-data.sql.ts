import { agentsOf } from '../agents/agents.sql-views.js';
import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the links to on-chain identities hold about an account: a wallet, and that it is of the agent's owner. */
export const IDENTITIES_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'agent_identities',
    of: `own.agent_id IN ${agentsOf('$1')}`,
    deleted: ALL,
  },
];
