import { Injectable } from '@nestjs/common';
import { stripControls } from '#libs/kernel';
import { ReadConnections, SearchConnections } from '../../platform/database/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { Clock } from '../../platform/time/clock.js';
import { AgentDto, type AgentRow } from './agent.dto.js';
import { AFTER_ALL, AFTER_ALL_FOUND, agentListStatement, agentSearchStatement } from './agent-list.sql.js';
import { searchQuery } from './agent-text.js';
import type { ListAgentsQuery } from './dto/list-agents.query.js';

/** Listing agents and searching them; every authenticated caller sees all that are on the market. */
@Injectable()
export class AgentListService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly searches: SearchConnections,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /**
   * One page of the agents that are neither retired nor suspended: newest first, or with a query those it finds, the
   * best first.
   * @throws ApiError `invalid_cursor`.
   */
  async list({ accountId }: Pick<Principal, 'accountId'>, page: ListAgentsQuery): Promise<Page<AgentDto>> {
    const { cursor, limit } = page;
    // An empty field of a form is no filter.
    const query = page.query || undefined;
    const binding = { accountId, operationId: 'listAgents', filters: { query } };
    const start = query === undefined ? AFTER_ALL : AFTER_ALL_FOUND;
    const position = cursor === undefined ? start : this.cursors.open(binding, cursor);
    const { name, text } = query === undefined ? agentListStatement(limit + 1) : agentSearchStatement(limit + 1);
    const words = query === undefined ? [] : [searchQuery(stripControls(query))];
    const values = [this.clock.now().toISOString(), ...words, ...position];
    // A search may take long; no list waits behind one.
    const connections = query === undefined ? this.reads : this.searches;
    const rows = await connections.query<AgentRow & { rank?: string }>(name, text, values);
    return pageOf(
      rows,
      limit,
      (row) => AgentDto.fromRow(row),
      ({ rank, id }) => (rank === undefined ? [id] : [rank, id]),
      (last) => this.cursors.seal(binding, last),
    );
  }
}
