import {
  encodeDeliver,
  encodeFundTask,
  encodeTokenApprove,
  encodeTokenTransfer,
  FundingMode,
  predictEscrowAddress,
  senderAuth,
  treeIdOf,
} from '#libs/contracts';
import { childPath, type Hex, nodeIdOf, requestDigest } from '#libs/kernel';
import {
  ARTIFACT,
  DEPLOYMENT,
  ESCROW,
  NOW,
  OTHER,
  signable,
  type SignableName,
  TASK,
  TREE,
  WORKER,
} from '../../../../test/support/signable-actions.js';
import { isSignable, verifyPreparedAction } from './verify.js';

type Attack = [what: string, of: SignableName, failing: number[], change: (target: any) => unknown];

/** Numbers of the checks that fail on an honest action that was changed. */
function failingAfter(of: SignableName, change: (target: any) => unknown): number[] {
  const target = signable(of);
  change(target);
  const checks = verifyPreparedAction(target.action, target.intent, target.context);
  expect(checks).toHaveLength(15);
  expect(isSignable(checks)).toBe(false);
  return checks.filter(({ status }) => status === 'failed').map(({ number }) => number);
}

const message = (target: any) => target.action.payload.message;
const instant = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Gives envelope and message another nonce. */
function renumber(target: any, nonce: bigint): void {
  target.action.nonce = nonce.toString();
  message(target).nonce = nonce.toString();
}

/** Moves an offer, with its nonce and its `node_id`, to another place in the tree. */
function moveOffer(target: any, path: bigint): void {
  message(target).terms.nodeId = path.toString();
  target.action.node_id = nodeIdOf(TASK, path);
  renumber(target, path << 8n);
}

/** Changes what the client has sent, with its digest throughout. */
function resend({ action, intent }: any, changed: object): void {
  intent.body = JSON.parse(JSON.stringify({ ...intent.body, ...changed }));
  action.request_digest = requestDigest(intent.body);
  action.payload.message.requestDigest = action.request_digest;
  delete action.payload.transaction;
}

function askBelow(target: any, parentNodeId: string): void {
  resend(target, { parent_node_id: parentNodeId });
}

/** Makes the wallet's own call pay in another way. */
function sendInstead(target: any, mode: FundingMode): void {
  const { terms, nonce, validUntil, ...others } = message(target);
  const auth = senderAuth({ ...others, nonce: BigInt(nonce), validUntil: BigInt(validUntil) });
  target.action.payload.calls[2].data = encodeFundTask(terms, { mode }, auth, auth);
}

/** An address with the same first and last digits, and zeros between them. */
const lookAlike = (address: string): Hex =>
  `0x${address.slice(2, 6)}${'0'.repeat(32)}${address.slice(-4)}`.toLowerCase() as Hex;
const foreignTree = predictEscrowAddress({
  ...TREE,
  buyer: OTHER,
  factory: DEPLOYMENT.factory,
  implementation: DEPLOYMENT.implementation,
  treeId: treeIdOf(TASK),
});

