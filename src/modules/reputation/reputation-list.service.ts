import { Injectable } from '@nestjs/common';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import type { Principal } from '../../platform/http/principal.js';
import type { PageJson } from '../../platform/http/raw-json.js';
import { Cursors } from '../../platform/pagination/cursor.js';
import { pageOfDocuments } from '../../platform/pagination/rendered-page.sql.js';
import type { ListReputationQuery } from './dto/list-reputation.query.js';
import type { ReputationRecordDto } from './dto/reputation-record.dto.js';
import {
  AFTER_ALL,
  ONE_RECORD,
  reputationListStatement,
  type ReputationPageRow,
  SCORE_POSITION,
} from './reputation-list.sql.js';

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
  async list(
    principal: Pick<Principal, 'accountId'>,
    query: ListReputationQuery,
  ): Promise<PageJson<ReputationRecordDto>> {
    const { cursor, limit, agent_id: agentId } = query;
    const binding = {
      accountId: principal.accountId,
      operationId: 'listReputation',
      filters: { agent_id: agentId },
    };
    const position = cursor === undefined ? AFTER_ALL : this.cursors.open(binding, cursor);
    const { name, text } = agentId === undefined ? reputationListStatement(limit) : ONE_RECORD;
    const values = agentId === undefined ? position : [agentId];
    const [page] = await this.reads.query<ReputationPageRow>(name, text, values);
    return pageOfDocuments(page, SCORE_POSITION, (last) => this.cursors.seal(binding, last));
  }
}
