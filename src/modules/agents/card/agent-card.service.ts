import { Injectable } from '@nestjs/common';
import { jcs } from '#libs/notation';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { DocumentSigner } from '../../oauth/server/document-signer.js';
import { AgentReader } from '../agent-reader.js';
import { agentCard } from './agent-card.js';
import type { AgentCardDto } from './agent-card.dto.js';
import { AgentEndpointsService } from './agent-endpoints.service.js';

/** Makes the cards of agents from their profiles, and signs them. */
@Injectable()
export class AgentCardService {
  constructor(
    private readonly agents: AgentReader,
    private readonly endpoints: AgentEndpointsService,
    private readonly signer: DocumentSigner,
    private readonly environment: Environment,
  ) {}

  /** @throws ApiError `not_found`, also for an agent that is retired or suspended: a card says that there is one to hire. */
  async get(agentId: string): Promise<AgentCardDto> {
    const agent = await this.agents.get(agentId);
    if (agent.status !== 'active' && agent.status !== 'inactive') {
      throw new ApiError('not_found', `The agent is ${agent.status}, so it has no card.`);
    }
    const card = agentCard(agent, await this.endpoints.of(agent), this.environment);
    return { ...card, signatures: [await this.signer.sign(jcs(card))] };
  }
}
