import type { AccessEventData, AccessEvents } from '../../events/catalogue/access-event-data.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { EventSubject } from '../../events/catalogue/event-group.js';

/** What changed, of whom and when. */
interface AccessChange {
  readonly accountId: string;
  /** Of the key, the grant of the application, or the EIP-55 address of the wallet. */
  readonly id: string;
  readonly at: Date;
}

/** Which subject the events of a type are about. */
const SUBJECTS: Readonly<Record<keyof AccessEvents, EventSubject['kind']>> = {
  'app.connected': 'app',
  'app.revoked': 'app',
  'api_key.created': 'api_key',
  'api_key.revoked': 'api_key',
  'wallet.linked': 'wallet',
  'wallet.unlinked': 'wallet',
};

/** An event of access to an account, for the account alone. */
export function accessEvent(
  type: keyof AccessEvents,
  { accountId, id, at }: AccessChange,
  data: AccessEventData = {},
): RecordedEvent<keyof AccessEvents> {
  return { type, at, subject: { kind: SUBJECTS[type], id }, audience: [accountId], data };
}
