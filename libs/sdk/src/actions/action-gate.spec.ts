import type { ActionKind } from '#libs/prepared-action';
import { signaturesBySdk } from '../../../../test/support/attacks.js';
import { OTHER, PRICE, signable, type SignableName } from '../../../../test/support/signable-actions.js';
import { ActionGate } from './action-gate.js';
import { PreparedActionRejected } from './prepared-action-rejected.js';

/*
 * What the gate of the SDK lets through. The attacks themselves are in libs/prepared-action/src/checks: each is tried against
 * this gate, too (test/support/attacks.ts).
 */

const KINDS: SignableName[] = ['create_task', 'submit_quote', 'fund_task', 'fund_task by EIP-3009', 'abandon_node'];

/** An honest action at the gate, with what the gate sees of the world, which a test may change. */
function honest(of: SignableName) {
  const { action, intent, context } = signable(of);
  const world = { ...context };
  const gate = new ActionGate({
    deployment: context.deployment,
    now: () => world.nowMs,
    read: () => Promise.resolve(world.readings),
  });
  const { kind, taskId, nodeId, body, tree } = intent;
  const asked = { kind: kind as ActionKind, scope: 'read', taskId, nodeId, body } as const;
  const admit = (more: object = {}) => gate.admit(action, { ...asked, ...more }, intent.principal, { tree });
  const wallet = {
    address: () => Promise.resolve(world.connectedWallet ?? ''),
    sign: () => Promise.resolve('0x' as const),
  };
  return { admit, gate, world, wallet, action };
}

it.each(KINDS)('%s that is honest is signed', async (of) => {
  expect(await signaturesBySdk(of, () => undefined)).toBe(1);
});

it('what was admitted cannot be changed, neither by the caller nor by the answer', async () => {
  const { admit, action } = honest('fund_task by EIP-3009');
  const { action: kept } = await admit();
  const message = (kept.payload as any).message;
  expect(() => (message.value = '1')).toThrow(TypeError);
  (action.payload as any).message.value = '1';
  expect(message.value).toBe(PRICE.toString());
});

it.each<[string, (world: ReturnType<typeof honest>['world']) => void]>([
  ['the time is over', (world) => (world.nowMs += 3_600_000)],
  ['another wallet is to sign', (world) => (world.connectedWallet = OTHER)],
  ['the node has moved on', (world) => (world.readings = [{ ...world.readings[0]!, nonceUsed: true }])],
  ['the escrow is another contract', (world) => (world.readings = [{ ...world.readings[0]!, escrow: 'foreign' }])],
])('an action that was admitted is not signed once %s', async (_what, change) => {
  const { admit, gate, world, wallet } = honest('abandon_node');
  const admitted = await admit();
  await gate.confirm(admitted, wallet);
  change(world);
  await expect(gate.confirm(admitted, wallet)).rejects.toThrow(PreparedActionRejected);
});

it('an offer above the greatest price is refused, by the members, and one at it is not', async () => {
  const { admit } = honest('fund_task');
  await expect(admit({ most: PRICE - 1n })).rejects.toMatchObject({ failed: [{ name: 'members' }] });
  await expect(admit({ most: PRICE })).resolves.toBeDefined();
});

it.each([undefined, null, [], 'text', {}, { payload: { message: {} } }])(
  'an answer %j is no action',
  async (answer) => {
    const { gate } = honest('abandon_node');
    await expect(gate.admit(answer, { kind: 'abandon_node', scope: 'worker' }, 'acct_1')).rejects.toThrow(
      PreparedActionRejected,
    );
  },
);
