import { paymasterAnswer } from './paymaster-answer.js';
import { idOf, PaymasterRefusal, readPaymasterRequest, requirePrice } from './paymaster-request.js';

const SENDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const V6 = '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789';
const V7 = '0x0000000071727De22E5E9d8BAf0eDAc6f37da032';
const V8 = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
const limits = { callGasLimit: '0x1', verificationGasLimit: '0x1', preVerificationGas: '0x1' };
const operation = {
  ...limits,
  sender: SENDER,
  nonce: '0x0',
  callData: '0x1234',
  maxFeePerGas: '0x1',
  maxPriorityFeePerGas: '0x1',
};
const versions = ['0.6', '0.7', '0.8'] as const;

function read(own: Record<string, unknown>, entryPoint = V8): ReturnType<typeof readPaymasterRequest> {
  const params = [{ ...operation, ...own }, entryPoint, '0x2105', { policy: 'of the page' }];
  return readPaymasterRequest(
    { jsonrpc: '2.0', id: 1, method: 'pm_getPaymasterData', params },
    { chainId: 8453, versions },
  );
}

function codeOf(act: () => unknown): number | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof PaymasterRefusal) return error.code;
    throw error;
  }
}

describe('a request', () => {
  it.each([
    [V6, '0.6'],
    [V7, '0.7'],
    [V8.toLowerCase(), '0.8'],
  ])('at %s is of EntryPoint %s', (entryPoint, version) => {
    expect(read({}, entryPoint)).toMatchObject({ version, entryPoint: entryPoint.toLowerCase() });
  });

  it('is not taken at an EntryPoint that the paymaster does not pay at', () => {
    const params = [operation, V6, '0x2105'];
    const request = { jsonrpc: '2.0', method: 'pm_getPaymasterData', params };
    expect(codeOf(() => readPaymasterRequest(request, { chainId: 8453, versions: ['0.8'] }))).toBe(-32_602);
  });

  it('keeps what operations have, the permission to become an account included, and nothing else', () => {
    const eip7702Auth = {
      chainId: '0x2105',
      address: SENDER,
      nonce: '0x1',
      yParity: '0x0',
      r: '0x1',
      s: '0x2',
      x: '0x',
    };
    const { x: _dropped, ...kept } = eip7702Auth;
    const given = { factory: '0x7702', factoryData: null, eip7702Auth, memo: 'hello' };
    expect(read(given).operation).toEqual({ ...operation, factory: '0x7702', eip7702Auth: kept });
  });

  it.each<[string, Record<string, unknown>]>([
    ['without a sender', { sender: undefined }],
    ['whose sender is no address', { sender: '0x12' }],
    ['without call data', { callData: null }],
    ['with a member that is no text', { nonce: 1 }],
    ['with a member that is a text of something else', { initCode: 'none' }],
    ['with a permission that is none', { eip7702Auth: 'yes' }],
    ['with a permission that holds text', { eip7702Auth: { r: 'r' } }],
    ['of more gas than an action takes', { callGasLimit: '0x14fb180', verificationGasLimit: '0x1' }],
    ['of a gas limit that is no quantity', { callGasLimit: '0x' }],
    ['of more gas before it is checked than its data costs', { preVerificationGas: '0x2540be400' }],
    ['whose paymaster checks without end', { paymasterVerificationGasLimit: '0x2540be400' }],
    ['whose paymaster settles without end', { paymasterPostOpGasLimit: '0x2540be400' }],
    ['of a limit beside its code that is no quantity', { preVerificationGas: '0x' }],
    ['of a price that is no quantity', { maxFeePerGas: '0x' }],
    ['that names no gas before it is checked', { preVerificationGas: undefined }],
    ['that names no price', { maxFeePerGas: null }],
    ['of a tip that is no quantity', { maxPriorityFeePerGas: `0x1${'0'.repeat(64)}` }],
  ])('%s is refused', (_what, own) => {
    expect(codeOf(() => read(own))).toBe(-32_602);
  });

  it('of all the gas that an action takes is read', () => {
    const own = { callGasLimit: '0xb71b00', verificationGasLimit: '0x4c4b40', preVerificationGas: '0x4630c0' };
    const paymaster = { paymasterVerificationGasLimit: '0x493e0', paymasterPostOpGasLimit: '0x186a0' };
    expect(read({ ...own, ...paymaster })).toMatchObject({ sender: SENDER });
    expect(codeOf(() => read({ ...own, ...paymaster, paymasterPostOpGasLimit: '0x186a1' }))).toBe(-32_602);
  });

  it.each<[Record<string, unknown>, number | null]>([
    [{ maxFeePerGas: '0x28', maxPriorityFeePerGas: '0x28' }, null],
    [{ maxFeePerGas: '0x29', maxPriorityFeePerGas: '0x1' }, -32_602],
    [{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x29' }, -32_602],
    [{ maxFeePerGas: '0xde0b6b3a7640000' }, -32_602],
  ])('of the price %j, where the chain takes 10 wei, is answered with %j', (own, code) => {
    expect(codeOf(() => requirePrice(read(own), 10n))).toBe(code);
  });

  it.each([
    {},
    { params: {} },
    { params: [null, V8, '0x2105'] },
    { params: [operation, V8, 8453] },
    { params: [operation, { toString: 1, valueOf: 1 }, '0x2105'] },
  ])('is refused when its parameters are %j', (own) => {
    const request = { jsonrpc: '2.0', method: 'pm_getPaymasterStubData', ...own };
    expect(codeOf(() => readPaymasterRequest(request, { chainId: 8453, versions }))).toBe(-32_602);
  });

  it.each([
    [{ id: 7 }, 7],
    [{ id: 'a' }, 'a'],
    [{ id: 'a'.repeat(101) }, null],
    [{ id: {} }, null],
    [{}, null],
  ])('%j has the id %j', (body, id) => {
    expect(idOf(body)).toBe(id);
  });
});

describe('an answer', () => {
  const given = { paymaster: SENDER, paymasterData: '0xab', paymasterPostOpGasLimit: '0x1', isFinal: true };
  const data = { method: 'pm_getPaymasterData', version: '0.8', isEstimated: true } as const;

  it('is what its version takes', () => {
    const { isFinal, ...kept } = given;
    expect(paymasterAnswer(given, data, 'Market')).toEqual(kept);
    const stub = { ...data, method: 'pm_getPaymasterStubData' } as const;
    expect(paymasterAnswer(given, stub, 'Market')).toEqual({ ...kept, isFinal, sponsor: { name: 'Market' } });
    // A signature for gas and a price that nobody has named.
    expect(paymasterAnswer(given, { ...stub, isEstimated: false }, 'Market')).toBeNull();
    expect(paymasterAnswer(kept, { ...stub, isEstimated: false }, 'Market')).toMatchObject(kept);
    const old = { ...data, version: '0.6' } as const;
    expect(paymasterAnswer({ ...given, paymasterAndData: '0xcd' }, old, 'Market')).toEqual({
      paymasterAndData: '0xcd',
    });
  });

  it.each<[string, unknown]>([
    ['text', 'https://paymaster.example/key'],
    ['nothing', null],
    ['a list', []],
    ['no data', { paymaster: SENDER }],
    ['data in words', { ...given, paymasterData: 'key' }],
    ['data without end', { ...given, paymasterData: `0x${'0'.repeat(9000)}` }],
    ['a limit that is a number', { ...given, paymasterPostOpGasLimit: 1 }],
  ])('that is %s is none', (_what, result) => {
    expect(paymasterAnswer(result, data, 'Market')).toBeNull();
  });
});
