import { contractCall, encodeAbandonNode, encodeNodeCall } from '#libs/contracts';
import type { Hex } from '#libs/notation';
import { hashTypedData, readingToJson } from '#libs/prepared-action';
import { DEPLOYMENT, ESCROW, NOW, PRICE, signable, TREE } from '../../../../test/support/signable-actions.js';
import type { ApprovalDocument, ProgressAnswer, SubmissionAnswer } from '#libs/approval-wire';
import * as sample from '../../approval-fixtures/sample.js';
import type { ProviderCall } from '../../wallets/provider.js';
import { ApprovalFlow } from './flow.js';
import type { Answer, ApprovalService, Surroundings } from '../ports.js';
import { screenOf } from './screen.js';

const SIGNATURE: Hex = `0x${'5a'.repeat(65)}`;
const HASH: Hex = `0x${'8f'.repeat(32)}`;
const { action, intent, context } = signable('abandon_node');
const WALLET = intent.wallet ?? '';
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
const message: any = action.payload['message'];
const callWith = (signature: Hex) => {
  const { actionId, requestDigest, nonce, validUntil } = message;
  const auth = { actionId, requestDigest, nonce: BigInt(nonce), validUntil: BigInt(validUntil), signature };
  const { to, data } = contractCall(ESCROW, encodeAbandonNode(BigInt(message.nodeId), auth));
  return { to, data, value: '0x0', chainId: '0x2105' };
};
const ok = <T>(body: T): Answer<T> => ({ kind: 'ok', body, dateMs: NOW * 1000 });
const refusal = (code: number): Error => Object.assign(new Error('No'), { code });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const word = (value: bigint | string) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');
/** What the wallet's own node says of the escrow and of the action's node, which its worker has not delivered yet. */
const CODE = `0x363d3d373d3d3d363d73${DEPLOYMENT.implementation.slice(2)}5af43d82803e903d91602b57fd5bf3${TREE.buyer.slice(2)}${TREE.arbiter.slice(2)}`;
const stored = [WALLET, PRICE, 259_200n, 1n, PRICE, 0n, BigInt(NOW + 500), BigInt(NOW + 500), 1n, 0n, 3n, 1n, 0n, 0n];
const NODE = `0x${stored.map(word).join('')}`;

/** A page with this request, connected to a wallet that answers by method, and of the views of a contract one alone. */
async function opened(
  wallet: Record<string, unknown> = {},
  service: Partial<ApprovalService> = {},
  payload = {},
  change: Partial<ApprovalDocument> = {},
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
    document: () => Promise.resolve(ok({ ...document })),
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
  const around: Surroundings = {
    elapsedMs: () => 0,
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
    asked,
    methods,
    submitSignature,
    submitTransaction,
    later,
    pauses,
    screen: () => screenOf(flow.state),
    comeBack: () => comeBack(),
    /** Changes what the service answers about the request from now on. */
    meanwhile: (news: Partial<ApprovalDocument>) => Object.assign(document, news),
  };
}

// The time limit for a silent node is a timer that outlives the answer.
beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));

it('signs what came, checks the call that comes back, sends it and follows it to its end', async () => {
  const page = await opened();
  expect(page.screen()).toBe('ready');
  page.flow.sign();
  await settled();
  const { domain, types, primaryType } = action.payload;
  expect(page.asked.find(({ method }) => method === 'eth_signTypedData_v4')?.params).toEqual([
    WALLET,
    JSON.stringify({ domain, types, primaryType, message }),
  ]);
  expect(page.screen()).toBe('send_ready');
  page.flow.send();
  await settled();
  expect(page.submitTransaction).toHaveBeenCalledWith(HASH);
  expect(page.screen()).toBe('final');
});

it('asks on at once where the service answers, which waits for news, and later where it is away', async () => {
  const answers: (() => Promise<Answer<ProgressAnswer>>)[] = [];
  const known: (string | undefined)[] = [];
  const progress = (status: string | undefined) => {
    known.push(status);
    return answers.shift()!();
  };
  const submitted = () => Promise.resolve(ok({ status: 'submitted' as const, transaction_hash: HASH }));
  const page = await opened({}, { progress });
  answers.push(submitted);
  page.flow.sign();
  await settled();
  page.flow.send();
  await settled();
  const next = async (answer: () => Promise<Answer<ProgressAnswer>>): Promise<number> => {
    const pause = page.pauses.at(-1)!;
    answers.push(answer);
    page.later.at(-1)!();
    await settled();
    return pause;
  };
  const away = () => Promise.resolve({ kind: 'away' as const });
  const confirmed = () => Promise.resolve(ok({ status: 'confirmed' as const, transaction_hash: HASH, block: 7 }));
  const pauses = [];
  for (const answer of [submitted, away, confirmed, confirmed]) pauses.push(await next(answer));
  expect([...pauses, page.pauses.at(-1)]).toEqual([250, 250, 5_000, 250, 250]);
  expect(known).toEqual([undefined, 'submitted', 'submitted', 'submitted', 'confirmed']);
  expect(page.screen()).toBe('confirmed');
});

