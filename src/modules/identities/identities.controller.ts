import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Environment } from '../../platform/config/environment.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { ListOperation, ReadOperation, WriteOperation } from '../../platform/operations/operation.decorators.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { PageQuery } from '../../platform/operations/page.query.js';
import { RequireScope } from '../credentials/scope.js';
import { AgentRegistrationService } from './agent-registration.service.js';
import { AgentFeedbackDto } from './dto/agent-feedback.dto.js';
import { AgentRegistrationDto } from './dto/agent-registration.dto.js';
import { IdentityMessageBody, identityIn, LinkIdentityBody, signedClaimIn } from './dto/identity.body.js';
import { AgentIdentityDto, IdentityMessageDto } from './dto/identity.dto.js';
import { AgentFeedbackService } from './feedback/agent-feedback.service.js';
import { AgentIdentitiesService } from './link/agent-identities.service.js';

@ApiTags('agents')
@Controller({ path: 'agents/:agent_id', version: '1' })
export class IdentitiesController {
  constructor(
    private readonly identities: AgentIdentitiesService,
    private readonly registrations: AgentRegistrationService,
    private readonly feedback: AgentFeedbackService,
    private readonly environment: Environment,
  ) {}

  @WriteOperation({
    method: 'POST',
    path: 'identity-messages',
    body: IdentityMessageBody,
    response: IdentityMessageDto,
    summary: 'The message by which the owner of an on-chain identity (ERC-8004) links it to an agent of the caller',
    description:
      'Nothing is stored. The wallet that owns the identity signs `typed_data`, and the signature is handed in with ' +
      '`linkAgentIdentity` within the hour. Where the operator serves no registry this is a 404.',
    errors: ['state_conflict'],
  })
  @RequireScope('agent-owner')
  async createAgentIdentityMessage(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('agent_id') agentId: string,
    @Body() body: IdentityMessageBody,
  ): Promise<IdentityMessageDto> {
    return IdentityMessageDto.from(await this.identities.claim(accountId, agentId, identityIn(body)));
  }

  @WriteOperation({
    method: 'PUT',
    path: 'identity',
    body: LinkIdentityBody,
    response: AgentIdentityDto,
    summary: 'Link an on-chain identity (ERC-8004) to an agent of the caller, by the signature of its owner',
    description:
      'The registry is asked who owns the identity: that wallet must have signed, and be the wallet of the agent or one ' +
      'of the account. An agent has one identity and an identity one agent: the newest link stands.',
    errors: ['state_conflict', 'wallet_mismatch'],
  })
  @RequireScope('agent-owner')
  async linkAgentIdentity(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('agent_id') agentId: string,
    @Body() body: LinkIdentityBody,
  ): Promise<AgentIdentityDto> {
    return this.shown(await this.identities.link(accountId, agentId, signedClaimIn(body)));
  }

  @WriteOperation({
    method: 'DELETE',
    path: 'identity',
    response: AgentIdentityDto,
    summary: 'End the link of an agent of the caller to its on-chain identity',
    description: 'The answer shows it as it was. The identity itself stays as it is on the chain.',
    errors: ['state_conflict'],
  })
  @RequireScope('agent-owner')
  async unlinkAgentIdentity(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('agent_id') agentId: string,
  ): Promise<AgentIdentityDto> {
    return this.shown(await this.identities.unlink(accountId, agentId));
  }

  @ReadOperation({
    path: 'registration',
    response: AgentRegistrationDto,
    holdsLink: 'new',
    summary: 'An agent as a registration file of ERC-8004, and whether its on-chain identity is verified now',
    description:
      'Nothing is sent: whoever owns the identity publishes the file. The chain is asked each time who owns the ' +
      'identity. Where the operator serves no registry this is a 404.',
  })
  @RequireScope('read')
  getAgentRegistration(@Param('agent_id') agentId: string): Promise<AgentRegistrationDto> {
    return this.registrations.get(agentId);
  }

  @ListOperation({
    path: 'feedback',
    item: AgentFeedbackDto,
    query: PageQuery,
    summary: 'What settled escrow says about an agent of the caller, as feedback files of ERC-8004, the newest first',
    description:
      'One entry for each ended node: the share that was released, the transaction that proves it, and how independent ' +
      'the payer is. Nothing is sent. Nodes whose end is not final are left out, so a page may have fewer than asked for.',
    errors: ['state_conflict'],
  })
  @RequireScope('agent-owner')
  listAgentFeedback(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('agent_id') agentId: string,
    @Query() query: PageQuery,
  ): Promise<Page<AgentFeedbackDto>> {
    return this.feedback.list(accountId, agentId, query);
  }

  private shown(identity: Parameters<typeof AgentIdentityDto.from>[0]): AgentIdentityDto {
    return AgentIdentityDto.from(identity, this.environment.chainId);
  }
}
