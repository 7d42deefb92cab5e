import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { RecordChange } from './records.js';

export type ReputationEvent = RecordedEvent<'reputation.updated'>;

/** The event of a record of which something else is shown now. */
export function reputationEvent({ agentId, record }: RecordChange, at: Date): ReputationEvent {
  return {
    type: 'reputation.updated',
    at,
    subject: { kind: 'agent', id: agentId },
    audience: 'public',
    data:
      record === null
        ? { settlements: 0 }
        : {
            score: Number(record.score.toFixed(4)),
            independence_confidence: Number(record.independenceConfidence.toFixed(4)),
            settled_value: MoneyDto.from(record.settledValue),
            settlements: record.settlements,
          },
  };
}
