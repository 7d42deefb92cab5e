import { Injectable } from '@nestjs/common';
import { stripControls } from '#libs/kernel';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import type { Principal } from '../../../platform/http/principal.js';
import type { PageJson } from '../../../platform/http/raw-json.js';
import { Cursors } from '../../../platform/pagination/cursor.js';
import { pageOf } from '../../../platform/pagination/page.js';
import { pageOfDocuments } from '../../../platform/pagination/rendered-page.sql.js';
import type { Page } from '../../../platform/operations/page.dto.js';
import { Clock } from '../../../platform/time/clock.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { AgentDto, type OwnAgentRow } from '../agent/agent.dto.js';
import { AFTER_ALL, AGENT_POSITION, agentListStatement, type AgentPageRow } from './agent-list.sql.js';
import { searchQuery } from '../agent/searchable-text.js';
import type { ListAgentsQuery } from '../dto/list-agents.query.js';
import { AgentSearchReader } from './agent-search-reader.js';
import { ownAgentsStatement } from './own-agents.sql.js';

/** Lists and searches agents. Every authenticated caller sees all agents on the market, and all of its own. */
@Injectable()
export class AgentListService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly searches: AgentSearchReader,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /**
   * One page of the agents that are neither retired nor suspended: newest first, or with a query the agents found by
   * it, best first. A page of a query may be short or empty without being the last. With `mine` the caller's own agents,
   * newest first.
   * @throws ApiError `invalid_cursor`; `invalid_parameter` for a query of own agents.
   */
  async list({ accountId }: Pick<Principal, 'accountId'>, page: ListAgentsQuery): Promise<Page<AgentDto>> {
    // An empty field of a form is no filter.
    if (!page.query) return page.mine ? this.own(accountId, page) : this.all(accountId, page);
    if (page.mine) {
      throw new ApiError('invalid_parameter', 'query finds agents on the market, so it does not go with mine=true.');
    }
    return this.search(accountId, page.query, page);
  }

  /**
   * One page of the agents that the account owns, whatever their status, each as `getAgent` shows it to its owner.
   * @throws ApiError `invalid_cursor`.
   */
  async own(accountId: string, { cursor, limit }: Pick<ListAgentsQuery, 'cursor' | 'limit'>): Promise<Page<AgentDto>> {
    const binding = { accountId, operationId: 'listAgents', filters: { mine: 'true' } };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = ownAgentsStatement(limit);
    const values = [this.clock.now().toISOString(), accountId, ...position];
    return pageOf(
      await this.reads.query<OwnAgentRow>(name, text, values),
      limit,
      (row) => AgentDto.fromOwnRow(row),
      ({ id }) => [id],
      (last) => this.cursors.seal(binding, last),
    );
  }

  private async all(accountId: string, { cursor, limit }: ListAgentsQuery): Promise<PageJson<AgentDto>> {
    const binding = { accountId, operationId: 'listAgents', filters: {} };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = agentListStatement(limit);
    const values = [this.clock.now().toISOString(), ...position];
    const [page] = await this.reads.query<AgentPageRow>(name, text, values);
    return pageOfDocuments(page, AGENT_POSITION, (last) => this.cursors.seal(binding, last));
  }

  private async search(accountId: string, query: string, { cursor, limit }: ListAgentsQuery): Promise<Page<AgentDto>> {
    // The cursor names its order, so that a cursor of an earlier order is refused and not misread.
    const binding = { accountId, operationId: 'listAgents', filters: { query, order: 'words' } };
    const after = cursor === undefined ? null : this.cursors.open(binding, cursor);
    const found = await this.searches.read(searchQuery(stripControls(query)), this.clock.now(), limit, after);
    return {
      data: found.rows.map((row) => AgentDto.fromRow(row)),
      next_page: found.next === null ? null : this.cursors.seal(binding, found.next),
    };
  }
}