const ENVELOPE: Attack[] = [
  ['another kind', 'abandon_node', [1, 4, 6, 8, 9, 11, 12, 15], ({ action }) => (action.kind = 'resolve_task')],
  ['a kind that nobody knows', 'abandon_node', [1, 4, 6, 8, 9, 11, 15], ({ action }) => (action.kind = 'approve_all')],
  [
    'a kind with the name of a prototype member',
    'abandon_node',
    [1, 4, 6, 8, 9, 11, 15],
    ({ action }) => (action.kind = '__proto__'),
  ],
  ['a principal that is another account', 'abandon_node', [2], ({ action }) => (action.principal = 'acct_2')],
  [
    'a wallet that only looks alike',
    'abandon_node',
    [3, 6],
    ({ action }) => (action.wallet_address = lookAlike(WORKER)),
  ],
  ['a wallet that is not the connected one', 'abandon_node', [3], ({ context }) => (context.connectedWallet = OTHER)],
  ['a payment out of another wallet', 'fund_task by EIP-3009', [3], (target) => (message(target).from = OTHER)],
  ['a permit of another owner', 'fund_task by permit', [3], (target) => (message(target).owner = OTHER)],
  ['another task', 'abandon_node', [4, 7], ({ action }) => (action.task_id = `${TASK.slice(0, -1)}e`)],
  ['another node', 'abandon_node', [4], ({ action }) => (action.node_id = action.node_id.replace(/1$/, '2'))],
  ['a message for another node', 'abandon_node', [4, 9, 13], (target) => (message(target).nodeId = '2')],
  [
    'a message for node 2^53 + 1',
    'abandon_node',
    [4, 9, 13],
    (target) => (message(target).nodeId = '9007199254740993'),
  ],
  [
    'a message for a node that no path leads to',
    'abandon_node',
    [4, 8, 9, 13, 15],
    (target) => (message(target).nodeId = (1n << 192n).toString()),
  ],
  [
    'a message for a node that has the same number in another place',
    'abandon_node',
    [4, 9, 13],
    (target) => (message(target).nodeId = childPath(2n, 1).toString()),
  ],
  ['a node where none is', 'withdraw_refund', [4], ({ action }) => (action.node_id = 'node_1')],
  [
    'an offer below a node where a root was asked for',
    'submit_quote',
    [4],
    (target) => moveOffer(target, childPath(1n, 1)),
  ],
  [
    'an offer for the buyer where a place below a node was asked for',
    'submit_quote',
    [4, 13],
    (target) => askBelow(target, nodeIdOf(TASK, 1n)),
  ],
  [
    'an offer below another node than was asked for',
    'submit_quote',
    [4],
    (target) => {
      askBelow(target, nodeIdOf(TASK, 1n));
      message(target).terms.hirerFunded = false;
      moveOffer(target, childPath(2n, 1));
    },
  ],
  [
    'an offer two levels below the node that was asked for',
    'submit_quote',
    [4],
    (target) => {
      askBelow(target, nodeIdOf(TASK, 1n));
      message(target).terms.hirerFunded = false;
      moveOffer(target, childPath(childPath(1n, 1), 1));
    },
  ],
  [
    'a hiring below another node',
    'subcontract',
    [4, 9, 13],
    (target) => (message(target).terms.nodeId = childPath(2n, 2).toString()),
  ],
  [
    'a payment for another node',
    'fund_task by EIP-3009',
    [4, 9],
    ({ action }) => (action.payload.authorizes.message.terms.nodeId = '2'),
  ],
  ['another chain', 'abandon_node', [5], ({ action }) => (action.chain_id = 1)],
  ['another chain in the typed data', 'abandon_node', [5], ({ action }) => (action.payload.domain.chainId = 1)],
  ['a chain that is not a number', 'abandon_node', [5], ({ action }) => (action.chain_id = Number.NaN)],
  ['a chain written as text', 'abandon_node', [5], ({ action }) => (action.chain_id = '8453')],
  ['a wallet on another chain', 'abandon_node', [5], ({ context }) => (context.readings[0].chainId = 1)],
  [
    'a page of another origin',
    'abandon_node',
    [14],
    ({ action }) => (action.signing_url = 'https://market.example.evil.test/sign/1'),
  ],
  [
    'a page with a name before the host',
    'abandon_node',
    [14],
    ({ action }) => (action.signing_url = 'https://market.example@evil.test/sign/1'),
  ],
  [
    'a page without https',
    'abandon_node',
    [14],
    ({ action, context }) => {
      action.signing_url = 'http://market.example/sign/1';
      context.deployment.signingOrigin = 'http://market.example';
    },
  ],
  ['a page that is a script', 'abandon_node', [14], ({ action }) => (action.signing_url = 'javascript:alert(1)')],
];

const CONTRACTS: Attack[] = [
  ['a foreign escrow', 'abandon_node', [6, 7], ({ action }) => (action.escrow_address = OTHER)],
  [
    'a foreign escrow throughout',
    'abandon_node',
    [6, 7],
    ({ action }) => {
      action.escrow_address = OTHER;
      action.payload.domain.verifyingContract = OTHER;
    },
  ],
  [
    'the escrow of the same task for another buyer',
    'resolve_task',
    [6, 7],
    ({ action }) => {
      action.escrow_address = foreignTree;
      action.payload.domain.verifyingContract = foreignTree;
    },
  ],
  ['an escrow with other code', 'abandon_node', [7], ({ context }) => (context.readings[0].escrow = 'foreign')],
  ['an escrow other than the known one', 'abandon_node', [6], ({ intent }) => (intent.escrow = OTHER)],
  [
    'an escrow that only looks alike',
    'abandon_node',
    [6],
    ({ action }) => (action.payload.domain.verifyingContract = lookAlike(ESCROW)),
  ],
  [
    'an address whose checksum is wrong',
    'abandon_node',
    [6, 8, 15],
    ({ action }) => (action.payload.domain.verifyingContract = ESCROW.replace(/[a-f]/, (digit) => digit.toUpperCase())),
  ],
  ['another token', 'fund_task', [6], (target) => (message(target).token = OTHER)],
  [
    'a payment in another token',
    'fund_task by EIP-3009',
    [6],
    ({ action }) => (action.payload.domain.verifyingContract = OTHER),
  ],
  ['a payment to somebody else', 'fund_task by EIP-3009', [6], (target) => (message(target).to = OTHER)],
  ['a permit for somebody else', 'fund_task by permit', [6], (target) => (message(target).spender = OTHER)],
  ['a call to somebody else', 'abandon_node', [6], ({ action }) => (action.payload.transaction.to = OTHER)],
  ['a call that moves ether', 'abandon_node', [6], ({ action }) => (action.payload.transaction.value = '0x1')],
  ['a call of another sender', 'abandon_node', [6], ({ action }) => (action.payload.transaction.from = OTHER)],
  ['a call on another chain', 'abandon_node', [6], ({ action }) => (action.payload.transaction.chainId = '0x1')],
  [
    'a call that approves somebody else',
    'fund_task',
    [6],
    ({ action }) => (action.payload.calls[0].data = encodeTokenApprove(OTHER, 250_000_000n)),
  ],
  [
    'a call that approves more',
    'fund_task',
    [6],
    ({ action }) => (action.payload.calls[0].data = encodeTokenApprove(ESCROW, 250_000_001n)),
  ],
  [
    'a call that moves the token',
    'fund_task',
    [6],
    ({ action }) => (action.payload.calls[0].data = encodeTokenTransfer(OTHER, 1n)),
  ],
  [
    'calls where only a signature is asked for',
    'fund_task by EIP-3009',
    [6],
    ({ action }) => (action.payload.calls = signable('fund_task').action.payload['calls']),
  ],
  [
    'a call with no end',
    'abandon_node',
    [6],
    ({ action }) => (action.payload.transaction.data = action.payload.transaction.data.slice(0, -64)),
  ],
  ['calls without the action', 'fund_task', [6], ({ action }) => action.payload.calls.pop()],
];

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
    [13],
    ({ action, intent }) => {
      intent.body.funding_mode = 'allowance';
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
  ['another accept window', 'subcontract', [13], (target) => (message(target).terms.acceptWindow = '14400')],
  [
    'a direct call that says otherwise',
    'withdraw_earnings',
    [13],
    ({ action }) => (action.payload.transaction.data = action.payload.transaction.data.replace(/0ee6b280/, '0ee6b281')),
  ],
];

