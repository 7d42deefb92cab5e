import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOf } from '../../platform/pagination/page.js';
import type { Page } from '../../platform/operations/page.dto.js';
import type { ListReputationQuery } from './dto/list-reputation.query.js';
import { ReputationRecordDto, type ReputationRow } from './dto/reputation-record.dto.js';
import { AFTER_ALL, ONE_RECORD, reputationListStatement } from './reputation-list.sql.js';

/** Lists reputation records. Every authenticated caller sees all of them. */
@Injectable()
export class ReputationListService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
  ) {}

  /**
   * One page by score, the best first, then by agent id; with `agent_id`, the one record of that agent.
   * @throws ApiError `invalid_cursor`.
   */
  async list(principal: Pick<Principal, 'accountId'>, query: ListReputationQuery): Promise<Page<ReputationRecordDto>> {
    const { cursor, limit, agent_id: agentId } = query;
    const binding = {
      accountId: principal.accountId,
      operationId: 'listReputation',
      filters: { agent_id: agentId },
    };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = agentId === undefined ? reputationListStatement(limit + 1) : ONE_RECORD;
    const values = agentId === undefined ? position : [agentId];
    const rows = await this.reads.query<ReputationRow>(name, text, values);
    return pageOf(
      rows,
      limit,
      (row) => ReputationRecordDto.from(row),
      (row) => [row.score, row.agent_id],
      (last) => this.cursors.seal(binding, last),
    );
  }
}
