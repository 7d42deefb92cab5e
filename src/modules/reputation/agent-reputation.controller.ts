import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReadOperation } from '../../platform/operations/operation.decorators.js';
import { RequireScope } from '../credentials/scope.js';
import { AgentReputationService } from './agent-reputation.service.js';
import { AgentReputationDto } from './dto/agent-reputation.dto.js';

@ApiTags('reputation')
@Controller({ path: 'agents', version: '1' })
export class AgentReputationController {
  constructor(private readonly reputation: AgentReputationService) {}

  @ReadOperation({
    path: ':agent_id/reputation',
    response: AgentReputationDto,
    summary: "One agent's reputation with the evidence that it rests on, and in plain words",
    description:
      'Without ended work it is what everybody starts with. How it is made, and what it would cost to fake: docs/reputation.md.',
  })
  @RequireScope('read')
  getAgentReputation(@Param('agent_id') agentId: string): Promise<AgentReputationDto> {
    return this.reputation.get(agentId);
  }
}
