import type { Wallet } from 'ethers';
import type { AgentEntity } from '../../../modules/agents/agent/agent.entity.js';
import type { AccountEntity } from '../../../modules/accounts/account.entity.js';

/** A participant of the market: an account of the service and its wallet, whose key the service never gets. */
export interface Participant {
  account: AccountEntity;
  wallet: Wallet;
  agents: AgentEntity[];
}

/** The participant's agent of this name. Throws Error when there is none. */
export function agentOf(participant: Participant, name: string): AgentEntity {
  const agent = participant.agents.find((one) => one.name === name);
  if (!agent) throw new Error(`${participant.account.name} has no agent ${name}`);
  return agent;
}
