import type { QuoteStatus } from './quote.entity.js';
import { isUnsigned, mayBecome, type QuoteCause, quoteStatusAt, UNSIGNED_STATUSES } from './quote.lifecycle.js';

const NOW = 1_795_000_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;

const ALL: QuoteStatus[] = ['draft', 'pending_signature', 'submitted', 'accepted', 'declined', 'withdrawn', 'expired'];
const CAUSES: QuoteCause[] = ['signature', 'chain', 'time'];

/** All allowed transitions; every other one is refused. */
const ALLOWED = [
  'signature: draft -> submitted',
  'signature: pending_signature -> submitted',
  'time: pending_signature -> expired',
  'time: submitted -> expired',
  'chain: draft -> accepted',
  'chain: pending_signature -> accepted',
  'chain: submitted -> accepted',
  'chain: submitted -> declined',
  'chain: submitted -> withdrawn',
  'chain: accepted -> pending_signature',
  'chain: accepted -> submitted',
  'chain: accepted -> declined',
  'chain: accepted -> withdrawn',
  'chain: declined -> submitted',
  'chain: declined -> accepted',
  'chain: declined -> withdrawn',
  'chain: withdrawn -> submitted',
  'chain: withdrawn -> accepted',
  'chain: withdrawn -> declined',
  'chain: expired -> accepted',
  'chain: expired -> declined',
  'chain: expired -> withdrawn',
];

describe('a quote', () => {
  it('moves as the table says and in no other way', () => {
    const moves = CAUSES.flatMap((cause) =>
      ALL.flatMap((from) => ALL.filter((to) => mayBecome(from, to, cause)).map((to) => `${cause}: ${from} -> ${to}`)),
    );
    expect(moves.toSorted()).toEqual(ALLOWED.toSorted());
  });

  it('is unsigned exactly in the statuses that only its worker sees', () => {
    expect(ALL.filter(isUnsigned)).toEqual([...UNSIGNED_STATUSES]);
  });
});

describe('the status of a quote', () => {
  it.each(ALL)('%s stays what it is until the last second of its time', (status) => {
    expect(quoteStatusAt(status, NOW, NOW)).toBe(status);
  });

  it.each(['submitted', 'pending_signature'] as const)('%s is expired one second later', (status) => {
    expect(quoteStatusAt(status, NOW, NOW + 1)).toBe('expired');
  });

  it.each(['draft', 'accepted', 'declined', 'withdrawn', 'expired'] as const)('%s never expires', (status) => {
    expect(quoteStatusAt(status, NOW, NOW + 365 * DAY)).toBe(status);
  });
});
