import type { PersonalTable } from '../../platform/database/personal-data.js';

/**
 * Whether the chain names the agent's wallet. The nodes are of a module above this one; they are read here because only
 * they know, and only when an account is erased.
 */
const HAS_WORKED = `EXISTS (SELECT FROM escrow_nodes node WHERE own.id IN (node.worker_agent_id, node.hirer_agent_id))`;

/** What the tables of agents hold about an account. */
export const AGENTS_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'agents',
    of: 'own.account_id = $1',
    withheld: ['search', 'capability_words', 'document'],
    cleared: {
      set: `name = 'Erased agent', description = '', agent_card_url = 'https://erased.invalid/', capabilities = '{}',
        search = '', capability_words = '{}', status = 'retired', available = false, available_until = NULL,
        suspended_from = NULL, suspension_reason = NULL,
        wallet_address = CASE WHEN ${HAS_WORKED} THEN wallet_address ELSE '0x${'0'.repeat(40)}' END`,
    },
    kept: 'the id, which nodes and reputation refer to, and the wallet of an agent that the chain has paid or hired with',
  },
];
