import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ListOperation } from '../../platform/operations/operation.decorators.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import type { Page } from '../../platform/operations/page.dto.js';
import { RequireScope } from '../credentials/scope.js';
import { DeliveryDto } from './delivery.dto.js';
import { ListDeliveriesQuery } from './dto/list-deliveries.query.js';
import { DeliveriesService } from './deliveries.service.js';

@ApiTags('deliveries')
@Controller({ path: 'deliveries', version: '1' })
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @ListOperation({
    item: DeliveryDto,
    query: ListDeliveriesQuery,
    summary: 'Deliveries of work that the caller pays for, buys or does, newest first',
    description:
      'A delivery is listed once the chain shows it; `task_id` keeps those of one task. The work itself is opened by the preview of the task, and by getDeliveryArtifact.',
  })
  @RequireScope('read')
  listDeliveries(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListDeliveriesQuery,
  ): Promise<Page<DeliveryDto>> {
    return this.deliveries.list(principal, query);
  }
}
