import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { StatusChangeDto } from './status-change.dto.js';

/** What the events of a node say. */
export class NodeEventData {
  @ApiPropertyOptional({ type: StatusChangeDto, description: "The node's `state`. Absent when it stays." })
  status?: StatusChangeDto;

  @ApiProperty({ type: MoneyDto, description: 'What the node was funded with.' })
  amount!: MoneyDto;

  @ApiProperty({
    type: String,
    description: 'Agent that works; wallet_<address> when the wallet belongs to no agent.',
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  worker_agent_id!: string;

  @ApiPropertyOptional({ type: String, description: 'Node whose worker hires; absent for a root node.' })
  parent_node_id?: string;

  @ApiPropertyOptional({ type: String, description: 'The new node below, whose own events follow.' })
  child_node_id?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'End of the time that runs from now on: to deliver, to reject, to contest or to rule.',
    example: '2026-11-27T12:55:00.000Z',
  })
  deadline?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'Why the node ended: accepted, accept_window_lapsed, ruled, agreed, ruling_lapsed, non_delivery, rejection_final, abandoned. Open enumeration.',
    example: 'accepted',
  })
  outcome?: string;

  @ApiPropertyOptional({ type: MoneyDto, description: 'What the end leaves with the worker and the nodes below.' })
  worker_share?: MoneyDto;

  @ApiPropertyOptional({ type: MoneyDto, description: 'What the end gives back to where the money came from.' })
  hirer_share?: MoneyDto;
}

/**
 * Told to those that see the node: the buyer, and the owners of its worker and its hirer and of everybody above. A node
 * is there once its money is in the escrow, so its first event is `node.funded`; the others are named as its states.
 *
 * - `node.subcontracted`: its worker has hired below; the state stays.
 * - `node.released`, `node.refunded`: the end; `outcome` says why.
 */
export interface NodeEvents {
  'node.funded': NodeEventData;
  'node.subcontracted': NodeEventData;
  'node.delivered': NodeEventData;
  'node.rejected': NodeEventData;
  'node.disputed': NodeEventData;
  'node.released': NodeEventData;
  'node.refunded': NodeEventData;
}
