import { encodeTokenApprove, encodeTokenTransfer } from '#libs/contracts';
import { childPath, nodeIdOf } from '#libs/kernel';
import {
  type Attack,
  askBelow,
  askRoot,
  describeAttacks,
  foreignTree,
  lookAlike,
  message,
  moveOffer,
} from '../../../../test/support/attacks.js';
import { leastProcessorTime } from '../../../../test/support/least-processor-time.js';
import { ESCROW, OTHER, signable, TASK, WORKER } from '../../../../test/support/signable-actions.js';
import { isSignable, verifyPreparedAction } from './verify.js';

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
  [
    'the acceptance of another root node than the buyer named',
    'resolve_task',
    [4],
    (target) => askRoot(target, nodeIdOf(TASK, 2n)),
  ],
  [
    'the rejection of another root node than the buyer named',
    'reject_task',
    [4],
    (target) => askRoot(target, nodeIdOf(TASK, 2n)),
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

describeAttacks('the envelope', ENVELOPE);
describeAttacks('contracts and calls', CONTRACTS);

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
    const checks = verifyPreparedAction(hostile, intent, context);
    expect(checks).toHaveLength(15);
    expect(isSignable(checks)).toBe(false);
    expect(checks.every(({ detail }) => detail.length < 400 && !/[\n\r]/.test(detail))).toBe(true);
    expect(leastProcessorTime(() => verifyPreparedAction(hostile, intent, context))).toBeLessThan(1_000);
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
