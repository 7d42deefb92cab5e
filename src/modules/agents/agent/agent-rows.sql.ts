import { EntityLookUp } from '../../../platform/database/entities/entity-look-up.js';
import { AgentEntity } from './agent.entity.js';

/** The agent $1. */
export const AGENT = new EntityLookUp(
  AgentEntity,
  'agent',
  (columns) => `SELECT ${columns('agent')} FROM agents agent WHERE agent.id = $1`,
);

/** The agent $1, if the account $2 owns it. */
export const OWNED_AGENT = new EntityLookUp(
  AgentEntity,
  'agent-owned',
  (columns) => `SELECT ${columns('agent')} FROM agents agent WHERE agent.id = $1 AND agent.account_id = $2`,
);

/** The active agents of the account $1. */
export const ACTIVE_AGENTS = new EntityLookUp(
  AgentEntity,
  'agents-active',
  (columns) => `SELECT ${columns('agent')} FROM agents agent WHERE agent.account_id = $1 AND agent.status = 'active'`,
);
