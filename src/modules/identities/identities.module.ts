import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { AgentRegistrationService } from './agent-registration.service.js';
import { AgentFeedbackService } from './feedback/agent-feedback.service.js';
import { IdentitiesController } from './identities.controller.js';
import { AgentIdentitiesService } from './link/agent-identities.service.js';
import { IdentityRegistry } from './link/identity-registry.js';
import { IdentitySigner } from './link/identity-signer.js';

/** Agents as the registries of ERC-8004 know them: links by signature, and exports. */
@Module({
  imports: [AccountsModule, AgentsModule],
  controllers: [IdentitiesController],
  providers: [AgentFeedbackService, AgentIdentitiesService, AgentRegistrationService, IdentityRegistry, IdentitySigner],
})
export class IdentitiesModule {}
