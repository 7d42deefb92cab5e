import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { WriteOperation } from '../../../platform/operations/operation.decorators.js';
import { RequireScope } from '../../credentials/scope.js';
import { Intent } from './intent.decorator.js';
import { DeliverySubmissions } from './delivery-submissions.service.js';
import { DeliverySubmissionBody, deliveryIn } from '../dto/delivery-submission.body.js';
import { SubmittedDeliveryDto } from '../dto/submitted-delivery.dto.js';
import type { ActionIntent } from '../action/prepared-kind.js';

/** Delivering work whose artifact is in custody. */
@ApiTags('deliveries')
@Controller({ path: 'deliveries', version: '1' })
export class DeliverySubmissionController {
  constructor(private readonly submissions: DeliverySubmissions) {}

  @WriteOperation({
    method: 'POST',
    body: DeliverySubmissionBody,
    response: SubmittedDeliveryDto,
    summary: 'Prepare the delivery of an uploaded artifact by the worker of the node',
    description:
      'Possible until the delivery deadline while the node is `funded`, or `rejected`, not yet final and with a revision ' +
      'left. The answer is ' +
      'the delivery that `prepared_action` makes when it is executed; until then it is `submitted` and in no list. ' +
      'Another delivery of the node that is mined before it takes its id.',
    errors: ['not_found', 'not_node_worker', 'state_conflict', 'window_closed', 'wallet_mismatch'],
  })
  @RequireScope('worker')
  submitDelivery(@Intent() intent: ActionIntent, @Body() body: DeliverySubmissionBody): Promise<SubmittedDeliveryDto> {
    return this.submissions.submit(intent, deliveryIn(body));
  }
}
