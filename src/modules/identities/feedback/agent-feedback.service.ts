import { Injectable } from '@nestjs/common';
import { id as keccakOfText } from 'ethers';
import { jcs } from '#libs/notation';
import { Environment } from '../../../platform/config/environment.js';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Page } from '../../../platform/operations/page.dto.js';
import type { PageQuery } from '../../../platform/operations/page.query.js';
import { Cursors } from '../../../platform/pagination/cursor.js';
import { pageOf } from '../../../platform/pagination/page.js';
import { AgentReader } from '../../agents/agent-reader.js';
import type { AgentFeedbackDto } from '../dto/agent-feedback.dto.js';
import { AgentIdentitiesService, noIdentity } from '../link/agent-identities.service.js';
import { feedbackFile, type FeedbackSubject } from './feedback-file.js';
import { AFTER_ALL_WORK, type FeedbackRow, feedbackStatement } from './feedback.sql.js';

/** Exports what settled work says about an agent as feedback of ERC-8004. Nothing is sent anywhere. */
@Injectable()
export class AgentFeedbackService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
    private readonly agents: AgentReader,
    private readonly identities: AgentIdentitiesService,
    private readonly environment: Environment,
  ) {}

  /**
   * One page, the newest first; nodes whose end is not final yet are left out, so a page may have fewer than asked for.
   * @throws ApiError `not_found` for an agent of another account, one without an identity and where no registry is served,
   *   `state_conflict` when the identity has another owner now, `invalid_cursor`; ChainUnavailableError.
   */
  async list(accountId: string, agentId: string, { cursor, limit }: PageQuery): Promise<Page<AgentFeedbackDto>> {
    await this.agents.findOwned({ id: accountId }, agentId);
    const checked = await this.identities.of(agentId);
    if (!checked) throw noIdentity();
    if (!checked.holds) throw new ApiError('state_conflict', 'The identity has another owner now.', 'Link it anew.');
    const { registry, tokenId } = checked.identity;
    const subject = { chainId: this.environment.chainId, registry, tokenId };
    const binding = { accountId, operationId: 'listAgentFeedback', filters: { agent_id: agentId } };
    const position = cursor === undefined ? AFTER_ALL_WORK : this.cursors.open(binding, cursor);
    const { name, text } = feedbackStatement(limit);
    const rows = await this.reads.query<FeedbackRow>(name, text, [agentId, ...position]);
    const page = pageOf(
      rows,
      limit,
      (row) => feedbackOf(row, subject),
      ({ settled_at, node_id }) => [settled_at, node_id],
      (last) => this.cursors.seal(binding, last),
    );
    return { ...page, data: page.data.filter((entry) => entry !== null) };
  }
}

function feedbackOf(row: FeedbackRow, subject: FeedbackSubject): AgentFeedbackDto | null {
  const file = feedbackFile(row, subject);
  if (file === null) return null;
  return {
    node_id: row.node_id,
    file,
    file_hash: keccakOfText(jcs(file)),
    ...(row.independence === null ? {} : { independence: Number(row.independence) }),
  };
}
