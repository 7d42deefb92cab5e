import { agentsOf } from './agents.sql-views.js';
import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/**
 * What the tables of agents hold about an account.
 * @param hasWorked SQL that is true when a node names the agent `own`; this module does not know the nodes.
 */
export const agentsPersonalData = (hasWorked: string): readonly PersonalTable[] => [
  {
    table: 'agent_endpoints',
    of: `own.agent_id IN ${agentsOf('$1')}`,
    deleted: ALL,
  },
  {
    table: 'agents',
    of: 'own.account_id = $1',
    withheld: ['search', 'capability_words', 'document'],
    cleared: {
      set: `name = 'Erased agent', description = '', agent_card_url = 'https://erased.invalid/', capabilities = '{}',
        search = '', capability_words = '{}', status = 'retired', available = false, available_until = NULL,
        suspended_from = NULL, suspension_reason = NULL,
        wallet_address = CASE WHEN ${hasWorked} THEN wallet_address ELSE '0x${'0'.repeat(40)}' END`,
    },
    kept: 'the id, which nodes and reputation refer to, and the wallet of an agent that the chain has paid or hired with',
  },
];
