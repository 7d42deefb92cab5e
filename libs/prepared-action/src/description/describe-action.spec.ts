import { childPath, formatUsdc } from '#libs/notation';
import { NOW, OTHER, signable, SIGNABLE_NAMES, WORKER } from '../../../../test/support/signable-actions.js';
import { confirmedFacts } from './confirmed-facts.js';
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
  floor: '125000000',
  nodeState: 'delivered',
};
const describe_ = (name: Parameters<typeof signable>[0], known: DescriptionFacts = facts) =>
  describeAction(signable(name).action, known);

test.each([
  ['create_task', 'neutral', 'Publish “Translate 40 pages” with a budget of up to 300.00 USDC. No money moves now.'],
  ['submit_quote', 'commitment', 'Offer to do “Translate 40 pages” for 250.00 USDC, within 5 days of the payment.'],
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
    'neutral',
    'Return 250.00 USDC to whoever paid for “Translate 40 pages”: nothing was delivered by 27 Nov 2026, 12:00 UTC.',
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
    expect(next.length).toBeGreaterThanOrEqual(2);
    // What silence does to work that waits for an answer depends on a state that nobody has told.
    const isTold = name !== 'resolve_task' || known === facts;
    expect(next.some((line) => /\bIf (you|nobody|it)\b|silence/.test(line))).toBe(isTold);
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
    /^Your hirer puts 250\.00 USDC in escrow for you before you have to start\.$/,
  ],
  [
    'that hangs on the jobs above',
    'submit_quote',
    ({ terms }) => Object.assign(terms, { hirerFunded: false, nodeId: childPath(childPath(7n, 2), 1).toString() }),
    /part of job 7-2: you are paid only when that job and all above it are accepted too/,
  ],
  ['how long the offer stands', 'submit_quote', () => null, /^Until \d+ \w{3} \d{4}.* you can be hired for this/],
  [
    'the time for a review',
    'select_agent',
    () => null,
    /has 5 days from the payment on to deliver\. Then you have 3 days to accept or reject/,
  ],
  ['that a permit names no task', 'fund_task by permit', () => null, /^A permit does not name the task/],
  ['what is delivered', 'deliver', () => null, /SHA-256 0x[0-9a-f]{64}\. Nothing else/],
  [
    'that the floor comes without a ruling',
    'dispute_node',
    () => null,
    /^Without a ruling in time, you get 125\.00 USDC\.$/,
  ],
  [
    'what the floor is where there is an arbiter',
    'submit_quote',
    (message) => (message.arbiter = OTHER),
    /^The floor is 125\.00 USDC: the least you and any helpers get if the arbiter stays silent, and the most that may be promised to helpers/,
  ],
  [
    'what the floor is where there is none',
    'submit_quote',
    () => null,
    /^The floor is 125\.00 USDC: the most that may be promised to helpers\.$/,
  ],
  [
    'who rules on the work that it offers',
    'submit_quote',
    (message) => (message.arbiter = OTHER),
    new RegExp(`^${OTHER} rules on disputes\\. Nobody can change that later\\.$`),
  ],
  [
    'that nobody rules on the work that it offers',
    'submit_quote',
    () => null,
    /^Nobody rules on disputes: a rejection/,
  ],
  ['how often is delivered again', 'submit_quote', () => null, /again, 3 times at most/],
  ['that is delivered once', 'submit_quote', ({ terms }) => (terms.maxRevisions = '0'), /you cannot deliver again/],
  ['that one more delivery is one', 'select_agent', ({ terms }) => (terms.maxRevisions = '1'), /again, once at most/],
  ['that time to work begins with the payment', 'fund_task', () => null, /has 5 days from the payment on to deliver/],
  [
    'that the money comes by itself, and after silence when somebody sends it',
    'deliver',
    () => null,
    /^If it is accepted, the money goes straight to your wallet\. After silence, anybody can send it there\.$/,
  ],
  ['that the money waits', 'deliver', (message) => (message.payOut = false), /you withdraw it yourself/],
  [
    'who is paid by a token’s own message',
    'fund_task by EIP-3009',
    () => null,
    new RegExp(`to the wallet ${WORKER}\\.$`),
  ],
  ['who is paid after a permit', 'fund_task by permit', () => null, new RegExp(`to the wallet ${WORKER}\\.$`)],
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
  [true, 'Agent “Lingua-7” gets the money once the job that this one is part of is accepted too.'],
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

describe('the worst case for the reader', () => {
  const worst = (
    name: Parameters<typeof signable>[0],
    known: Partial<DescriptionFacts>,
    change?: (m: any) => unknown,
  ) => {
    const { action } = signable(name);
    change?.(action.payload['message']);
    return describeAction(action, { ...facts, ...known })?.worstCase;
  };

  test.each(SIGNABLE_NAMES)('is said of %s, also without any facts', (name) => {
    for (const known of [
      facts,
      { ...facts, hasArbiter: true },
      { ...facts, hasArbiter: false },
      { nowMs: NOW * 1000 },
    ]) {
      const { worstCase = '' } = describe_(name, known) ?? {};
      expect(worstCase).toMatch(/^Worst case for you: [a-z].*\.$/);
      expect(worstCase).not.toMatch(/undefined|null|NaN|\.\./);
    }
  });

  it('is the whole price for who pays, or the floor where the arbiter is silent', () => {
    for (const name of ['fund_task', 'fund_task by EIP-3009', 'fund_task by permit'] as const) {
      expect(worst(name, { hasArbiter: true })).toBe(
        'Worst case for you: the arbiter rules that you pay 250.00 USDC. Without a ruling you pay at most 125.00 USDC for work that you reject in time.',
      );
      expect(worst(name, { hasArbiter: false })).toBe(
        'Worst case for you: you do not answer a delivery in time, and pay 250.00 USDC. Else you pay only for what you accept.',
      );
      expect(worst(name, {})).toBe('Worst case for you: you pay 250.00 USDC.');
    }
    expect(worst('subcontract', { hasArbiter: true })).toMatch(/you pay 40\.00 USDC\..* at most 20\.00 USDC/);
  });

  it('is the floor or a ruling for a worker, and nothing where nobody rules', () => {
    const ruled =
      /rules that you get nothing\. Without a ruling you get 125\.00 USDC for work that you deliver and contest/;
    expect(worst('submit_quote', {}, (message) => (message.arbiter = OTHER))).toMatch(
      /Without a ruling you and any helpers get 125\.00 USDC for work/,
    );
    expect(worst('submit_quote', {})).toMatch(/every delivery is rejected, and you are paid nothing/);
    expect(worst('deliver', { hasArbiter: true })).toMatch(ruled);
    expect(worst('deliver', { hasArbiter: false })).toMatch(/every delivery is rejected, and you are paid nothing/);
    expect(worst('dispute_node', {})).toMatch(ruled);
  });

  it('is nothing for a worker who is paid out of a job above, even for accepted work', () => {
    const below = /a job above this one is refunded\. Then you are paid nothing, even for accepted work/;
    const child = (message: any) =>
      Object.assign(message.terms, { hirerFunded: false, nodeId: childPath(1n, 2).toString() });
    expect(worst('submit_quote', {}, child)).toMatch(below);
    const inChild = (message: any) => (message.nodeId = childPath(1n, 2).toString());
    expect(worst('deliver', { hasArbiter: true, hangsOnParent: true }, inChild)).toMatch(below);
    // Where nobody told whether it hangs on another, no floor is promised.
    expect(worst('deliver', { hasArbiter: true }, inChild)).toMatch(/rejected for good, and you are paid nothing/);
    expect(worst('deliver', { hasArbiter: true, hangsOnParent: false }, inChild)).toMatch(/Without a ruling/);
  });

  it('is named of a destination that is another wallet', () => {
    expect(worst('withdraw_refund', {})).toMatch(/the address is wrong, and the money is lost/);
    expect(worst('withdraw_earnings', {})).toMatch(/The money stays yours/);
  });
});

test.each<[string, Partial<DescriptionFacts>, boolean]>([
  ['no revision is left and nobody rules', { revisionsLeft: 0, hasArbiter: false }, true],
  ['the deadline is over and nobody rules', { deliverBy: NOW - 1, hasArbiter: false }, true],
  ['the deadline may be over when it is mined', { deliverBy: NOW + 60, hasArbiter: false }, true],
  ['a revision is left', { revisionsLeft: 1, hasArbiter: false }, false],
  ['an arbiter can be asked', { revisionsLeft: 0, hasArbiter: true }, false],
  ['nobody has told whether an arbiter can be asked', { revisionsLeft: 0 }, false],
])('a rejection is final at once when %s', (_what, known, isFinal) => {
  const { sentence = '', mustConfirm, next = [], settles } = describe_('reject_task', { ...facts, ...known }) ?? {};
  expect(sentence.endsWith('goes back to you. This cannot be undone.')).toBe(isFinal);
  expect(mustConfirm === null).toBe(!isFinal);
  expect(/goes back to you/.test(settles ?? '')).toBe(isFinal);
  const isLast = known.revisionsLeft === 0 || known.deliverBy !== undefined;
  expect(next.includes('The worker cannot deliver again.')).toBe(isLast);
});

test.each([
  [1, 1, 'If it is rejected, you can deliver again until 27 Nov 2026, 12:00 UTC.'],
  [1, 0, 'If it is rejected, you cannot deliver again.'],
  [3, 2, 'If it is rejected, you can deliver again until 27 Nov 2026, 12:00 UTC.'],
  [3, 1, 'If it is rejected, you cannot deliver again.'],
])('a delivery at version %i with %i revisions left says: %s', (version, revisionsLeft, line) => {
  const { action } = signable('deliver');
  Object.assign(action.payload['message'] as object, { nonce: String(256 + version) });
  expect(describeAction(action, { ...facts, revisionsLeft })?.next).toContain(line);
});

test('accepting says that the money goes to the worker by itself where it asked for that', () => {
  const paidOut = 'The money goes straight to the wallet of agent “Lingua-7”.';
  expect(describe_('resolve_task', { ...facts, hangsOnParent: false, payOut: true })?.next).toContain(paidOut);
  expect(describe_('resolve_task', { ...facts, hangsOnParent: true, payOut: true })?.next).not.toContain(paidOut);
});

test.each([
  ['delivered', /^If you do nothing, the delivery counts as accepted/],
  ['rejected', /^If the worker does nothing in time, all the money goes back to you\.$/],
  ['disputed', /^Without a ruling in time, the worker and any helpers get 125\.00 USDC\.$/],
])('accepting says what silence does to a job that is %s', (nodeState, line) => {
  const { next = [] } = describe_('resolve_task', { ...facts, nodeState }) ?? {};
  expect(next.at(-1)).toMatch(line);
  expect(next.filter((said) => /counts as accepted/.test(said))).toHaveLength(nodeState === 'delivered' ? 1 : 0);
});

test('what is promised to helpers is not said to be the worker’s', () => {
  const promised: DescriptionFacts = { ...facts, hasArbiter: true, unallocated: '210000000' };
  const all = (name: Parameters<typeof signable>[0], known: DescriptionFacts): string => {
    const { next, worstCase } = describe_(name, known)!;
    return [...next, worstCase].join(' ');
  };
  for (const name of ['deliver', 'dispute_node'] as const) {
    expect(all(name, promised)).toMatch(/ruling,?( in time,)? you get 85\.00 USDC/);
    expect(all(name, promised)).not.toMatch(/get 125/);
    const { unallocated: _, ...untold } = promised;
    expect(all(name, untold)).toMatch(/you and any helpers get 125\.00 USDC/);
  }
  const rejected = { ...promised, nodeState: 'disputed' };
  for (const name of ['reject_task', 'resolve_task'] as const) {
    expect(all(name, rejected)).toContain('Without a ruling in time, the worker and any helpers get 125.00 USDC.');
  }
});

test('money for a job that is paid out of another one is not said to come by itself', () => {
  const { action } = signable('deliver');
  Object.assign(action.payload['message'] as object, { nodeId: childPath(1n, 2).toString() });
  const later = 'Once this job and those it is paid from are settled, anybody can send the money to your wallet.';
  for (const known of [{}, { hangsOnParent: true }]) {
    const { next = [] } = describeAction(action, { ...facts, ...known }) ?? {};
    expect(next).toContain(later);
    expect(next.join(' ')).not.toMatch(/straight/);
  }
  expect(describeAction(action, { ...facts, hangsOnParent: false })?.next).not.toContain(later);
});

test('a payment names the arbiter where there is one', () => {
  const tree = { buyer: WORKER, arbiter: OTHER };
  const rules = `${OTHER} rules on disputes. Nobody can change that later.`;
  for (const name of ['fund_task', 'fund_task by EIP-3009', 'fund_task by permit', 'subcontract'] as const) {
    expect(describe_(name, confirmedFacts('fund_task', facts, tree, null))?.next).toContain(rules);
    const none = { ...tree, arbiter: `0x${'0'.repeat(40)}` };
    const lie = { ...facts, arbiter: OTHER, hasArbiter: true };
    expect(describe_(name, confirmedFacts('fund_task', lie, none, null))?.next).not.toContain(rules);
  }
});

test('a permit is described by the terms that it is for, and not by what the service says of them', () => {
  const lie: DescriptionFacts = { ...facts, floor: '1', acceptWindowSeconds: 1, revisionsLeft: 10 };
  const [, ...byPermit] = describe_('fund_task by permit', lie)?.next ?? [];
  expect(byPermit).toEqual(describe_('fund_task by EIP-3009')?.next);
  const { action } = signable('fund_task by permit');
  delete action.payload['authorizes'];
  expect(describeAction(action, facts)).toBeNull();
});

test('a service that lies about a job does not make the worst case look better', () => {
  const lie: DescriptionFacts = { ...facts, floor: '250000000', hasArbiter: false, revisionsLeft: 10 };
  const tree = { buyer: WORKER, arbiter: OTHER };
  const node = {
    state: 2,
    amount: 250_000_000n,
    worker: WORKER,
    floor: 100_000_000n,
    revisions: 2,
    maxRevisions: 3,
  } as const;
  expect(confirmedFacts('deliver', lie, tree, node)).toEqual({
    ...facts,
    floor: '100000000',
    hasArbiter: true,
    arbiter: OTHER,
    revisionsLeft: 1,
  });
  const told = { ...node, allocated: 40_000_000n, deliverBy: NOW, amount: 90_000_000n };
  expect(confirmedFacts('deliver', lie, null, told)).toMatchObject({
    deliverBy: NOW,
    nodeAmount: '90000000',
    unallocated: '50000000',
    nodeState: 'delivered',
  });
  expect(confirmedFacts('subcontract', lie, null, told)).toEqual({
    ...lie,
    nodeAmount: '90000000',
    unallocated: '50000000',
  });
  const hangs = (hirerFunded: boolean, hangsOnParent?: boolean) =>
    confirmedFacts('deliver', hangsOnParent === undefined ? facts : { ...facts, hangsOnParent }, null, {
      ...node,
      hirerFunded,
    }).hangsOnParent;
  expect([hangs(true, true), hangs(true), hangs(false, true)]).toEqual([false, false, true]);
  // The wallet's node sees that other jobs pay for this one, and not whether they are settled.
  expect([hangs(false, false), hangs(false)]).toEqual([undefined, undefined]);
  expect(confirmedFacts('deliver', lie, { ...tree, arbiter: `0x${'0'.repeat(40)}` }, null).hasArbiter).toBe(false);
  expect(confirmedFacts('deliver', lie, null, undefined)).toEqual(lie);
  // The node of a hirer is not the new one.
  expect(confirmedFacts('subcontract', lie, null, node)).toEqual(lie);
});