test('a time to work is taken for one that was asked for by its deadline within the life of an action', () => {
  for (const late of [-60, 0, 960]) {
    const target: any = signable('submit_quote');
    resend(target, { work_seconds: undefined, deadline: instant(NOW + 5 * 86_400 - late) });
    const checks = verifyPreparedAction(target.action, target.intent, target.context);
    expect([late, isSignable(checks)]).toEqual([late, true]);
  }
});

describe.each([
  ['the envelope', ENVELOPE],
  ['contracts and calls', CONTRACTS],
  ['typed data', TYPED_DATA],
  ['request, time and state', REQUEST],
])('of %s', (_part, attacks) => {
  test.each(attacks)('%s (%s) is refused by exactly the checks %j', (_what, of, failing, change) => {
    expect(failingAfter(of, change)).toEqual(failing.toSorted((a, b) => a - b));
  });
});

describe('anything at all', () => {
  const { action, intent, context } = signable('abandon_node');
  const cycle: Record<string, unknown> = { ...action };
  cycle['payload'] = cycle;
  const throwing = {
    get kind(): string {
      throw new Error('boo');
    },
  };
  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', Number.NaN],
    ['a text', 'act_1'],
    ['a list', [action]],
    ['a function', () => action],
    ['an object without anything', Object.create(null)],
    ['a cycle', cycle],
    ['a getter that throws', throwing],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('boo');
          },
        },
      ),
    ],
    [
      'members that are all of the wrong type',
      Object.fromEntries(Object.keys(action).map((name) => [name, { [name]: 1n }])),
    ],
    ['two million characters', { ...action, kind: 'x'.repeat(2_000_000) }],
    [
      'a million members',
      { ...action, payload: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`m${i}`, i])) },
    ],
    ['a thousand levels', { ...action, payload: JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`) }],
    [
      'structs that hold each other',
      {
        ...action,
        payload: {
          ...action.payload,
          types: { ...(action.payload['types'] as object), AbandonNode: [{ name: 'a', type: 'AbandonNode' }] },
        },
      },
    ],
  ])('%s gives fifteen rows, throws nothing and is not signable', (_what, hostile) => {
    const started = performance.now();
    const checks = verifyPreparedAction(hostile, intent, context);
    expect(checks).toHaveLength(15);
    expect(isSignable(checks)).toBe(false);
    expect(checks.every(({ detail }) => detail.length < 400 && !/[\n\r]/.test(detail))).toBe(true);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('of a member that JSON text has twice, what is checked is what would be signed', () => {
    const text = JSON.stringify(action).replace('"amount":"250000000"', '"amount":"250000000","amount":"1"');
    const checks = verifyPreparedAction(JSON.parse(text), intent, context);
    expect(checks.filter(({ status }) => status === 'failed').map(({ number }) => number)).toEqual([13]);
  });

  test('what is shown of a hostile value is one short line in which nothing is hidden', () => {
    const kind = `abandon\u202e_node\n\u0000<script>${'x'.repeat(5_000)}`;
    const [row] = verifyPreparedAction({ ...action, kind }, intent, context);
    expect(row?.detail).toMatch(/^It is “abandon\\u\{202e\}_node \\u\{0\}<script>x+…”, not “abandon_node”\.$/);
  });
});
