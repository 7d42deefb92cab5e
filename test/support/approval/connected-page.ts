import { contractCall, encodeAbandonNode, encodeNodeCall } from '#libs/contracts';
import type { Hex } from '#libs/notation';
import { hashTypedData, readingToJson } from '#libs/prepared-action';
import type { ApprovalDocument, SubmissionAnswer } from '#libs/approval-wire';
import { ApprovalFlow } from '../../../src/web/approval/flow/flow.js';
import { screenOf } from '../../../src/web/approval/flow/screen.js';
import type { Answer, ApprovalService, Surroundings } from '../../../src/web/approval/ports.js';
import * as sample from '../../../src/web/approval-fixtures/sample.js';
import type { ProviderCall } from '../../../src/web/wallets/provider.js';
import { DEPLOYMENT, ESCROW, NOW, PRICE, signable, TREE } from '../signable-actions.js';

export const SIGNATURE: Hex = `0x${'5a'.repeat(65)}`;
export const HASH: Hex = `0x${'8f'.repeat(32)}`;
const { action: prepared, intent, context } = signable('abandon_node');
/** The action that the page is about. */
export const action = prepared;
export const WALLET = intent.wallet ?? '';
const { digest } = hashTypedData(action.payload)!;
const facts = {
  ...sample.facts,
  actionId: action.action_id,
  kind: intent.kind,
  principal: intent.principal,
  wallet: WALLET,
  taskId: intent.taskId ?? null,
  nodeId: intent.nodeId ?? null,
  escrow: ESCROW,
  tree: TREE,
  digest,
  deployment: DEPLOYMENT,
};
export const message: any = action.payload['message'];
export const callWith = (signature: Hex) => {
  const { actionId, requestDigest, nonce, validUntil } = message;
  const auth = { actionId, requestDigest, nonce: BigInt(nonce), validUntil: BigInt(validUntil), signature };
  const { to, data } = contractCall(ESCROW, encodeAbandonNode(BigInt(message.nodeId), auth));
  return { to, data, value: '0x0', chainId: '0x2105' };
};
const valid_until = new Date((NOW + 60) * 1000 + Date.parse(action.expires_at) - NOW * 1000).toISOString();
export const signedPart = (signature: Hex, transaction = callWith(signature)): Partial<ApprovalDocument> => ({
  status: 'signed',
  signed: { signature, transaction, valid_until },
});
export const ok = <T>(body: T): Answer<T> => ({ kind: 'ok', body, dateMs: NOW * 1000 });
export const refusal = (code: number): Error => Object.assign(new Error('No'), { code });
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const word = (value: bigint | string) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');
/** What the wallet's own node says of the escrow and of the action's node, which its worker has not delivered yet. */
const CODE = `0x363d3d373d3d3d363d73${DEPLOYMENT.implementation.slice(2)}5af43d82803e903d91602b57fd5bf3${TREE.buyer.slice(2)}${TREE.arbiter.slice(2)}`;
const stored = [WALLET, PRICE, 259_200n, 1n, PRICE, 0n, BigInt(NOW + 500), BigInt(NOW + 500), 1n, 0n, 3n, 1n, 0n, 0n];
const NODE = `0x${stored.map(word).join('')}`;

/** A page with this request, connected to a wallet that answers by method, and of the views of a contract one alone. */
export async function opened(
  wallet: Record<string, unknown> = {},
  service: Partial<ApprovalService> = {},
  payload = {},
  change: Partial<ApprovalDocument> = {},
  refused: Extract<Answer<never>, { kind: 'refused' }> | null = null,
) {
  const asked: ProviderCall[] = [];
  const answers: Record<string, unknown> = {
    eth_requestAccounts: [WALLET],
    eth_chainId: '0x2105',
    eth_getBalance: '0xde0b6b3a7640000',
    eth_getBlockByNumber: { number: '0x10', timestamp: '0x10' },
    eth_getCode: CODE,
    eth_signTypedData_v4: SIGNATURE,
    eth_sendTransaction: HASH,
    ...wallet,
  };
  const provider = {
    request: (call: ProviderCall): Promise<unknown> => {
      asked.push(call);
      const [about]: any[] = Array.isArray(call.params) ? call.params : [];
      const answer =
        answers[call.method] ?? (call.method === 'eth_call' ? views[about.data.slice(0, 10)] : null) ?? refusal(4200);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  };
  const views: Record<string, unknown> = { [encodeNodeCall(1n).slice(0, 10)]: NODE };
  const reading: any = readingToJson({ ...context.readings[0]!, source: 'service' });
  const document = {
    ...sample.document,
    action: { ...action, payload: { ...action.payload, ...payload } },
    request: null,
    deployment: { ...sample.document.deployment, ...DEPLOYMENT },
    facts: { nowMs: NOW * 1000 },
    service_reading: reading,
    ...change,
  };
  const submission: SubmissionAnswer = { status: 'signed', transaction: callWith(SIGNATURE) };
  const submitSignature = jest.fn(() => Promise.resolve(ok(submission)));
  const submitTransaction = jest.fn(() => Promise.resolve(ok<SubmissionAnswer>({ status: 'submitted' })));
  const agreed: ApprovalService = {
    document: () => Promise.resolve(refused ?? ok({ ...document })),
    simulation: () => Promise.resolve(ok(sample.simulation)),
    submitSignature,
    submitTransaction,
    decline: () => Promise.resolve(ok({ status: 'declined' as const })),
    renew: () => Promise.resolve({ kind: 'away' as const }),
    link: () => Promise.resolve({ kind: 'refused' as const, status: 409, code: 'state_conflict', reason: 'Over.' }),
    progress: () => Promise.resolve(ok({ status: 'final' as const, transaction_hash: HASH, block: 7 })),
    ...service,
  };
  const later: (() => void)[] = [];
  const pauses: number[] = [];
  let comeBack = (): void => undefined;
  const clock = { elapsedMs: 0 };
  const around: Surroundings = {
    elapsedMs: () => clock.elapsedMs,
    computerTimeMs: () => NOW * 1000,
    isOnline: () => true,
    onOnlineChange: () => undefined,
    onReturn: (listener) => {
      comeBack = listener;
    },
    every: () => undefined,
    after: (ms, run) => {
      pauses.push(ms);
      later.push(run);
      return () => void later.splice(later.indexOf(run), 1);
    },
    discover: (_offer, onEnd) => onEnd(),
    open: () => undefined,
  };
  const flow = new ApprovalFlow(facts, agreed, around, () => undefined);
  flow.start();
  await settled();
  flow.connect({ ...sample.wallet, provider });
  await settled();
  flow.confirm(true);
  const methods = (): string[] => asked.map(({ method }) => method);
  return {
    flow,
    /** What the wallet answers by method; may be changed. */
    answers,
    asked,
    methods,
    submitSignature,
    submitTransaction,
    later,
    pauses,
    /** What has passed since the page was opened; a test lets it pass. */
    clock,
    screen: () => screenOf(flow.state),
    comeBack: () => comeBack(),
    /** Lets everything happen that the page has put off. */
    wait: () => {
      for (const run of later.splice(0)) run();
      return settled();
    },
    /** Refuses to tell of the request from now on; null: tells of it again. */
    refuse: (answer: typeof refused) => {
      refused = answer;
    },
    /** Changes what the service answers about the request from now on. */
    meanwhile: (news: Partial<ApprovalDocument>) => Object.assign(document, news),
  };
}
