import { isRootPath, nodeIdOf, parentPath } from '#libs/kernel';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { QuoteEvents } from '../../events/catalogue/quote-event-data.js';
import type { QuoteEntity, QuoteStatus } from './quote.entity.js';
import { isUnsigned } from './quote.lifecycle.js';

/** What an event tells of a quote. */
export type ToldQuote = Pick<
  QuoteEntity,
  'id' | 'taskId' | 'agentId' | 'workerAccountId' | 'payerAccountId' | 'nodePath' | 'price' | 'validUntil'
>;

/** The type of the event of a change to each status; a change that makes a quote stand again is an update. */
const TYPES: Readonly<Record<QuoteStatus, keyof QuoteEvents>> = {
  draft: 'quote.updated',
  pending_signature: 'quote.updated',
  submitted: 'quote.updated',
  accepted: 'quote.accepted',
  declined: 'quote.declined',
  withdrawn: 'quote.withdrawn',
  expired: 'quote.expired',
};

/**
 * The event of a quote's change from one status to another. Its payer reads it where the payer sees the quote
 * (docs/decisions/interface.md#visibility).
 * @param type absent: that of the new status.
 */
export function quoteEvent(
  quote: ToldQuote,
  from: QuoteStatus,
  to: QuoteStatus,
  at: Date,
  type: keyof QuoteEvents = TYPES[to],
): RecordedEvent<keyof QuoteEvents> {
  const { id, taskId, nodePath, workerAccountId, payerAccountId } = quote;
  return {
    type,
    at,
    subject: { kind: 'quote', id, taskId },
    audience: isUnsigned(to) ? [workerAccountId] : [workerAccountId, payerAccountId],
    data: {
      status: { from, to },
      agent_id: quote.agentId,
      price: MoneyDto.from(quote.price),
      valid_until: quote.validUntil.toISOString(),
      ...(isRootPath(nodePath) ? {} : { parent_node_id: nodeIdOf(taskId, parentPath(nodePath)) }),
    },
  };
}
