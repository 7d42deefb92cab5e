import { requestDigest } from '#libs/kernel';
import { NOW, type Signable, signable, SIGNABLE_NAMES } from '../../../../test/support/signable-actions.js';
import type { Check } from '../document/prepared-action.js';
import { isSignable, verifyPreparedAction } from './verify.js';

const check = ({ action, intent, context }: Signable): Check[] => verifyPreparedAction(action, intent, context);
const failures = (checks: readonly Check[]) => checks.filter(({ status }) => status !== 'passed');

describe.each(SIGNABLE_NAMES)('an honest %s', (name) => {
  it('passes all fifteen checks', () => {
    const checks = check(signable(name));
    expect(failures(checks)).toEqual([]);
    expect(checks.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(isSignable(checks)).toBe(true);
  });
});

test('an action is not signable when a check is missing, is there twice, or is unknown but for the one that may be', () => {
  const checks = check(signable('fund_task'));
  expect(isSignable([])).toBe(false);
  expect(isSignable(checks.slice(1))).toBe(false);
  expect(isSignable([...checks, ...checks.slice(0, 1)])).toBe(false);
  for (const { number } of checks) {
    const open = checks.map((row) => (row.number === number ? { ...row, status: 'unknown' as const } : row));
    expect(isSignable(open)).toBe(number === 12);
  }
});

test('before a wallet is connected nothing is signable, and nothing has failed', () => {
  const { action, intent, context } = signable('fund_task');
  const { connectedWallet: _, ...others } = context;
  const checks = verifyPreparedAction(action, intent, { ...others, readings: [] });
  expect(failures(checks).map(({ number, status }) => [number, status])).toEqual([
    [3, 'unknown'],
    [12, 'unknown'],
  ]);
  expect(isSignable(checks)).toBe(false);
});

test('what the service alone says of the escrow is not enough to sign', () => {
  const { action, intent, context } = signable('abandon_node');
  const { tree: _, ...asked } = intent;
  const byService = context.readings.map((reading) => ({ ...reading, source: 'service' as const }));
  const checks = verifyPreparedAction(action, asked, { ...context, readings: byService });
  expect(failures(checks).map(({ number, status }) => [number, status])).toEqual([[7, 'unknown']]);
  expect(isSignable(verifyPreparedAction(action, asked, context))).toBe(true);
});

test('a blockchain node that does not tell of the job has not confirmed its state', () => {
  const { action, intent, context } = signable('abandon_node');
  const [{ node: _, ...silent }] = context.readings as [any];
  const stateBy = (readings: any[]) => verifyPreparedAction(action, intent, { ...context, readings })[11];
  expect(stateBy([silent])).toMatchObject({ number: 12, status: 'unknown' });
  const service = { ...context.readings[0], source: 'service' };
  expect(stateBy([service, silent])?.detail).toMatch(/\(service\)/);
  expect(stateBy([service, { ...silent, nonceUsed: true }])).toMatchObject({ status: 'failed' });
});

test('the address of an escrow that is not deployed follows from what a new task itself says', () => {
  const { action, intent, context } = signable('create_task');
  const { tree: _, ...asked } = intent;
  const checks = verifyPreparedAction(action, asked, { ...context, readings: [] });
  expect(failures(checks).map(({ number }) => number)).toEqual([12]);
  expect(isSignable(checks)).toBe(true);
});

test('a clock that is a little behind is tolerated and shown', () => {
  const { action, intent, context } = signable('fund_task');
  const row = verifyPreparedAction(action, intent, { ...context, readings: [], nowMs: (NOW - 45) * 1000 })[10];
  expect(row).toMatchObject({ number: 11, status: 'passed', detail: expect.stringContaining('45 s behind') });
});

test('the order of the members of a request does not matter', () => {
  const { action, intent, context } = signable('submit_quote');
  const body = Object.fromEntries(Object.entries(intent.body as object).toReversed());
  expect(requestDigest(body)).toBe(action.request_digest);
  expect(isSignable(verifyPreparedAction(action, { ...intent, body }, context))).toBe(true);
});

test('members that are known otherwise are compared, nested as they are', () => {
  const { action, intent, context } = signable('select_agent');
  const expects = { terms: { amount: 250_000_000n, floor: 125_000_000n, hirerFunded: true } };
  expect(isSignable(verifyPreparedAction(action, { ...intent, expects }, context))).toBe(true);
  const others = { terms: { floor: 125_000_001n } };
  const checks = verifyPreparedAction(action, { ...intent, expects: others }, context);
  expect(failures(checks)).toMatchObject([{ number: 13, name: 'members' }]);
});
