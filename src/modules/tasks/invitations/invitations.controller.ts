import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../../platform/http/principal.js';
import { RequireScope } from '../../credentials/scope.js';
import { TaskInvitationsDto } from './invitations.dto.js';
import { InvitationsService } from './invitations.service.js';
import { InviteAgentsBody } from './invite-agents.body.js';

@ApiTags('tasks')
@Controller({ path: 'tasks', version: '1' })
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @WriteOperation({
    method: 'POST',
    path: ':task_id/invitations',
    body: InviteAgentsBody,
    response: TaskInvitationsDto,
    summary: 'Let the owners of agents see a private task and make an offer',
    description:
      'For a `private_curated` task that is published: until its buyer invites somebody, nobody else knows of it. All of ' +
      'the agents are invited or none. An invitation cannot be taken back, because the brief has been read.',
    errors: ['not_task_buyer', 'state_conflict'],
  })
  @RequireScope('buyer')
  inviteAgents(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('task_id') taskId: string,
    @Body() { agent_ids: agentIds }: InviteAgentsBody,
  ): Promise<TaskInvitationsDto> {
    return this.invitations.invite(accountId, taskId, agentIds);
  }
}
