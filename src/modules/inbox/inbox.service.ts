import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { Clock } from '../../platform/time/clock.js';
import { AgentsService } from '../agents/agents.service.js';
import { type EscrowNodeDto, NodeReader } from '../escrow/node-reader.js';
import type { ListAgentNodesQuery } from './dto/list-agent-nodes.query.js';
import { AFTER_ALL_NODES, inboxPageStatement, type InboxRow } from './inbox-page.sql.js';

/** Lists the nodes that an owner's agents work on or hire for. */
@Injectable()
export class InboxService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly agents: AgentsService,
    private readonly nodes: NodeReader,
  ) {}

  /**
   * One page of the nodes of an agent that the caller owns, whatever the agent's status; nodes of the newest task
   * first.
   * @throws ApiError `invalid_cursor`, `not_found` both for an agent that does not exist and for an agent of another
   *   account.
   */
  async list(
    { accountId }: Pick<Principal, 'accountId'>,
    agentId: string,
    { cursor, limit, role, state }: ListAgentNodesQuery,
  ): Promise<Page<EscrowNodeDto>> {
    const binding = { accountId, operationId: 'listAgentNodes', filters: { agent_id: agentId, role, state } };
    const position = cursor === undefined ? AFTER_ALL_NODES : this.cursors.open(binding, cursor);
    await this.agents.findOwned({ id: accountId }, agentId);
    const { name, text } = inboxPageStatement(limit + 1, role, state !== undefined);
    // Whole seconds, as chains count them, so that NodeReader uses the same moment.
    const now = new Date(this.clock.nowSeconds() * 1000).toISOString();
    const values = [agentId, accountId, ...position, ...(state === undefined ? [] : [now, state])];
    const rows = await this.reads.query<InboxRow>(name, text, values);
    const { data, next_page } = pageOf(
      rows,
      limit,
      (row) => ({ taskId: row.task_id, number: Number(row.number) }),
      (row) => [row.task_id, row.number],
      (last) => this.cursors.seal(binding, last),
    );
    return { data: await this.nodes.read(accountId, data), next_page };
  }
}
