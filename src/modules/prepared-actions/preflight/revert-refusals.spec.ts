import { refusalOf } from './revert-refusals.js';

describe('the refusal of an action that would revert', () => {
  it.each([
    ['WrongState', 'state_conflict'],
    ['LiveAllocations', 'state_conflict'],
    ['InvalidSignature', 'wallet_mismatch'],
    ['ActionExpired', 'window_closed'],
    ['NonceUsed', 'state_conflict'],
    ['InsufficientNodeBalance', 'insufficient_unallocated'],
    ['WrongNonce', 'state_conflict'],
    ['NoRevisionLeft', 'state_conflict'],
    ['InvalidTerms', 'state_conflict'],
    ['AncestorClosed', 'state_conflict'],
    ['TooLate', 'window_closed'],
    ['NodeExists', 'state_conflict'],
    ['TokenPaused', 'state_conflict'],
    ['AncestorNotSettled', 'state_conflict'],
    ['InvalidRecipient', 'state_conflict'],
    ['SomethingNew', 'state_conflict'],
  ])('%s is %s', (name, code) => {
    const refusal = refusalOf({ name, args: {} });
    expect(refusal.code).toBe(code);
    expect(refusal.status).toBe(409);
  });

  it('tells nobody to wait for promises that waiting does not end', () => {
    const { suggestion } = refusalOf({ name: 'LiveAllocations', args: {} });
    expect(suggestion).not.toMatch(/\bwait/i);
    expect(suggestion).toContain('ended without pay');
  });

  it('is a state conflict when the chain gives no reason, and shows none of its data', () => {
    expect(refusalOf(null).code).toBe('state_conflict');
    expect(JSON.stringify(refusalOf({ name: 'Error', args: { value: 'rpc text' } }).body())).not.toContain('rpc text');
  });
});
