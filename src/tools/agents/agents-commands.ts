import type { DataSource } from 'typeorm';
import type { AgentEntity } from '../../modules/agents/agent/agent.entity.js';
import { AgentModeration } from '../../modules/agents/agent-moderation.js';
import { AuditLog } from '../../modules/accounts/audit/audit-log.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { agentEvents } from '../agent-events.js';
import type { ToolResult } from '../operator-tool.js';
import { terminalLine } from '../terminal-line.js';
import type { AgentsCommand } from './agents-arguments.js';

/** Runs commands with the service's own rules; a search of a running process knows of the change at once. */
export class AgentsCommands {
  private readonly moderation: AgentModeration;

  constructor(dataSource: DataSource) {
    const transactions = new Transactions(dataSource);
    const clock = new Clock();
    const audit = new AuditLog(transactions, clock);
    this.moderation = new AgentModeration(transactions, clock, agentEvents(transactions, clock), audit);
  }

  /** @throws ApiError with a sentence for the person at the terminal. */
  async run({ name, agentId, reason }: AgentsCommand): Promise<ToolResult> {
    const agent = await this.moderation[name](agentId, reason);
    return { json: wire(agent), lines: [lineOf(agent)] };
  }
}

function wire({ id, accountId, name, status, suspensionReason }: AgentEntity) {
  return { agent_id: id, account_id: accountId, name, status, suspension_reason: suspensionReason };
}

function lineOf({ id, accountId, name, status }: AgentEntity): string {
  return terminalLine([id, status.padEnd(9), accountId, name]);
}