it('asks the wallet in the same turn as the click', async () => {
  const page = await opened();
  page.flow.sign();
  expect(page.methods().at(-1)).toBe('eth_signTypedData_v4');
});

it('does not ask the wallet for what cannot be undone before the box is ticked', async () => {
  const page = await opened();
  page.flow.confirm(false);
  page.flow.sign();
  expect(page.methods()).not.toContain('eth_signTypedData_v4');
});

it('does not sign for another account, nor on another network', async () => {
  for (const wallet of [{ eth_requestAccounts: [ESCROW] }, { eth_chainId: '0x1' }]) {
    const page = await opened(wallet);
    page.flow.sign();
    expect(page.methods()).not.toContain('eth_signTypedData_v4');
  }
});

it('does not send a call that carries another signature', async () => {
  const transaction = callWith(`0x${'5b'.repeat(65)}`);
  const page = await opened({}, { submitSignature: () => Promise.resolve(ok({ status: 'signed', transaction })) });
  page.flow.sign();
  await settled();
  expect(page.screen()).toBe('foreign_call');
  page.flow.send();
  expect(page.methods()).not.toContain('eth_sendTransaction');
});

it('keeps a signature that did not reach the service, and does not ask for another', async () => {
  const submitSignature = jest.fn<Promise<Answer<SubmissionAnswer>>, [Hex]>();
  submitSignature.mockResolvedValueOnce({ kind: 'away' });
  submitSignature.mockResolvedValueOnce(ok({ status: 'signed', transaction: callWith(SIGNATURE) }));
  const page = await opened({}, { submitSignature });
  page.flow.sign();
  await settled();
  expect(page.screen()).toBe('unsent');
  page.flow.submitAgain();
  await settled();
  expect(page.screen()).toBe('send_ready');
  expect(page.methods().filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1);
});

describe('opened again after it was signed', () => {
  const valid_until = new Date((NOW + 60) * 1000 + Date.parse(action.expires_at) - NOW * 1000).toISOString();
  const signedPart = (signature: Hex, transaction = callWith(signature)): Partial<ApprovalDocument> => ({
    status: 'signed',
    signed: { signature, transaction, valid_until },
  });

  it('sends what was signed, and asks for no other signature', async () => {
    const page = await opened({}, {}, {}, signedPart(SIGNATURE));
    expect(page.screen()).toBe('send_ready');
    page.flow.sign();
    page.flow.send();
    await settled();
    expect(page.methods()).not.toContain('eth_signTypedData_v4');
    expect(page.submitTransaction).toHaveBeenCalledWith(HASH);
    expect(page.screen()).toBe('final');
  });

  it.each<[string, Partial<ApprovalDocument>]>([
    ['another signature', signedPart(SIGNATURE, callWith(`0x${'5b'.repeat(65)}`))],
    ['none, so that the sender would act', signedPart('0x')],
    ['another action', signedPart(SIGNATURE, { ...callWith(SIGNATURE), to: DEPLOYMENT.usdc })],
  ])('does not send a call that carries %s', async (_what, change) => {
    const page = await opened({}, {}, {}, change);
    page.flow.send();
    await settled();
    expect(page.methods()).not.toContain('eth_sendTransaction');
    expect(page.screen()).toBe('foreign_call');
  });

  it('sends nothing while a check fails, and nothing from another account or on another network', async () => {
    const foreign = { ...action, payload: { ...action.payload, primaryType: 'ResolveTask' } };
    const failing = await opened({}, {}, {}, { ...signedPart(SIGNATURE), action: foreign });
    const pages = [failing];
    for (const wallet of [{ eth_requestAccounts: [ESCROW] }, { eth_chainId: '0x1' }]) {
      pages.push(await opened(wallet, {}, {}, signedPart(SIGNATURE)));
    }
    for (const page of pages) {
      page.flow.send();
      await settled();
      expect(page.methods()).not.toContain('eth_sendTransaction');
    }
  });
});

it('compares the call with what the wallet was asked to sign, not with what the service tells of by then', async () => {
  const payload = { ...action.payload, message: { ...message, nodeId: '2' } };
  const { actionId, requestDigest, nonce, validUntil } = message;
  const auth = { actionId, requestDigest, nonce: BigInt(nonce), validUntil: BigInt(validUntil), signature: SIGNATURE };
  const transaction = { ...callWith(SIGNATURE), data: encodeAbandonNode(2n, auth) };
  const page = await opened({}, { submitSignature: () => Promise.resolve(ok({ status: 'signed', transaction })) });
  page.meanwhile({ action: { ...action, payload } });
  page.comeBack();
  page.flow.sign();
  await settled();
  expect(page.methods()).toContain('eth_signTypedData_v4');
  expect(page.screen()).toBe('foreign_call');
});

