import { FIXTURES } from '../../approval-fixtures/fixtures.js';
import * as sample from '../../approval-fixtures/sample.js';
import { reduce } from './reduce.js';
import { screenOf } from './screen.js';
import { type ApprovalEvent, type ApprovalState, openedPage } from './state.js';

const after = (events: readonly ApprovalEvent[]): ApprovalState => events.reduce(reduce, openedPage(sample.facts));
const on = (state: ApprovalState, ...events: ApprovalEvent[]): ApprovalState => events.reduce(reduce, state);
const rejected = { kind: 'rejected', code: 4001 } as const;

describe('a question to the wallet', () => {
  it('that is dropped leads back to the review', () => {
    expect(screenOf(on(after(FIXTURES.waiting), { type: 'question_dropped' }))).toBe('ready');
  });

  it('to send, that is dropped or declined, keeps the signature and its call', () => {
    const signed = after(FIXTURES.send_ready);
    const call = signed.step.at === 'signed' ? signed.step.call : null;
    const asked = on(signed, { type: 'wallet_asked', call });
    expect(screenOf(asked)).toBe('waiting');
    expect(on(asked, { type: 'question_dropped' }).step).toEqual({ at: 'signed', call });
    const declined = on(asked, { type: 'wallet_failed', during: 'send', failure: rejected });
    expect(declined.step).toEqual({ at: 'signed', call });
    expect(declined.problem).toEqual({ from: 'wallet', during: 'send', failure: rejected });
  });

  it('that is asked again forgets how the one before it ended', () => {
    const again = on(after(FIXTURES.rejected), { type: 'wallet_asked', call: null });
    expect(again.problem).toBeNull();
  });
});

describe('a failure', () => {
  it('to connect leads back to the choice of wallets', () => {
    const state = on(after(FIXTURES.connecting), { type: 'wallet_failed', during: 'connect', failure: rejected });
    expect(state.connection).toEqual({ at: 'none' });
    expect(screenOf(state)).toBe('choose_wallet');
  });

  it('to switch stays with the wallet', () => {
    const state = on(
      after(FIXTURES.wrong_chain),
      { type: 'switch_asked' },
      { type: 'wallet_failed', during: 'switch', failure: rejected },
    );
    expect(state.connection).toMatchObject({ at: 'connected', switching: false });
    expect(screenOf(state)).toBe('wrong_chain');
  });

  it('of the service to hear of a signature keeps it', () => {
    expect(after(FIXTURES.unsent).step).toEqual({ at: 'unsent', signature: '0xaa' });
  });
});

describe('an answer that comes late', () => {
  it('about progress changes nothing before anything was sent', () => {
    const ready = after(FIXTURES.ready);
    expect(on(ready, { type: 'progress_arrived', progress: { status: 'final' } })).toBe(ready);
  });

  it('of an absent service does not take away the request that is there', () => {
    const ready = after(FIXTURES.ready);
    expect(on(ready, { type: 'document_missing', why: 'away' })).toBe(ready);
  });

  it('that brings the request again keeps a transaction that was sent', () => {
    const arrived = { type: 'document_arrived', document: sample.document, nowMs: sample.NOW_MS, skewMs: 0 } as const;
    expect(screenOf(on(after(FIXTURES.sending), arrived))).toBe('sending');
    expect(screenOf(on(after(FIXTURES.send_ready), arrived))).toBe('send_ready');
  });
});

describe('a request that comes again', () => {
  const again = (changes: Partial<typeof sample.document>) =>
    ({
      type: 'document_arrived',
      document: { ...sample.document, ...changes },
      nowMs: sample.NOW_MS,
      skewMs: 0,
    }) as const;
  const hint = again({ status: 'unknown', transaction_hash: sample.TRANSACTION });

  it('with a transaction that the chain does not know can still be signed, and be sent where it is signed', () => {
    expect(screenOf(on(after(FIXTURES.ready), hint))).toBe('ready');
    expect(screenOf(on(after(FIXTURES.send_ready), hint))).toBe('send_ready');
  });

  it.each(['submitted', 'confirmed', 'final', 'failed'] as const)(
    'and is %s meanwhile, by another tab, is followed and not sent twice',
    (status) => {
      const shown = { submitted: 'sending', confirmed: 'confirmed', final: 'final', failed: 'reverted' }[status];
      expect(screenOf(on(after(FIXTURES.ready), again({ status })))).toBe(shown);
      expect(screenOf(on(after(FIXTURES.send_ready), again({ status })))).toBe(shown);
    },
  );

  it.each(['declined', 'superseded', 'expired'] as const)('and is %s meanwhile offers nothing any more', (status) => {
    expect(screenOf(on(after(FIXTURES.ready), again({ status })))).toBe(status);
    expect(screenOf(on(after(FIXTURES.send_ready), again({ status })))).toBe(status);
  });

  it('keeps what was found, so that the page does not blink', () => {
    expect(on(after(FIXTURES.ready), again({})).verdict).not.toBeNull();
  });
});

