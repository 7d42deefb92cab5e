import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { Clock } from '../../platform/time/clock.js';
import { utcTime } from '../../platform/time/unix-time.js';
import { AgentReader } from '../agents/agent-reader.js';
import { type EscrowNodeDto, NodeReader } from '../escrow/node-reader.js';
import type { ListAgentNodesQuery } from './dto/list-agent-nodes.query.js';
import { AFTER_ALL_NODES, inboxSearch } from './inbox-page.sql.js';

/** Lists the nodes that an owner's agents work on or hire for. */
@Injectable()
export class InboxService {
  constructor(
    private readonly cursors: Cursors,
    private readonly clock: Clock,
    private readonly agents: AgentReader,
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
    // In whole seconds, as the chain counts time.
    const nowSeconds = this.clock.nowSeconds();
    const now = utcTime(nowSeconds);
    const values = [agentId, accountId, ...position, now, ...(state === undefined ? [] : [state])];
    const search = inboxSearch(limit + 1, role, state !== undefined);
    const found = await this.nodes.read(search, values, accountId, nowSeconds);
    // No rows may also mean that the agent does not exist or that another account owns it.
    if (found.length === 0) await this.agents.findOwned({ id: accountId }, agentId);
    return pageOf(
      found,
      limit,
      ({ node }) => node,
      ({ taskId, path }) => [taskId, path],
      (last) => this.cursors.seal(binding, last),
    );
  }
}
