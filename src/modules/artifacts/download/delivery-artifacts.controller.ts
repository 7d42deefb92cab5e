import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ReadOperation } from '../../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../../platform/http/principal.js';
import { RequireScope } from '../../credentials/scope.js';
import { DeliveryArtifacts } from './delivery-artifacts.service.js';
import { DeliveryArtifactDto } from '../dto/delivery-artifact.dto.js';

@ApiTags('deliveries')
@Controller({ path: 'deliveries', version: '1' })
export class DeliveryArtifactsController {
  constructor(private readonly artifacts: DeliveryArtifacts) {}

  @ReadOperation({
    path: ':delivery_id/artifact',
    response: DeliveryArtifactDto,
    holdsLink: 'new',
    summary: 'A short-lived link to the whole artifact of a delivery',
    description:
      'For the payer once the node is `released`, also by silence; for the worker at any time. Before the release the ' +
      'payer has the preview of the task. Only artifacts in the custody of this service have a link.',
    errors: ['not_found', 'preview_not_permitted', 'state_conflict'],
  })
  @RequireScope('read')
  getDeliveryArtifact(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('delivery_id') deliveryId: string,
  ): Promise<DeliveryArtifactDto> {
    return this.artifacts.issue(accountId, deliveryId);
  }
}
