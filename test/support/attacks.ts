import { encodeFundTask, FundingMode, predictEscrowAddress, senderAuth, treeIdOf } from '#libs/contracts';
import { type Hex, nodeIdOf, requestDigest } from '#libs/kernel';
import type { ActionKind } from '#libs/prepared-action';
import { ActionGate } from '../../libs/sdk/src/actions/action-gate.js';
import { PreparedActionRejected } from '../../libs/sdk/src/actions/prepared-action-rejected.js';
import { isSignable, verifyPreparedAction } from '../../libs/prepared-action/src/index.js';
import { DEPLOYMENT, OTHER, signable, type SignableName, TASK, TREE } from './signable-actions.js';
import { notKept, vectorOf } from './vectors.js';

/** An honest action, what is changed of it or of what its client knows, and the checks that refuse it. */
export type Attack = [what: string, of: SignableName, failing: number[], change: (target: any) => unknown];

/** Numbers of the checks that fail on an honest action that was changed. */
export function failingAfter(of: SignableName, change: (target: any) => unknown): number[] {
  const target = signable(of);
  change(target);
  const checks = verifyPreparedAction(target.action, target.intent, target.context);
  expect(checks).toHaveLength(15);
  expect(isSignable(checks)).toBe(false);
  return checks.filter(({ status }) => status === 'failed').map(({ number }) => number);
}

/** The message that the wallet would sign. */
export const message = (target: any) => target.action.payload.message;
/** A time of so many unix seconds as requests write it. */
export const instant = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Gives envelope and message another nonce. */
export function renumber(target: any, nonce: bigint): void {
  target.action.nonce = nonce.toString();
  message(target).nonce = nonce.toString();
}

/** Moves an offer, with its nonce and its `node_id`, to another place in the tree. */
export function moveOffer(target: any, path: bigint): void {
  message(target).terms.nodeId = path.toString();
  target.action.node_id = nodeIdOf(TASK, path);
  renumber(target, path << 8n);
}

/** Changes what the client has sent, with its digest throughout. */
export function resend({ action, intent }: any, changed: object): void {
  intent.body = JSON.parse(JSON.stringify({ ...intent.body, ...changed }));
  action.request_digest = requestDigest(intent.body);
  action.payload.message.requestDigest = action.request_digest;
  delete action.payload.transaction;
}

/** Changes the request to one for a place below this node. */
export function askBelow(target: any, parentNodeId: string): void {
  resend(target, { parent_node_id: parentNodeId });
}

/** Changes the request to the buyer's for one of the task's root nodes. */
export function askRoot(target: any, nodeId: string): void {
  delete target.intent.nodeId;
  resend(target, { node_id: nodeId });
}

/** Makes the wallet's own call pay in another way. */
export function sendInstead(target: any, mode: FundingMode): void {
  const { terms, nonce, validUntil, ...others } = message(target);
  const auth = senderAuth({ ...others, nonce: BigInt(nonce), validUntil: BigInt(validUntil) });
  target.action.payload.calls[2].data = encodeFundTask(terms, { mode }, auth, auth);
}

/** An address with the same first and last digits, and zeros between them. */
export const lookAlike = (address: string): Hex =>
  `0x${address.slice(2, 6)}${'0'.repeat(32)}${address.slice(-4)}`.toLowerCase() as Hex;
export const foreignTree = predictEscrowAddress({
  ...TREE,
  buyer: OTHER,
  factory: DEPLOYMENT.factory,
  implementation: DEPLOYMENT.implementation,
  treeId: treeIdOf(TASK),
});

/**
 * Signatures that the SDK lets a wallet give when a service answers with an honest action that was changed, or when what is
 * known of it changes.
 */
export async function signaturesBySdk(of: SignableName, change: (target: any) => unknown): Promise<number> {
  const target = signable(of);
  change(target);
  const { action, intent, context } = target;
  const { kind, taskId, nodeId, body, expects, tree, escrow, digest, wallet, principal } = intent;
  const { deployment, nowMs, readings, connectedWallet: address = '' } = context;
  let signatures = 0;
  const signer = {
    address: () => Promise.resolve(address),
    sign: () => Promise.resolve(`0x${(signatures += 1)}` as Hex),
  };
  const gate = new ActionGate({ deployment, wallet, now: () => nowMs, read: () => Promise.resolve(readings) });
  const asked = { kind: kind as ActionKind, scope: 'read', taskId, nodeId, body, expects } as const;
  try {
    await gate.confirm(await gate.admit(action, asked, principal, { tree, escrow, digest }), signer);
    await signer.sign();
  } catch (error) {
    if (!(error instanceof PreparedActionRejected)) throw error;
  }
  return signatures;
}

/**
 * Tests that each attack is refused by exactly its checks, also when it is read from JSON, that it is among the vectors for
 * other languages, and that the SDK has none of them signed.
 */
export function describeAttacks(part: string, attacks: readonly Attack[]): void {
  describe(`of ${part}`, () => {
    test('are the vectors that are kept, and refused as JSON by the same checks', () => {
      const vectors = attacks.map(([what, of, , change]) => {
        const target = signable(of);
        change(target);
        return vectorOf(`${what} (${of})`, target);
      });
      expect(vectors.map(({ failing }) => failing)).toEqual(
        attacks.map(([, , failing]) => failing.toSorted((a, b) => a - b)),
      );
      expect(notKept(`attacks-${part.replace(/[^a-z]+/g, '-')}.json`, vectors)).toEqual([]);
    });

    test.each(attacks)('%s (%s) is refused by exactly the checks %j', (_what, of, failing, change) => {
      expect(failingAfter(of, change)).toEqual(failing.toSorted((a, b) => a - b));
    });

    test.each(attacks)('%s (%s) is signed by no wallet of the SDK', async (_what, of, _failing, change) => {
      expect(await signaturesBySdk(of, change)).toBe(0);
    });
  });
}
