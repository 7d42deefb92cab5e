import type { ActionStatus } from '#libs/prepared-action';
import { declinedLine, endedAdvice, endedHeading, kindWords, waitsFor } from './approval-copy.js';

const STATUSES: ActionStatus[] = [
  'prepared',
  'opened',
  'signed',
  'submitted',
  'confirmed',
  'final',
  'declined',
  'expired',
  'superseded',
  'failed',
  'unknown',
];
const action = { expiresAt: new Date(Date.UTC(2026, 10, 20, 14, 5)), signature: null, renewedBy: null };

describe('a request', () => {
  const waiting = (kind: string, signature: string | null, what: 'signature' | 'sending') =>
    STATUSES.filter((status) => waitsFor(status, { kind, signature }) === what);

  it('waits for a signature until it is signed, declined or expired', () => {
    expect(waiting('fund_task', null, 'signature')).toEqual(['prepared', 'opened', 'unknown']);
    expect(waiting('fund_task', '0x01', 'signature')).toEqual([]);
  });

  it('waits to be sent once it is signed, unless it takes effect by its signature', () => {
    expect(waiting('fund_task', '0x01', 'sending')).toEqual(['signed', 'unknown']);
    for (const kind of ['create_task', 'submit_quote', 'select_agent']) {
      expect(waiting(kind, '0x01', 'sending')).toEqual([]);
    }
    expect(waiting('fund_task', null, 'sending')).toEqual([]);
  });
});

it('says who declined, as far as that is known', () => {
  expect(declinedLine('link')).toContain('its link');
  expect(declinedLine('wallet')).toContain('the wallet');
  expect(declinedLine('account')).toContain('signed in');
  expect(declinedLine(null)).toBe('');
});

describe('the heading of a request that is not open', () => {
  it.each<[ActionStatus, string]>([
    ['declined', 'This request was declined. Nothing was signed.'],
    ['expired', 'This request expired at 20 Nov 2026, 14:05 UTC. Nothing was signed.'],
    ['superseded', 'This request is no longer possible'],
    ['failed', 'The transaction failed on the chain. No money moved.'],
    ['signed', 'Already signed'],
    ['submitted', 'Already signed and sent'],
    ['unknown', 'Already signed'],
    ['confirmed', 'Already signed and done'],
    ['final', 'Already signed and done'],
  ])('of %s is “%s”', (status, heading) => {
    expect(endedHeading(status, action)).toBe(heading);
    expect(endedAdvice(status)).toMatch(/\.$/);
  });

  it('does not say that nothing was signed where something was', () => {
    expect(endedHeading('expired', { ...action, signature: '0x01' })).toBe(
      'This request expired at 20 Nov 2026, 14:05 UTC. What was signed can no longer be used.',
    );
  });

  it('names the newer request where there is one', () => {
    expect(endedHeading('superseded', { ...action, renewedBy: 'act_2' })).toBe('A newer request replaced this one');
  });
});

it('an unknown kind is called unknown, whatever its name is', () => {
  expect(kindWords('abandon_node')).toBe('Give up a job');
  for (const kind of ['', 'teleport', 'constructor', '__proto__']) {
    expect(kindWords(kind)).toBe('A kind of action that this page does not know');
  }
});
