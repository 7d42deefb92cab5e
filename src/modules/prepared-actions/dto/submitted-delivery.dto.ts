import { ApiProperty } from '@nestjs/swagger';
import { DeliveryDto } from '../../deliveries/delivery.dto.js';
import { PreparedActionDto } from './prepared-action.dto.js';

/**
 * The delivery that the action makes when it is executed, and the action (docs/decisions/interface.md#operations,
 * submitDelivery).
 */
export class SubmittedDeliveryDto extends DeliveryDto {
  @ApiProperty({ type: PreparedActionDto, description: 'Of kind `deliver`; the delivery counts when it is executed.' })
  prepared_action!: PreparedActionDto;
}
