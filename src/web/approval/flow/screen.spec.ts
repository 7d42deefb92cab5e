import { FIXTURES } from '../../approval-fixtures/fixtures.js';
import * as sample from '../../approval-fixtures/sample.js';
import { reduce } from './reduce.js';
import { canDecline, canSign, mayBeOvertaken, offersSignature, SCREENS, screenOf } from './screen.js';
import { wordsOf } from '../view/screen-copy.js';
import { type ApprovalEvent, type ApprovalState, openedPage } from './state.js';

const after = (events: readonly ApprovalEvent[]): ApprovalState => events.reduce(reduce, openedPage(sample.facts));
const ready = after(FIXTURES.ready);
const on = (state: ApprovalState, ...events: ApprovalEvent[]): ApprovalState => events.reduce(reduce, state);

describe.each(SCREENS)('the screen %s', (screen) => {
  it('is reached by what happens to a page', () => {
    expect(screenOf(after(FIXTURES[screen]))).toBe(screen);
  });

  it('says what it is in words of its own', () => {
    const { heading } = wordsOf(after(FIXTURES[screen]), screen);
    expect(heading.length).toBeGreaterThan(2);
    const same = SCREENS.filter((other) => wordsOf(after(FIXTURES[other]), other).heading === heading);
    expect(same).toEqual([screen]);
  });
});

it('has a Sign button on five screens only', () => {
  expect(SCREENS.filter((screen) => offersSignature(screen))).toEqual([
    'not_previewed',
    'ready',
    'rejected',
    'pending_in_wallet',
    'wallet_error',
  ]);
});

it.each(SCREENS.filter((screen) => !offersSignature(screen)))('cannot sign while it shows %s', (screen) => {
  expect(canSign(after(FIXTURES[screen]))).toBe(false);
});

describe('what forbids signing', () => {
  const failed = (number: number): ApprovalEvent => ({
    type: 'verified',
    verdict: { ...sample.verdict, checks: sample.checks({ [number]: 'No.' }), isSignable: false },
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15])('is any failed check, such as number %i', (number) => {
    expect(screenOf(on(ready, failed(number)))).toBe('check_failed');
    expect(canSign(on(ready, failed(number)))).toBe(false);
  });

  it('is a request that the chain has moved past, which is said as such', () => {
    expect(screenOf(on(ready, failed(12)))).toBe('state_moved');
  });

  it('is named before a wallet is asked for', () => {
    expect(screenOf(on(after(FIXTURES.choose_wallet), failed(6)))).toBe('check_failed');
  });

  it('is a check that is not known and must be', () => {
    const verdict = { ...sample.verdict, isSignable: false };
    expect(screenOf(on(ready, { type: 'verified', verdict }))).toBe('node_away');
  });

  it('is a box that is not ticked, where there is one', () => {
    const state = after(FIXTURES['ready_irreversible'] ?? []);
    expect(screenOf(state)).toBe('ready');
    expect(canSign(state)).toBe(false);
    expect(canSign(on(state, { type: 'confirmed_changed', isConfirmed: true }))).toBe(true);
  });

  it('is the end of its time, to the second', () => {
    const end = Date.parse(sample.document.action.expires_at);
    expect(screenOf(on(ready, { type: 'tick', nowMs: end - 1 }))).toBe('ready');
    expect(screenOf(on(ready, { type: 'tick', nowMs: end }))).toBe('expired');
  });

  it('is an end of its time that cannot be read', () => {
    const document = { ...sample.document, action: { ...sample.document.action, expires_at: 'soon' } };
    expect(screenOf({ ...ready, document })).toBe('expired');
  });

  it('is another account of the same wallet, and the box has to be ticked anew', () => {
    const ticked = on(ready, { type: 'confirmed_changed', isConfirmed: true });
    const state = on(ticked, { type: 'connected', wallet: sample.wallet, account: sample.stranger });
    expect(screenOf(state)).toBe('wrong_wallet');
    expect(state.isConfirmed).toBe(false);
    const back = on(state, { type: 'connected', wallet: sample.wallet, account: sample.account });
    expect(screenOf(back)).toBe('checking');
  });

  it('is not an address in other capitals', () => {
    const account = { ...sample.account, address: sample.account.address.toLowerCase() };
    const state = {
      ...ready,
      connection: { at: 'connected', wallet: sample.wallet, account, switching: false },
    } as const;
    expect(screenOf(state)).toBe('ready');
  });
});

describe('a request that was carried out elsewhere while the wallet was asked here', () => {
  it.each(['submitted', 'confirmed', 'final', 'failed'] as const)('%s is not offered again', (status) => {
    const document = { ...sample.document, status, transaction_hash: sample.TRANSACTION };
    const arrived = { type: 'document_arrived', document, nowMs: sample.NOW_MS, skewMs: 0 } as const;
    const back = on(after(FIXTURES.waiting), arrived, { type: 'question_dropped' });
    expect(canSign(back)).toBe(false);
    expect(screenOf(back)).toBe(
      { submitted: 'sending', confirmed: 'confirmed', final: 'final', failed: 'reverted' }[status],
    );
    expect(mayBeOvertaken(back)).toBe(true);
  });
});

describe('what is signed', () => {
  const again = after(FIXTURES['send_ready_again'] ?? []);
  const words = (state: ApprovalState): string => wordsOf(state, screenOf(state)).text;

  it('cannot be declined any more', () => {
    expect(canDecline(after(FIXTURES.ready))).toBe(true);
    for (const state of [again, after(FIXTURES.send_ready), { ...again, connection: { at: 'none' } as const }])
      expect(canDecline(state)).toBe(false);
  });

  it('is never said not to be', () => {
    const failed = (number: number): ApprovalEvent => ({
      type: 'verified',
      verdict: { ...sample.verdict, checks: sample.checks({ [number]: 'No.' }), isSignable: false },
    });
    const states = [failed(12), failed(6), { type: 'tick', nowMs: sample.NOW_MS * 2 } as const].map((event) =>
      on(again, event),
    );
    const expired = { type: 'progress_arrived', progress: { status: 'expired' } } as const;
    states.push(on(after(FIXTURES.waiting), { type: 'sent', hash: null }, expired));
    expect(states.map(screenOf)).toEqual(['state_moved', 'check_failed', 'expired', 'expired']);
    expect(states.map(words).filter((text) => /Nothing was signed|Do not sign/.test(text))).toEqual([]);
    const gone = { ...again, document: { ...sample.document, status: 'expired' } } as const;
    expect(words(gone)).not.toContain('Nothing was signed');
  });

  it('and failed on the chain has cost a fee, whoever has paid it', () => {
    expect(words(after(FIXTURES.reverted))).not.toContain('You paid');
  });
});

describe('a page that is opened when the request was carried out', () => {
  it.each([
    ['submitted', 'sending'],
    ['confirmed', 'confirmed'],
    ['final', 'final'],
    ['failed', 'reverted'],
  ] as const)('%s shows where it is', (status, screen) => {
    const document = { ...sample.document, status, transaction_hash: sample.TRANSACTION };
    expect(screenOf(after([{ type: 'document_arrived', document, nowMs: sample.NOW_MS, skewMs: 0 }]))).toBe(screen);
  });

  it('and only signed is sent, and not signed once more; what it was for may be gone by then', () => {
    expect(screenOf(after(FIXTURES['send_ready_again'] ?? []))).toBe('send_ready');
    const document = { ...sample.document, status: 'signed' } as const;
    expect(screenOf({ ...ready, document })).toBe('superseded');
  });
});
