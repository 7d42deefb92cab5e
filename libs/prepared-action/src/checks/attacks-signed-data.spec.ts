import { encodeDeliver, FundingMode } from '#libs/contracts';
import { requestDigest } from '#libs/kernel';
import {
  type Attack,
  describeAttacks,
  instant,
  lookAlike,
  message,
  renumber,
  resend,
  sendInstead,
} from '../../../../test/support/attacks.js';
import { ARTIFACT, NOW, OTHER, signable } from '../../../../test/support/signable-actions.js';
import { isSignable, verifyPreparedAction } from './verify.js';

const TYPED_DATA: Attack[] = [
  [
    'a further member of the struct',
    'abandon_node',
    [8, 15],
    ({ action }) => action.payload.types.AbandonNode.push({ name: 'to', type: 'address' }),
  ],
  ['a further member of the message', 'abandon_node', [8, 15], (target) => (message(target).note = 'free money')],
  ['a further struct', 'abandon_node', [8], ({ action }) => (action.payload.types.Other = [])],
  [
    'a struct called __proto__',
    'abandon_node',
    [8],
    ({ action }) =>
      (action.payload.types = JSON.parse(JSON.stringify(action.payload.types).replace('{', '{"__proto__":[],'))),
  ],
  ['a wider amount', 'abandon_node', [8], ({ action }) => (action.payload.types.AbandonNode[2].type = 'uint128')],
  [
    'a member by another name',
    'abandon_node',
    [8, 15],
    ({ action }) => (action.payload.types.AbandonNode[2].name = 'total'),
  ],
  ['members in another order', 'abandon_node', [8], ({ action }) => action.payload.types.AbandonNode.reverse()],
  [
    'a member twice',
    'abandon_node',
    [8, 15],
    ({ action }) => (action.payload.types.AbandonNode[1] = action.payload.types.AbandonNode[0]),
  ],
  [
    'a member with a secret third property',
    'abandon_node',
    [8],
    ({ action }) => (action.payload.types.AbandonNode[1].x = 1),
  ],
  ['another domain name', 'abandon_node', [8], ({ action }) => (action.payload.domain.name = 'Tasktrее')],
  ['another domain version', 'abandon_node', [8], ({ action }) => (action.payload.domain.version = '1')],
  ['a salt in the domain', 'abandon_node', [8, 15], ({ action }) => (action.payload.domain.salt = requestDigest({}))],
  ['a domain without its struct', 'abandon_node', [8, 15], ({ action }) => delete action.payload.types.EIP712Domain],
  ['a number instead of a text', 'abandon_node', [8, 13], (target) => (message(target).amount = 250_000_000)],
  ['a number with a leading zero', 'abandon_node', [8, 13, 15], (target) => (message(target).amount = '0250000000')],
  ['a hexadecimal number', 'abandon_node', [8, 13, 15], (target) => (message(target).amount = '0xee6b280')],
  ['a flag instead of an address', 'abandon_node', [6, 8, 15], (target) => (message(target).token = true)],
  ['a list instead of a message', 'abandon_node', [4, 8, 9, 11, 13, 15], ({ action }) => (action.payload.message = [])],
  [
    'another primary type',
    'abandon_node',
    [4, 6, 8, 9, 11, 15],
    ({ action }) => (action.payload.primaryType = 'ResolveTask'),
  ],
  [
    'a permit that was not asked for',
    'fund_task by permit',
    [8],
    ({ action, intent }) => {
      delete intent.body;
      action.request_digest = requestDigest(undefined);
      action.payload.authorizes.message.requestDigest = action.request_digest;
    },
  ],
  [
    'a payment for a job that is paid out of the node',
    'subcontract by EIP-3009',
    [8, 9],
    ({ action }) => (action.payload.authorizes.message.terms.hirerFunded = false),
  ],
  [
    'a payment that does not say for what',
    'fund_task by EIP-3009',
    [4, 8, 9, 11, 13],
    ({ action }) => delete action.payload.authorizes,
  ],
  [
    'a payment for another action',
    'fund_task by EIP-3009',
    [9],
    ({ action }) => (action.payload.message.nonce = requestDigest({})),
  ],
  [
    'a payment over more than its action',
    'fund_task by EIP-3009',
    [13],
    (target) => (message(target).value = '250000001'),
  ],
  [
    'a payment that says another worker than it pays',
    'fund_task by EIP-3009',
    [9],
    ({ action }) => (action.payload.authorizes.message.terms.worker = OTHER),
  ],
  [
    'a payment under another floor than it signs for',
    'fund_task by EIP-3009',
    [9],
    ({ action }) => (action.payload.authorizes.message.terms.floor = '0'),
  ],
  [
    'a payment that ends a second before its action',
    'fund_task by EIP-3009',
    [9],
    (target) => (message(target).validBefore = target.action.payload.authorizes.message.validUntil),
  ],
  [
    'a payment that outlives its action by two seconds',
    'fund_task by EIP-3009',
    [9],
    (target) => (message(target).validBefore = String(Number(message(target).validBefore) + 1)),
  ],
  [
    'a payment that is signed for another way to pay',
    'fund_task by EIP-3009',
    [8, 9],
    ({ action }) => (action.payload.authorizes.message.fundingMode = '0'),
  ],
  [
    'the refund balance where an allowance was asked for',
    'fund_task',
    [8],
    (target) => {
      message(target).fundingMode = '3';
      sendInstead(target, FundingMode.RefundBalance);
    },
  ],
  [
    'a call that pays in another way than is signed',
    'fund_task',
    [13],
    (target) => sendInstead(target, FundingMode.RefundBalance),
  ],
  ['a job’s own money for a root', 'fund_task', [8, 13], (target) => (message(target).fundingMode = '4')],
  ['the wallet’s money where the node pays', 'subcontract', [8, 13], (target) => (message(target).fundingMode = '0')],
  [
    'the node’s money where the wallet’s was asked for',
    'subcontract',
    [8, 13],
    ({ action, intent }) => {
      intent.body = { ...intent.body, funding_mode: 'allowance' };
      action.request_digest = requestDigest(intent.body);
      action.payload.message.requestDigest = action.request_digest;
      delete action.payload.transaction;
    },
  ],
  [
    'a payment that is valid for ever',
    'fund_task by EIP-3009',
    [9],
    (target) => (message(target).validBefore = '99999999999'),
  ],
  [
    'a permit that is valid for ever',
    'fund_task by permit',
    [9],
    (target) => (message(target).deadline = '99999999999'),
  ],
  ['a permit whose nonce is used', 'fund_task by permit', [12], (target) => (message(target).nonce = '2')],
  ['another action id', 'abandon_node', [9, 13], ({ action }) => (action.action_id = 'act_2')],
  ['another nonce', 'abandon_node', [9, 13], (target) => (target.action.nonce = String((2n << 8n) | 1n))],
  ['the nonce of another node', 'abandon_node', [9, 13], (target) => renumber(target, (2n << 8n) | 1n)],
  ['the nonce of a withdrawal', 'abandon_node', [9, 12, 13], (target) => renumber(target, 1n << 255n)],
  ['a later version of the node', 'abandon_node', [12, 13], (target) => renumber(target, (1n << 8n) | 2n)],
  ['an earlier version of the node', 'resolve_task', [12, 13], (target) => renumber(target, (1n << 8n) | 1n)],
  ['a version of a node that is to be new', 'fund_task', [9, 13], (target) => renumber(target, (1n << 8n) | 1n)],
  ['an offer for a later version', 'submit_quote', [9], (target) => renumber(target, (1n << 8n) | 3n)],
  ['the nonce of a node for a withdrawal', 'withdraw_earnings', [9, 13], (target) => renumber(target, (1n << 8n) | 3n)],
  ['the nonce of a node for a task', 'create_task', [9], (target) => renumber(target, 1n << 8n)],
  ['a permit with the nonce of another node', 'fund_task by permit', [9], ({ action }) => (action.nonce = '512')],
  [
    'a permit that does not say for what',
    'fund_task by permit',
    [4, 8, 9, 11, 13],
    ({ action }) => delete action.payload.authorizes,
  ],
  [
    'a permit for an action of another kind',
    'fund_task by permit',
    [8],
    ({ action }) => {
      const { authorizes } = action.payload;
      authorizes.primaryType = 'Subcontract';
      authorizes.types.Subcontract = authorizes.types.FundTask;
      delete authorizes.types.FundTask;
    },
  ],
  [
    'a permit over more than its action',
    'fund_task by permit',
    [13],
    (target) => (message(target).value = '250000001'),
  ],
  [
    'a permit that outlives its action by a second',
    'fund_task by permit',
    [9],
    (target) => (message(target).deadline = String(Number(message(target).deadline) + 1)),
  ],
  [
    'a permit for an action of another escrow',
    'fund_task by permit',
    [6],
    ({ action }) => (action.payload.authorizes.domain.verifyingContract = OTHER),
  ],
  [
    'a permit for a job that is paid out of the node',
    'fund_task by permit',
    [8, 13],
    ({ action }) => (action.payload.authorizes.message.terms.hirerFunded = false),
  ],
  [
    'a permit for another floor than the one that the hirer has seen',
    'fund_task by permit',
    [13],
    ({ intent }) => (intent.expects = { terms: { floor: 100_000_000n } }),
  ],
  ['a nonce that is no number', 'abandon_node', [9, 13], ({ action }) => (action.nonce = '7 ')],
  [
    'a signature that outlives its action',
    'abandon_node',
    [9, 13],
    (target) => (message(target).validUntil = '4102444800'),
  ],
  [
    'a signature that ends before its action',
    'abandon_node',
    [9, 13],
    (target) => (message(target).validUntil = String(NOW + 10)),
  ],
  ['another digest than the one shown', 'abandon_node', [15], ({ intent }) => (intent.digest = requestDigest({}))],
];

