import { formatUsdc } from '#libs/notation';
import { NOW, OTHER, signable, SIGNABLE_NAMES, WORKER } from '../../../../test/support/signable-actions.js';
import { describeAction } from './describe-action.js';
import type { DescriptionFacts } from '../document/prepared-action.js';

const facts: DescriptionFacts = {
  nowMs: NOW * 1000,
  taskTitle: 'Translate 40 pages',
  agentName: 'Lingua-7',
  deliverBy: NOW + 5 * 86_400,
  acceptWindowSeconds: 259_200,
  nodeAmount: '250000000',
  unallocated: '250000000',
};
const describe_ = (name: Parameters<typeof signable>[0], known: DescriptionFacts = facts) =>
  describeAction(signable(name).action, known);

test.each([
  ['create_task', 'neutral', 'Publish “Translate 40 pages” with a budget of up to 300.00 USDC. No money moves now.'],
  ['submit_quote', 'commitment', 'Offer to do “Translate 40 pages” for 250.00 USDC by 27 Nov 2026, 12:00 UTC.'],
  ['select_agent', 'neutral', 'Choose agent “Lingua-7” at 250.00 USDC for “Translate 40 pages”. No money moves now.'],
  ['fund_task', 'outgoing', 'Put 250.00 USDC in escrow for “Translate 40 pages”.'],
  ['fund_task by EIP-3009', 'outgoing', 'Put 250.00 USDC in escrow for “Translate 40 pages”.'],
  ['fund_task by permit', 'outgoing', 'Put 250.00 USDC in escrow for “Translate 40 pages”.'],
  [
    'subcontract',
    'outgoing',
    'Hire agent “Lingua-7” for part of “Translate 40 pages”: 40.00 USDC of your 250.00 USDC.',
  ],
  [
    'subcontract by EIP-3009',
    'outgoing',
    'Hire agent “Lingua-7” for part of “Translate 40 pages”: 40.00 USDC from your wallet.',
  ],
  ['deliver', 'commitment', 'Deliver your work on “Translate 40 pages”.'],
  [
    'resolve_task',
    'irreversible',
    'Accept the work on “Translate 40 pages”. 250.00 USDC goes to agent “Lingua-7”. This cannot be undone.',
  ],
  ['reject_task', 'dispute', 'Reject the work on “Translate 40 pages”. 250.00 USDC stays in escrow for now.'],
  [
    'abandon_node',
    'irreversible',
    'Give up your job on “Translate 40 pages”. 250.00 USDC goes back to the hirer. This cannot be undone.',
  ],
  [
    'claim_non_delivery',
    'incoming',
    'Take back 250.00 USDC for “Translate 40 pages”: nothing was delivered by 27 Nov 2026, 12:00 UTC.',
  ],
  ['dispute_node', 'dispute', 'Contest the rejection of your work on “Translate 40 pages”.'],
  ['withdraw_earnings', 'incoming', `Move 250.00 USDC earned on “Translate 40 pages” to your wallet ${WORKER}.`],
  [
    'withdraw_refund',
    'incoming',
    `Move 250.00 USDC left over from “Translate 40 pages” to ${OTHER}, which is not the wallet that signs.`,
  ],
] as const)('%s (%s) is said so: %s', (name, tone, sentence) => {
  expect(describe_(name)).toMatchObject({ sentence, tone });
});

test.each(SIGNABLE_NAMES)('%s says what happens next, also if nobody acts, and that even without any facts', (name) => {
  for (const known of [facts, { nowMs: NOW * 1000 }]) {
    const { next = [], sentence = '' } = describe_(name, known) ?? {};
    expect(next.length).toBeGreaterThanOrEqual(3);
    expect(next.some((line) => /\bIf (you|nobody|it)\b|silence/.test(line))).toBe(true);
    expect([sentence, ...next].every((line) => line.endsWith('.') && !/undefined|null|NaN/.test(line))).toBe(true);
  }
});

test('a box must be ticked only for what cannot be undone, and for a destination that is another wallet', () => {
  const confirmed = SIGNABLE_NAMES.filter((name) => describe_(name)?.mustConfirm !== null);
  expect(confirmed).toEqual(['resolve_task', 'abandon_node', 'withdraw_refund']);
});

test('what is left of a job for the worker who hires under it is computed', () => {
  expect(describe_('subcontract')?.next[0]).toBe(`You can still earn ${formatUsdc(210_000_000n)} USDC yourself.`);
});

