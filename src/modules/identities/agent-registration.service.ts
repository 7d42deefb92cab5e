import { Injectable } from '@nestjs/common';
import { id as keccakOfText } from 'ethers';
import { jcs } from '#libs/notation';
import { Environment } from '../../platform/config/environment.js';
import { AgentReader } from '../agents/agent-reader.js';
import type { AgentRegistrationDto } from './dto/agent-registration.dto.js';
import { AgentIdentityDto } from './dto/identity.dto.js';
import { AgentIdentitiesService } from './link/agent-identities.service.js';
import { registrationFile } from './registration-file.js';

/** Exports an agent as a registration file of ERC-8004. Nothing is sent anywhere. */
@Injectable()
export class AgentRegistrationService {
  constructor(
    private readonly agents: AgentReader,
    private readonly identities: AgentIdentitiesService,
    private readonly environment: Environment,
  ) {}

  /** @throws ApiError `not_found`, also where no registry is served; ChainUnavailableError. */
  async get(agentId: string): Promise<AgentRegistrationDto> {
    const checked = await this.identities.of(agentId);
    const agent = await this.agents.get(agentId);
    const file = registrationFile(agent, checked?.holds ? checked.identity : null, this.environment);
    return {
      file,
      file_hash: keccakOfText(jcs(file)),
      ...(checked && {
        identity: Object.assign(AgentIdentityDto.from(checked.identity, this.environment.chainId), {
          verified: checked.holds,
          checked_at: checked.checkedAt.toISOString(),
        }),
      }),
    };
  }
}
