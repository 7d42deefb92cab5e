import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { ReadOperation } from '../../platform/operations/operation.decorators.js';
import { RequireScope } from '../credentials/scope.js';
import { MeDto } from './dto/me.dto.js';
import { MeService } from './me.service.js';

@ApiTags('me')
@Controller({ path: 'me', version: '1' })
export class MeController {
  constructor(private readonly me: MeService) {}

  @ReadOperation({
    response: MeDto,
    summary: 'Who is calling: the account, its wallets and agents, and this credential with its scopes and limits',
    description:
      'The first request of a script that was given a key: it says what the key is for and what it may not do. Agents are ' +
      'the newest 25; where there are more, `agents_url` lists all.',
  })
  @RequireScope('read')
  getMe(@CurrentPrincipal() principal: Principal): Promise<MeDto> {
    return this.me.get(principal);
  }
}