describe('a transaction that was sent and that nobody sees', () => {
  it('can be sent again', () => {
    const state = on(after(FIXTURES.unseen), { type: 'checks_restarted' });
    expect(state.step).toEqual({ at: 'review' });
  });

  it('is not waited for as if nobody had declined the request meanwhile', () => {
    const declined = { type: 'progress_arrived', progress: { status: 'declined' } } as const;
    expect(screenOf(on(after(FIXTURES.sending), declined))).toBe('unseen');
  });

  it('is sent again only as the service describes it now, and nothing else is said of it until then', () => {
    const forgotten = { type: 'progress_arrived', progress: { status: 'signed' } } as const;
    const state = on(after(FIXTURES.sending), forgotten, { type: 'checks_restarted' });
    expect(screenOf(state)).toBe('loading');
    expect(screenOf(on(state, { type: 'document_missing', why: 'away' }))).toBe('service_away');
    const [, again] = FIXTURES['send_ready_again']!.filter(({ type }) => type === 'document_arrived');
    expect(screenOf(on(state, again ?? { type: 'reload' }))).not.toBe('superseded');
  });

  it('is said to be unseen also when the service has forgotten it, but not before it has answered', () => {
    const forgotten = { type: 'progress_arrived', progress: { status: 'signed' } } as const;
    expect(screenOf(on(after(FIXTURES.sending), forgotten))).toBe('unseen');
    const bundle = on(after(FIXTURES.waiting), { type: 'sent', hash: null }, forgotten);
    expect(screenOf(bundle)).toBe('sending');
  });
});

describe('calls that a wallet has taken', () => {
  const dropped = { kind: 'dropped', code: null } as const;
  const call = after(FIXTURES.send_ready).step;
  const taken = on(after(FIXTURES.send_ready), { type: 'wallet_asked', call: call.at === 'signed' ? call.call : null });
  const bundle = on(taken, { type: 'sent', hash: null }, { type: 'progress_arrived', progress: { status: 'signed' } });

  it('and did not carry out are sent again', () => {
    expect(on(bundle, { type: 'wallet_failed', during: 'send', failure: dropped }).step).toEqual(call);
    const signing = on(after(FIXTURES.waiting), { type: 'sent', hash: null });
    expect(on(signing, { type: 'wallet_failed', during: 'sign', failure: dropped }).step).toEqual({ at: 'review' });
  });

  it('are done once the chain shows their transaction, whatever the wallet says of them', () => {
    const progress = { status: 'confirmed', transaction_hash: sample.TRANSACTION } as const;
    const seen = on(bundle, { type: 'progress_arrived', progress });
    expect(on(seen, { type: 'wallet_failed', during: 'send', failure: dropped })).toBe(seen);
  });

  it('are not taken back by a click that comes too late to drop the question', () => {
    expect(on(bundle, { type: 'question_dropped' }).step).toEqual(bundle.step);
  });
});

describe('checks from the beginning', () => {
  it('forget what was found and what went wrong', () => {
    const state = on(after(FIXTURES.rejected), { type: 'checks_restarted' });
    expect(state).toMatchObject({ findings: null, simulation: null, problem: null });
    expect(screenOf(state)).toBe('checking');
  });

  it('follow a smart wallet that was not active, but never a signature for something else', () => {
    const inactive = on(after(FIXTURES.smart_wallet_inactive), { type: 'checks_restarted' });
    expect(inactive.step).toEqual({ at: 'review' });
    const invalid = after(FIXTURES.signature_invalid);
    expect(on(invalid, { type: 'checks_restarted' })).toBe(invalid);
  });

  it('never undo what was signed', () => {
    const signed = after(FIXTURES.send_ready);
    expect(on(signed, { type: 'checks_restarted' })).toBe(signed);
  });
});

it('says that a wallet is slow only while it is asked', () => {
  const ready = after(FIXTURES.ready);
  expect(on(ready, { type: 'wallet_is_slow' })).toEqual(ready);
  expect(on(after(FIXTURES.waiting), { type: 'wallet_is_slow' }).step).toMatchObject({ slow: true });
});

it('leaves the state that it was given as it was', () => {
  const ready = after(FIXTURES.ready);
  const before = structuredClone({ ...ready, wallets: [], connection: { at: 'none' } });
  on(ready, { type: 'declined' }, { type: 'disconnected' }, { type: 'tick', nowMs: 1 });
  expect(structuredClone({ ...ready, wallets: [], connection: { at: 'none' } })).toEqual(before);
});
