import type { ActionStatus } from '#libs/prepared-action';
import { endedAdvice, endedHeading, isOpen, kindWords } from './approval-words.js';

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

it('a request is open until something was signed, refused or too late', () => {
  expect(STATUSES.filter(isOpen)).toEqual(['prepared', 'opened']);
});

describe('the heading of a request that is not open', () => {
  it.each<[ActionStatus, string]>([
    ['declined', 'This request was declined. Nothing was signed.'],
    ['expired', 'This request expired at 14:05 UTC. Nothing was signed.'],
    ['superseded', 'This request is no longer possible'],
    ['failed', 'The transaction failed on the chain; nothing moved'],
    ['signed', 'Already signed'],
    ['submitted', 'Already signed and sent'],
    ['unknown', 'Already signed and sent'],
    ['confirmed', 'Already signed and done'],
    ['final', 'Already signed and done'],
  ])('of %s is “%s”', (status, heading) => {
    expect(endedHeading(status, action)).toBe(heading);
    expect(endedAdvice(status)).toMatch(/\.$/);
  });

  it('does not say that nothing was signed where something was', () => {
    expect(endedHeading('expired', { ...action, signature: '0x01' })).toBe(
      'This request expired at 14:05 UTC. What was signed can no longer be used.',
    );
  });

  it('names the newer request where there is one', () => {
    expect(endedHeading('superseded', { ...action, renewedBy: 'act_2' })).toBe('A newer request replaced this');
  });
});

it('a kind that is not known is called that, whatever it is named like', () => {
  expect(kindWords('abandon_node')).toBe('Give up a job');
  for (const kind of ['', 'teleport', 'constructor', '__proto__']) {
    expect(kindWords(kind)).toBe('A kind of action that this page does not know');
  }
});
