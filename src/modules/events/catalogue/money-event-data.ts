import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { EventGroup } from './event-group.js';

/** What the events of earnings, refunds and receipts say. */
export class MoneyEventData {
  @ApiProperty({ type: MoneyDto })
  amount!: MoneyDto;

  @ApiProperty({ type: String, example: `0x${'5e'.repeat(32)}` })
  transaction_hash!: string;

  @ApiPropertyOptional({
    type: String,
    description: 'The node that the money comes from; absent for a withdrawn refund.',
    example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
  })
  node_id?: string;

  @ApiPropertyOptional({ type: String, description: 'Of a receipt: released or refunded.', example: 'released' })
  outcome?: string;

  @ApiPropertyOptional({
    type: String,
    description: 'Address that was paid, of a withdrawal.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  recipient?: string;
}

/** Earnings are told to the worker, refunds to the hirer, receipts to the payer, the buyer of the tree and the worker. */
export interface MoneyEvents {
  'earnings.available': MoneyEventData;
  'earnings.withdrawn': MoneyEventData;
  'refund.available': MoneyEventData;
  'refund.withdrawn': MoneyEventData;
  'receipt.issued': MoneyEventData;
}

const PAID = { amount: { amount: '250.00', currency: 'USDC' }, transaction_hash: `0x${'5e'.repeat(32)}` };
const OF_NODE = { ...PAID, node_id: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1' };
const RECIPIENT = { recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };

export const MONEY_EVENTS: EventGroup<MoneyEvents> = {
  data: MoneyEventData,
  subject: { kind: 'node', id: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1', taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  isOfTheChain: true,
  types: {
    'earnings.available': {
      says:
        'The chain has settled the node and all that back it: the amount can be withdrawn. What silence has earned is told ' +
        'once a transaction writes it down.',
      example: OF_NODE,
    },
    'earnings.withdrawn': { says: 'The worker has taken out earnings.', example: { ...OF_NODE, ...RECIPIENT } },
    'refund.available': { says: 'Money of the node went back to its hirer, who can withdraw it.', example: OF_NODE },
    'refund.withdrawn': {
      says: 'The hirer has taken out refunds of the task.',
      example: { ...PAID, ...RECIPIENT },
      subject: { kind: 'task', id: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2', taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' },
    },
    'receipt.issued': {
      says: 'The node has ended, and the chain has recorded with what.',
      example: { ...OF_NODE, outcome: 'released' },
      subject: { kind: 'receipt', id: 'rcpt_01k9q2m4t8v6w0y2z4a6c8e0g2_1', taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' },
    },
  },
};