test.each<[string, Parameters<typeof signable>[0], (message: any) => unknown, RegExp]>([
  [
    'whose task has an arbiter',
    'create_task',
    (message) => (message.arbiter = OTHER),
    new RegExp(`^${OTHER} rules on disputes`),
  ],
  ['whose task has none', 'create_task', () => null, /^Nobody rules on disputes/],
  [
    'until when offers come',
    'create_task',
    () => null,
    /^Agents can make offers until \d+ \w{3} \d{4}, \d\d:\d\d UTC\./,
  ],
  [
    'whose money is there first',
    'submit_quote',
    ({ terms }) => (terms.hirerFunded = true),
    /^The buyer puts 250\.00 USDC in escrow for you before you have to start\.$/,
  ],
  [
    'that hangs on the jobs above',
    'submit_quote',
    ({ terms }) => Object.assign(terms, { hirerFunded: false, parentNodeId: '7' }),
    /part of job 7: you are paid only when that job and every job above it are accepted too/,
  ],
  ['how long the offer stands', 'submit_quote', () => null, /^Until \d+ \w{3} \d{4}.* you can be hired for this/],
  ['the time for a review', 'select_agent', () => null, /has until \d+ \w{3} \d{4}.* 3 days to accept or reject/],
  ['that a permit names no task', 'fund_task by permit', () => null, /^A permit does not name the task/],
  ['what is delivered', 'deliver', () => null, /SHA-256 0x[0-9a-f]{64}\. Nothing else/],
  ['that half comes without a ruling', 'dispute_node', () => null, /Without a ruling by then, half of it is yours/],
])('it is said next %s (%s)', (_what, name, change, line) => {
  const { action } = signable(name);
  change(action.payload['message']);
  expect(describeAction(action, facts)?.next).toContainEqual(expect.stringMatching(line));
});

test('a rejection is said to be silent, or what the worker is told', () => {
  const next = (reasonHash: string, rejectionReason?: string): string[] => {
    const { action } = signable('reject_task');
    Object.assign(action.payload['message'] as object, { reasonHash });
    return describeAction(action, rejectionReason === undefined ? facts : { ...facts, rejectionReason })?.next ?? [];
  };
  const [silent] = next(`0x${'0'.repeat(64)}`);
  const [told] = next(`0x${'a'.repeat(64)}`, 'Page 3 is missing');
  expect(told).toBe('Reason sent to the worker: “Page 3 is missing”');
  expect(silent).not.toBe(told);
  expect(silent).toMatch(/reason/);
});

test('words of other people stay between their quotation marks, on one line and within 80 characters', () => {
  const taskTitle = `x”. You receive 1000 USDC\n\u202e“free\u200b ${'y'.repeat(20_000)}`;
  const { sentence = '' } = describe_('fund_task', { ...facts, taskTitle }) ?? {};
  expect(
    sentence.startsWith("Put 250.00 USDC in escrow for “x'. You receive 1000 USDC \\u{202e}'free\\u{200b} yyy"),
  ).toBe(true);
  expect(sentence).toMatch(/^[^“”\n]*“[^“”\n]{80}”\.$/u);
});

test.each<[string, (action: any) => unknown]>([
  ['of an unknown kind', (action) => (action.kind = 'approve_all')],
  ['with another message', (action) => (action.payload.primaryType = 'Permit')],
  ['without its amount', (action) => delete action.payload.message.amount],
  ['with a negative amount', (action) => (action.payload.message.amount = '-1')],
  ['without a payload', (action) => delete action.payload],
])('an action %s is not described', (_what, change) => {
  const { action } = signable('abandon_node');
  change(action);
  expect(describeAction(action, facts)).toBeNull();
});

test.each(SIGNABLE_NAMES)('%s names the task', (name) => {
  expect(describe_(name)?.sentence).toContain('“Translate 40 pages”');
});

test('what becomes of money that no wallet gains or loses is said', () => {
  const said = SIGNABLE_NAMES.map((name) => describe_(name)?.settles);
  expect(said.filter((line) => line !== undefined).every((line) => line.endsWith('.'))).toBe(true);
  expect(describe_('resolve_task')?.settles).toBe('The 250.00 USDC in escrow will belong to agent “Lingua-7”.');
  expect(describe_('abandon_node')?.settles).toBe('The 250.00 USDC in escrow go back to the hirer.');
  for (const name of ['fund_task', 'withdraw_earnings', 'withdraw_refund'] as const) {
    expect(describe_(name)?.settles).toBeUndefined();
  }
});

test.each([
  [false, 'Agent “Lingua-7” can withdraw the money at once.'],
  [true, 'Agent “Lingua-7” can withdraw the money once the job that this one is part of is accepted too.'],
])('accepting says when the money can be withdrawn: the node hangs on another (%s)', (hangsOnParent, line) => {
  expect(describe_('resolve_task', { ...facts, hangsOnParent })?.next).toContain(line);
});

test('accepting says nothing of jobs above where none is known, and nothing of shares where nobody has one', () => {
  expect(describe_('resolve_task')?.next.join(' ')).not.toMatch(/withdraw|goes to those/);
  const shared = describe_('resolve_task', { ...facts, unallocated: '210000000' });
  expect(shared?.next).toContain('40.00 USDC of it goes to those who worked under this job.');
});

test('amounts have their thousands apart', () => {
  const { action } = signable('create_task');
  Object.assign(action.payload['message'] as object, { budget: '1234567500000' });
  expect(describeAction(action, facts)?.sentence).toContain('1,234,567.50 USDC');
});
