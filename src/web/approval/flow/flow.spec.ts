import { encodeAbandonNode } from '#libs/contracts';
import type { Hex } from '#libs/notation';
import type { ActionStatus } from '#libs/prepared-action';
import type { ApprovalDocument, ProgressAnswer, SubmissionAnswer } from '#libs/approval-wire';
import {
  action,
  callWith,
  HASH,
  message,
  ok,
  opened,
  refusal,
  settled,
  SIGNATURE,
  signedPart,
  WALLET,
} from '../../../../test/support/approval/connected-page.js';
import { DEPLOYMENT, ESCROW } from '../../../../test/support/signable-actions.js';
import type { Answer } from '../ports.js';
import { wordsOf } from '../view/screen-copy.js';
import { canDecline, canSign } from './screen.js';

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
  answers.push(() => {
    page.clock.elapsedMs += 1_000;
    return submitted();
  });
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
  const waited = (answer: () => Promise<Answer<ProgressAnswer>>) => () => {
    page.clock.elapsedMs += 4_000;
    return answer();
  };
  for (const answer of [submitted, away, confirmed, confirmed]) pauses.push(await next(waited(answer)));
  expect([...pauses, page.pauses.at(-1)]).toEqual([1_000, 250, 5_000, 250, 250]);
  expect(known).toEqual([undefined, 'submitted', 'submitted', 'submitted', 'confirmed']);
  expect(page.screen()).toBe('confirmed');
});