it.each([
  ['the escrow', { eth_getCode: refusal(4200) }],
  ['the job', { eth_call: refusal(4200) }],
  ['the job in a form that can be read', { eth_call: '0x1234' }],
])(
  'does not count a wallet whose node does not tell of %s as one that has confirmed anything',
  async (_what, wallet) => {
    const page = await opened(wallet);
    expect(page.screen()).toBe('node_away');
  },
);

it('looks again when its person comes back to it, and follows what another tab has sent', async () => {
  const page = await opened();
  expect(page.screen()).toBe('ready');
  page.meanwhile({ status: 'confirmed', transaction_hash: HASH });
  page.comeBack();
  await settled();
  await settled();
  expect(page.screen()).toBe('final');
});

it.each([
  ['rejected', 4001],
  ['pending_in_wallet', -32_002],
  ['wallet_error', -32_603],
])('can be tried again when the wallet answers with what is %s (%i)', async (screen, code) => {
  const page = await opened({ eth_signTypedData_v4: refusal(code) });
  page.flow.sign();
  await settled();
  expect(page.screen()).toBe(screen);
  expect(page.submitSignature).not.toHaveBeenCalled();
});

it('keeps the signature when the wallet does not send', async () => {
  const page = await opened({ eth_sendTransaction: refusal(4001) });
  page.flow.sign();
  await settled();
  page.flow.send();
  await settled();
  expect(page.screen()).toBe('send_ready');
  expect(page.submitTransaction).not.toHaveBeenCalled();
});

it('ignores an answer to a question that the person has dropped', async () => {
  const page = await opened();
  page.flow.sign();
  page.flow.stopWaiting();
  await settled();
  expect(page.screen()).toBe('ready');
  expect(page.submitSignature).not.toHaveBeenCalled();
});

it('says what the service did not do', async () => {
  const page = await opened();
  page.flow.linkDevice();
  await settled();
  expect(page.flow.state.problem).toEqual({ from: 'service', during: 'link', reason: 'Over.' });
});

describe('with a wallet that bundles (EIP-5792)', () => {
  const transaction = { ...callWith('0x'), from: WALLET };
  const bundling = { wallet_getCapabilities: { '0x2105': { atomic: { status: 'supported' } } } };

  it('signs and sends in one step', async () => {
    const wallet_getCallsStatus = { status: 200, receipts: [{ transactionHash: HASH }] };
    const page = await opened(
      { ...bundling, wallet_sendCalls: { id: '0xb1' }, wallet_getCallsStatus },
      {},
      { transaction },
    );
    expect(page.screen()).toBe('ready');
    page.flow.sign();
    await settled();
    expect(page.methods()).not.toContain('eth_signTypedData_v4');
    expect(page.submitTransaction).toHaveBeenCalledWith(HASH);
    expect(page.screen()).toBe('final');
  });

  it('signs first where the capability is absent', async () => {
    const page = await opened({}, {}, { transaction });
    page.flow.sign();
    await settled();
    expect(page.methods()).toContain('eth_signTypedData_v4');
    expect(page.methods()).not.toContain('wallet_sendCalls');
  });

  it('can be tried again when the person declines', async () => {
    const page = await opened({ ...bundling, wallet_sendCalls: refusal(4001) }, {}, { transaction });
    page.flow.sign();
    await settled();
    expect(page.screen()).toBe('rejected');
  });

  it('waits while the wallet has no transaction, and has failed when there will be none', async () => {
    const wallet_getCallsStatus: { status: number } = { status: 100 };
    const page = await opened(
      { ...bundling, wallet_sendCalls: { id: '0xb1' }, wallet_getCallsStatus },
      {},
      { transaction },
    );
    page.flow.sign();
    await settled();
    expect(page.screen()).toBe('sending');
    wallet_getCallsStatus.status = 600;
    page.later.at(-1)?.();
    await settled();
    expect(page.screen()).toBe('reverted');
    expect(page.submitTransaction).not.toHaveBeenCalled();
  });

  it('does not send calls that are not this action', async () => {
    const foreign = { ...transaction, to: DEPLOYMENT.usdc };
    const page = await opened({ ...bundling, wallet_sendCalls: { id: '0xb1' } }, {}, { transaction: foreign });
    page.flow.sign();
    expect(page.screen()).toBe('check_failed');
    expect(page.methods()).not.toContain('wallet_sendCalls');
  });
});
