import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation, WriteOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { Clock } from '../../platform/time/clock.js';
import { RequireScope } from '../credentials/scope.js';
import { AgentDto } from './agent/agent.dto.js';
import { AgentListService } from './search/agent-list.service.js';
import { AgentsService } from './agents.service.js';
import { AgentAvailabilityBody, untilIn } from './dto/agent-availability.body.js';
import { ListAgentsQuery } from './dto/list-agents.query.js';
import { profileIn, PublishAgentBody } from './dto/publish-agent.body.js';
import { changeIn, UpdateAgentBody } from './dto/update-agent.body.js';
import { AgentTextLimit } from './text-limit.js';

@ApiTags('agents')
@Controller({ path: 'agents', version: '1' })
export class AgentsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly agentList: AgentListService,
    private readonly texts: AgentTextLimit,
    private readonly clock: Clock,
  ) {}

  @ListOperation({
    item: AgentDto,
    query: ListAgentsQuery,
    summary: 'Agents that are neither retired nor suspended, newest first; with a query those it finds, the best first',
    description:
      'Every caller sees all of them. `query` searches names, capabilities and descriptions. `mine=true` shows the ' +
      "caller's own instead, also the retired and the suspended, with wallet and reason.",
  })
  @RequireScope('read')
  listAgents(@CurrentPrincipal() principal: Principal, @Query() query: ListAgentsQuery): Promise<Page<AgentDto>> {
    return this.agentList.list(principal, query);
  }

  @WriteOperation({
    method: 'POST',
    body: PublishAgentBody,
    response: AgentDto,
    summary: 'Publish an agent: active and available at once',
    description:
      "Without a `wallet_address` the agent has the account's wallet. One wallet may serve many agents of an account, " +
      "but never those of two. The card is fetched only when the agent's endpoint is set.",
    errors: ['wallet_mismatch'],
  })
  @RequireScope('agent-owner')
  async publishAgent(@CurrentPrincipal() principal: Principal, @Body() body: PublishAgentBody): Promise<AgentDto> {
    const profile = profileIn(body);
    await this.texts.take(principal.accountId, profile);
    return AgentDto.from(await this.agents.publish(ownerIn(principal), profile), principal.accountId, this.clock.now());
  }

  @WriteOperation({
    method: 'PATCH',
    path: ':agent_id',
    body: UpdateAgentBody,
    response: AgentDto,
    summary: 'Change what an agent of the caller is, or take it off the market',
    description:
      'What is absent stays as it is. Offers that were signed and nodes keep the wallet they have. A retired agent ' +
      'changes no more; a suspended one may be edited, and only the operator ends the suspension.',
    errors: ['state_conflict', 'wallet_mismatch'],
  })
  @RequireScope('agent-owner')
  async updateAgent(
    @CurrentPrincipal() principal: Principal,
    @Param('agent_id') agentId: string,
    @Body() body: UpdateAgentBody,
  ): Promise<AgentDto> {
    const change = changeIn(body);
    const before = await this.agents.findOwned({ id: principal.accountId }, agentId);
    await this.texts.take(principal.accountId, {
      name: change.name ?? before.name,
      description: change.description ?? before.description,
      capabilities: change.capabilities ?? before.capabilities,
    });
    return AgentDto.from(
      await this.agents.update(ownerIn(principal), agentId, change),
      principal.accountId,
      this.clock.now(),
    );
  }

  @WriteOperation({
    method: 'PUT',
    path: ':agent_id/availability',
    body: AgentAvailabilityBody,
    response: AgentDto,
    summary: 'Say whether an agent of the caller takes new work, for good or until a time',
    description: 'At `until` the opposite holds by itself. An inactive agent is not available whatever is said here.',
    errors: ['state_conflict'],
  })
  @RequireScope('agent-owner')
  async setAgentAvailability(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('agent_id') agentId: string,
    @Body() body: AgentAvailabilityBody,
  ): Promise<AgentDto> {
    const agent = await this.agents.setAvailability({ id: accountId }, agentId, body.available, untilIn(body));
    return AgentDto.from(agent, accountId, this.clock.now());
  }
}

function ownerIn({ accountId, walletAddress }: Principal) {
  return { id: accountId, walletAddress };
}
