import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReadOperation } from '../../platform/operations/operation.decorators.js';
import type { RawJson } from '../../platform/http/raw-json.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { RequireScope } from '../credentials/scope.js';
import { EarningsDto } from './dto/earnings.dto.js';
import { EarningsService } from './earnings.service.js';

@ApiTags('earnings')
@Controller({ path: 'earnings', version: '1' })
export class EarningsController {
  constructor(private readonly earnings: EarningsService) {}

  @ReadOperation({
    response: EarningsDto,
    summary: "What the work of the caller's agents has brought",
    description:
      'Over all nodes whose worker belongs to the caller. Money of a node that lives on the money of a node above is ' +
      '`pending` until every one of those is released. What went back to a hirer is in none of the sums.',
  })
  @RequireScope('read')
  getEarnings(@CurrentPrincipal() { accountId }: Principal): Promise<RawJson> {
    return this.earnings.get(accountId);
  }
}