const REQUEST: Attack[] = [
  [
    'the digest of another request',
    'abandon_node',
    [9, 10, 13],
    ({ action }) => (action.request_digest = requestDigest({ a: 1 })),
  ],
  ['a body where none was sent', 'abandon_node', [10], ({ intent }) => (intent.body = {})],
  ['a body that JSON cannot hold', 'abandon_node', [10], ({ intent }) => (intent.body = { a: Number.NaN })],
  ['an action that has expired', 'abandon_node', [11], ({ context }) => (context.nowMs += 900_000)],
  [
    'an action that is valid for a day',
    'abandon_node',
    [9, 11],
    ({ action }) => (action.expires_at = new Date((NOW + 86_400) * 1000).toISOString()),
  ],
  ['an end that is no time', 'abandon_node', [9, 11], ({ action }) => (action.expires_at = 'soon')],
  [
    'an offer that stands for a year',
    'submit_quote',
    [11],
    (target) => (message(target).validUntil = String(NOW + 365 * 86_400)),
  ],
  [
    'a chain whose clock is past it',
    'abandon_node',
    [11],
    ({ context }) => (context.readings[0].blockTime = NOW + 5_000),
  ],
  ['a stale nonce', 'abandon_node', [12], ({ context }) => (context.readings[0].nonceUsed = true)],
  ['a node that has been delivered', 'abandon_node', [12], ({ context }) => (context.readings[0].node.state = 2)],
  ['a node that others work under', 'abandon_node', [12], ({ context }) => (context.readings[0].node.allocated = 1n)],
  [
    'a node that others work under, whose money does not all come back before',
    'abandon_node',
    [12],
    ({ context }) => Object.assign(context.readings[0].node, { allocated: 5n, returned: 4n }),
  ],
  ['a node that does not exist', 'abandon_node', [12], ({ context }) => (context.readings[0].node = null)],
  [
    'a deadline that is not over',
    'claim_non_delivery',
    [12],
    ({ context }) => (context.readings[0].node.deliverBy = NOW),
  ],
  ['a rejection that comes too late', 'reject_task', [12], ({ context }) => (context.readings[0].node.clock = NOW - 1)],
  ['another amount', 'abandon_node', [13], (target) => (message(target).amount = '1')],
  ['another budget', 'create_task', [13], (target) => (message(target).budget = '300000001')],
  [
    'an arbiter that nobody named',
    'create_task',
    [7, 13],
    (target) => {
      message(target).arbiter = OTHER;
      delete target.intent.tree;
    },
  ],
  ['other terms', 'create_task', [13], (target) => (message(target).termsHash = requestDigest({}))],
  ['another price', 'submit_quote', [13], (target) => (message(target).terms.amount = '1')],
  ['another floor', 'submit_quote', [13], (target) => (message(target).terms.floor = '124999999')],
  [
    'another floor than the one that was sent',
    'submit_quote',
    [13],
    (target) => resend(target, { floor: { amount: '200', currency: 'USDC' } }),
  ],
  [
    'another floor than the one that the hirer has seen',
    'fund_task',
    [13],
    ({ intent }) => (intent.expects = { terms: { floor: 100_000_000n } }),
  ],
  ['another time to work', 'submit_quote', [13], (target) => (message(target).terms.workSeconds = '86400')],
  [
    'less time to work than until the deadline that was sent',
    'submit_quote',
    [13],
    (target) => resend(target, { work_seconds: undefined, deadline: instant(NOW + 5 * 86_400 + 61) }),
  ],
  [
    'more time to work than until the deadline that was sent',
    'submit_quote',
    [13],
    (target) => resend(target, { work_seconds: undefined, deadline: instant(NOW + 5 * 86_400 - 961) }),
  ],
  ['more revisions', 'submit_quote', [13], (target) => (message(target).terms.maxRevisions = '10')],
  ['other revisions than were sent', 'submit_quote', [13], (target) => resend(target, { max_revisions: 0 })],
  ['a payout that was not asked for', 'deliver', [13], (target) => resend(target, { pay_out: false })],
  ['no payout where it was asked for', 'deliver', [13], (target) => (message(target).payOut = false)],
  [
    'a call that flips the payout',
    'deliver',
    [13],
    ({ action }) => {
      const { message: signed } = action.payload;
      action.payload.transaction.data = encodeDeliver(1n, ARTIFACT, false, {
        ...signed,
        nonce: BigInt(signed.nonce),
        validUntil: BigInt(signed.validUntil),
        signature: '0x',
      });
    },
  ],
  [
    'a delivery that no revision is left for',
    'deliver',
    [12],
    ({ context }) => Object.assign(context.readings[0].node, { state: 3, revisions: 3 }),
  ],
  ['another way of being paid', 'submit_quote', [13], (target) => (message(target).terms.hirerFunded = false)],
  ['another artifact to accept', 'resolve_task', [13], (target) => (message(target).artifactHash = requestDigest({}))],
  ['another worker to pay', 'resolve_task', [13], (target) => (message(target).worker = OTHER)],
  ['another artifact to deliver', 'deliver', [13], (target) => (message(target).artifactHash = requestDigest({}))],
  ['another reason', 'reject_task', [13], (target) => (message(target).reasonHash = requestDigest({}))],
  ['other evidence', 'dispute_node', [13], (target) => (message(target).evidenceHash = requestDigest({}))],
  ['another destination', 'withdraw_earnings', [13], (target) => (message(target).recipient = OTHER)],
  [
    'a destination that looks alike',
    'withdraw_refund',
    [13],
    (target) => (message(target).recipient = lookAlike(OTHER)),
  ],
  [
    "another wallet's refund than was asked for",
    'withdraw_refund',
    [13],
    (target) => resend(target, { ...target.intent.body, wallet: OTHER }),
  ],
  ['another accept window', 'subcontract', [13], (target) => (message(target).terms.acceptWindow = '14400')],
  [
    'a direct call that says otherwise',
    'withdraw_earnings',
    [13],
    ({ action }) => (action.payload.transaction.data = action.payload.transaction.data.replace(/0ee6b280/, '0ee6b281')),
  ],
];

describeAttacks('typed data', TYPED_DATA);
describeAttacks('request, time and state', REQUEST);

test('a time to work is taken for one that was asked for by its deadline within the life of an action', () => {
  for (const late of [-60, 0, 960]) {
    const target: any = signable('submit_quote');
    resend(target, { work_seconds: undefined, deadline: instant(NOW + 5 * 86_400 - late) });
    const checks = verifyPreparedAction(target.action, target.intent, target.context);
    expect([late, isSignable(checks)]).toEqual([late, true]);
  }
});
