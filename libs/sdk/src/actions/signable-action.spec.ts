import { contractCall, encodeAbandonNode } from '#libs/contracts';
import type { ActionKind } from '#libs/prepared-action';
import { DEPLOYMENT, ESCROW, signable } from '../../../../test/support/signable-actions.js';
import { Connection } from '../http/connection.js';
import type { Fetch } from '../http/retrying-fetch.js';
import { ActionGate } from './action-gate.js';
import { ActionNotExecuted, ActionWatch } from './action-watch.js';
import { SignableAction } from './signable-action.js';

const SIGNATURE = `0x${'5a'.repeat(65)}`;
const HASH = `0x${'11'.repeat(32)}`;

/** An action that has passed, at a service that learns its outcome by the transaction's hash, and answers to that in this way. */
async function admitted(outcome: string, told: () => Promise<Response>, node = 1n) {
  const { action, intent, context } = signable('abandon_node');
  const { actionId, requestDigest, nonce, validUntil } = (action.payload as any).message;
  const auth = { actionId, requestDigest, nonce: BigInt(nonce), validUntil: BigInt(validUntil) };
  const transaction = contractCall(ESCROW, encodeAbandonNode(node, { ...auth, signature: SIGNATURE as `0x${string}` }));
  const submitted: object[] = [];
  let status = 'signed';
  const fetch: Fetch = async (url, { method, body, signal }) => {
    signal?.throwIfAborted();
    if (url.includes('/stream')) return new Response(null, { status: 404 });
    if (method === 'GET') return Response.json({ action_id: action.action_id, status });
    const submission = JSON.parse(new TextDecoder().decode(body as ArrayBuffer)) as { signature?: string };
    submitted.push(submission);
    if (submission.signature === undefined) {
      status = outcome;
      return told();
    }
    return Response.json({ action_id: action.action_id, status: 'signed', transaction });
  };
  const pause = () => Promise.resolve();
  const connection = new Connection({ baseUrl: 'https://m.example', keys: { worker: 'k', read: 'k' }, fetch, pause });
  const gate = new ActionGate({
    deployment: context.deployment,
    now: () => context.nowMs,
    read: () => Promise.resolve(context.readings),
  });
  const { kind, taskId, nodeId, body, tree } = intent;
  const asked = { kind: kind as ActionKind, scope: 'worker', taskId, nodeId, body } as const;
  const sent: object[] = [];
  const wallet = {
    getAddress: () => Promise.resolve(context.connectedWallet ?? ''),
    signTypedData: () => Promise.resolve(SIGNATURE),
    sendTransaction: (call: object) => {
      sent.push(call);
      return Promise.resolve({ hash: HASH });
    },
  };
  const passed = await gate.admit(action, asked, intent.principal, { tree });
  const signed = new SignableAction(passed, gate, connection, 'worker', new ActionWatch(connection));
  return { signed, wallet, submitted, sent };
}

it('tells the service what it has sent, on the chain of the deployment, so that a failure is known at once', async () => {
  const { signed, wallet, submitted, sent } = await admitted('failed', async () =>
    Response.json({ status: 'submitted' }),
  );
  await expect(signed.send(wallet, { timeoutMs: 1_000 })).rejects.toThrow(ActionNotExecuted);
  expect(submitted).toEqual([{ signature: SIGNATURE }, { transaction_hash: HASH }]);
  expect(sent).toEqual([expect.objectContaining({ to: ESCROW, chainId: DEPLOYMENT.chainId })]);
});

it.each<[string, () => Promise<Response>]>([
  [
    'refuses the hash',
    async () => Response.json({ error: { code: 'state_conflict', reason: 'Done.' } }, { status: 409 }),
  ],
  ['is away', () => Promise.reject(new TypeError('fetch failed'))],
])('what is sent is waited for where the service %s', async (_what, told) => {
  const { signed, wallet, submitted } = await admitted('final', told);
  await expect(signed.send(wallet)).resolves.toMatchObject({ status: 'final' });
  expect(submitted).toContainEqual({ transaction_hash: HASH });
});

it('what is sent is told to the service, although the caller has lost patience while the wallet was sending', async () => {
  const { signed, wallet, submitted } = await admitted('final', async () => Response.json({ status: 'submitted' }));
  const patience = new AbortController();
  const sendTransaction = (call: object) => {
    patience.abort();
    return wallet.sendTransaction(call);
  };
  await expect(signed.send({ ...wallet, sendTransaction }, { signal: patience.signal })).rejects.toThrow(/abort/i);
  expect(submitted).toEqual([{ signature: SIGNATURE }, { transaction_hash: HASH }]);
});

it('a call about something else than what was signed is not sent, and the error says that the signature was given', async () => {
  const { signed, wallet, sent } = await admitted('final', () => Promise.resolve(Response.json({})), 2n);
  await expect(signed.send(wallet)).rejects.toMatchObject({
    name: 'PreparedActionRejected',
    signed: true,
    message: expect.stringMatching(/^Not sent: /),
  });
  expect(sent).toEqual([]);
});