it('asks no more than thirty times a minute where the service does not wait, as for a status that the page does not know', async () => {
  let asked = 0;
  const progress = () => {
    asked += 1;
    return Promise.resolve(ok<ProgressAnswer>({ status: 'unknown', transaction_hash: HASH }));
  };
  const page = await opened({}, { progress });
  page.flow.sign();
  await settled();
  page.flow.send();
  await settled();
  for (const from = page.clock.elapsedMs; page.clock.elapsedMs - from < 60_000;) {
    page.clock.elapsedMs += page.pauses.at(-1)!;
    page.later.at(-1)!();
    await settled();
  }
  expect(asked).toBeGreaterThan(20);
  expect(asked).toBeLessThanOrEqual(31);
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

it.each([
  ['wrong_chain', 'eth_chainId', '0x1', '0x2105'],
  ['wrong_wallet', 'eth_requestAccounts', [ESCROW], [WALLET]],
])('sends nothing while the wallet is where the request is not (%s), and keeps the signature', async (...to) => {
  const [screen, method, elsewhere, back] = to;
  const page = await opened();
  page.flow.sign();
  await settled();
  const move = (answer: unknown) => {
    page.answers[method] = answer;
    page.flow.switchAccount();
    return settled();
  };
  await move(elsewhere);
  expect(page.screen()).toBe(screen);
  page.flow.send();
  expect(page.methods()).not.toContain('eth_sendTransaction');
  await move(back);
  expect(page.screen()).toBe('send_ready');
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

describe('a request that another browser has taken over', () => {
  const gone = { kind: 'refused', status: 403, code: 'claim_required', reason: 'Not here.' } as const;

  it('offers nothing to sign any more, as soon as the page looks again', async () => {
    const page = await opened();
    expect(page.screen()).toBe('ready');
    page.refuse(gone);
    page.comeBack();
    await settled();
    expect(page.screen()).toBe('opened_elsewhere');
    expect([canSign(page.flow.state), canDecline(page.flow.state)]).toEqual([false, false]);
    page.flow.sign();
    expect(page.methods()).not.toContain('eth_signTypedData_v4');
  });

  it('is not sent from here either, where it was signed', async () => {
    const page = await opened();
    page.flow.sign();
    await settled();
    page.refuse(gone);
    page.comeBack();
    await settled();
    expect(page.screen()).toBe('opened_elsewhere');
    page.flow.send();
    expect(page.methods()).not.toContain('eth_sendTransaction');
  });

  it.each(['decline', 'renew', 'linkDevice'] as const)('says so when the service refuses to %s it', async (way) => {
    const refused = () => Promise.resolve(gone);
    const page = await opened({}, { decline: refused, renew: refused, link: refused });
    page.flow[way]();
    await settled();
    expect(page.screen()).toBe('opened_elsewhere');
  });

  it('is followed no more once its transaction is sent, and the page says why', async () => {
    const progress = jest.fn(() => Promise.resolve(gone));
    const page = await opened({}, { progress });
    page.flow.sign();
    await settled();
    page.flow.send();
    await settled();
    expect(page.screen()).toBe('opened_elsewhere');
    await page.wait();
    await page.wait();
    expect(progress).toHaveBeenCalledTimes(1);
  });

  it('and whose transaction was seen stays done', async () => {
    const progress = jest.fn<Promise<Answer<ProgressAnswer>>, []>();
    progress.mockResolvedValueOnce(ok({ status: 'confirmed', transaction_hash: HASH, block: 7 }));
    progress.mockResolvedValue(gone);
    const page = await opened({}, { progress });
    page.flow.sign();
    await settled();
    page.flow.send();
    await settled();
    await page.wait();
    await page.wait();
    expect(page.screen()).toBe('confirmed');
    expect(progress).toHaveBeenCalledTimes(2);
  });
});

describe('a service that has too much to do', () => {
  const busy = { kind: 'refused', status: 429, code: 'rate_limited', reason: 'Too many.' } as const;

  it('is asked again for the request, which is not open elsewhere', async () => {
    const page = await opened({}, {}, {}, {}, busy);
    expect(page.screen()).toBe('service_away');
    page.refuse(null);
    await page.wait();
    expect(page.screen()).toBe('ready');
  });

  it('has not refused the signature, which is kept', async () => {
    const page = await opened({}, { submitSignature: () => Promise.resolve(busy) });
    page.flow.sign();
    await settled();
    expect(page.screen()).toBe('unsent');
  });

  it('is told of the transaction again', async () => {
    const submitTransaction = jest.fn<Promise<Answer<SubmissionAnswer>>, [Hex]>();
    submitTransaction.mockResolvedValueOnce(busy);
    submitTransaction.mockResolvedValue(ok({ status: 'submitted' }));
    const page = await opened({}, { submitTransaction });
    page.flow.sign();
    await settled();
    page.flow.send();
    await settled();
    await page.wait();
    expect(submitTransaction.mock.calls).toEqual([[HASH], [HASH]]);
  });
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

  const following = { ...bundling, wallet_sendCalls: { id: '0xb1' } };
  const progressing = (status: ActionStatus, more: Partial<ProgressAnswer> = {}) => ({
    progress: jest.fn(() => Promise.resolve(ok<ProgressAnswer>({ status, ...more }))),
  });

  it('waits while the wallet has no transaction, and can be tried again when there will be none', async () => {
    const wallet_getCallsStatus = { status: 100, receipts: [] };
    const page = await opened({ ...following, wallet_getCallsStatus }, progressing('opened'), { transaction });
    page.flow.sign();
    await settled();
    expect(page.screen()).toBe('sending');
    wallet_getCallsStatus.status = 400;
    await page.wait();
    expect(page.screen()).toBe('wallet_error');
    expect(wordsOf(page.flow.state, page.screen()).text).not.toMatch(/fee|Nothing was signed/);
    expect(canSign(page.flow.state)).toBe(true);
    expect(page.submitTransaction).not.toHaveBeenCalled();
  });

  it('keeps the signature when the wallet never carried out the call that somebody else was to pay for', async () => {
    const paid = { '0x2105': { atomic: { status: 'supported' }, paymasterService: { supported: true } } };
    const wallet_getCallsStatus = { status: 400, receipts: [] };
    const wallet = { ...following, wallet_getCapabilities: paid, wallet_getCallsStatus };
    for (const change of [{}, signedPart(SIGNATURE)]) {
      const page = await opened(wallet, progressing('signed'), { transaction: undefined }, change);
      page.flow.sign();
      await settled();
      page.flow.send();
      await settled();
      expect(page.methods()).toContain('wallet_getCallsStatus');
      expect(page.screen()).toBe('send_ready');
      page.flow.send();
      expect(page.methods().filter((method) => method === 'wallet_sendCalls')).toHaveLength(2);
    }
  });

  it('reports the transaction of a bundle that the chain undid: the service knows what it did', async () => {
    const wallet_getCallsStatus = { status: 500, receipts: [{ transactionHash: HASH }] };
    const page = await opened({ ...following, wallet_getCallsStatus }, progressing('failed'), { transaction });
    page.flow.sign();
    await settled();
    expect(page.submitTransaction).toHaveBeenCalledWith(HASH);
    expect(page.screen()).toBe('reverted');
  });

  it('is over when the service has seen it, though the wallet cannot tell, and the wallet is asked no more', async () => {
    const service = progressing('opened');
    const page = await opened({ ...following, wallet_getCallsStatus: refusal(4200) }, service, { transaction });
    page.flow.sign();
    await settled();
    expect(page.screen()).toBe('sending');
    service.progress.mockResolvedValue(ok({ status: 'confirmed', transaction_hash: HASH, block: 7 }));
    await page.wait();
    expect(page.screen()).toBe('confirmed');
    const asked = page.methods().length;
    await page.wait();
    expect(page.methods()).toHaveLength(asked);
  });

  it('is not taken for a transaction that was reported before, and that the chain does not know', async () => {
    const wallet_getCallsStatus = { status: 100, receipts: [] };
    const other: Hex = `0x${'1e'.repeat(32)}`;
    const service = progressing('unknown', { transaction_hash: other });
    const page = await opened({ ...following, wallet_getCallsStatus }, service, { transaction });
    page.flow.sign();
    await settled();
    expect(page.screen()).toBe('sending');
    Object.assign(wallet_getCallsStatus, { status: 200, receipts: [{ transactionHash: HASH }] });
    await page.wait();
    expect(page.submitTransaction).toHaveBeenCalledWith(HASH);
  });

  it('does not send calls that are not this action', async () => {
    const foreign = { ...transaction, to: DEPLOYMENT.usdc };
    const page = await opened({ ...bundling, wallet_sendCalls: { id: '0xb1' } }, {}, { transaction: foreign });
    page.flow.sign();
    expect(page.screen()).toBe('check_failed');
    expect(page.methods()).not.toContain('wallet_sendCalls');
  });
});
