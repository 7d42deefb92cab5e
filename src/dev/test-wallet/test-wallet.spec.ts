import { hexlify, randomBytes, verifyMessage, verifyTypedData, Wallet } from 'ethers';
import type { LocalAccount } from '../market-folder/local-file.js';
import { TestWallet } from './test-wallet.js';

const key = new Wallet(hexlify(randomBytes(32)));
const ada: LocalAccount = {
  name: 'Ada',
  account_id: 'acct_1',
  wallet_address: key.address,
  wallet_private_key: key.privateKey,
  keys: { read: '', buyer: '', worker: '', 'agent-owner': '' },
  agents: [],
};
const DOMAIN = { name: 'Escrow', version: '1', chainId: 31_337, verifyingContract: `0x${'ab'.repeat(20)}` };
const STRUCTS = { Give: [{ name: 'amount', type: 'uint256' }] };
const MESSAGE = { amount: '5' };
const TYPED = {
  domain: DOMAIN,
  types: { EIP712Domain: [{ name: 'name', type: 'string' }], ...STRUCTS },
  primaryType: 'Give',
  message: MESSAGE,
};

let people: LocalAccount[] = [];
let wallet: TestWallet;

beforeAll(async () => {
  // No test here sends a request to the chain.
  wallet = await TestWallet.start('http://127.0.0.1:9', () => people);
});
beforeEach(() => {
  people = [ada];
});
afterAll(() => wallet.stop());

async function ask(method: string, ...params: unknown[]): Promise<any> {
  const response = await fetch(wallet.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method, params }),
  });
  return response.json();
}

describe('the test wallet', () => {
  it('signs typed data and messages of the local chain with the keys of its accounts', async () => {
    const { result } = await ask('eth_signTypedData_v4', key.address, JSON.stringify(TYPED));
    expect(verifyTypedData(DOMAIN, STRUCTS, MESSAGE, result)).toBe(key.address);
    const signed = await ask('personal_sign', `0x${Buffer.from('Sign in').toString('hex')}`, key.address.toLowerCase());
    expect(verifyMessage('Sign in', signed.result)).toBe(key.address);
  });

  it('is on the local chain and knows no other', async () => {
    expect(await ask('eth_chainId')).toEqual({ result: '0x7a69' });
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x7a69' })).toEqual({ result: null });
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x1' })).toMatchObject({ error: { code: 4902 } });
  });

  it('has no accounts before the sample market is created', async () => {
    expect((await ask('eth_accounts')).result).toEqual([key.address]);
    people = [];
    expect((await ask('eth_accounts')).result).toEqual([]);
    expect(await ask('personal_sign', 'Sign in', key.address)).toMatchObject({ error: { code: 4100 } });
  });

  it.each([
    ['for another chain', { ...TYPED, domain: { ...DOMAIN, chainId: 8453 } }],
    ['with a struct more', { ...TYPED, types: { ...TYPED.types, Take: [{ name: 'amount', type: 'uint256' }] } }],
    ['with another primary type', { ...TYPED, primaryType: 'Take' }],
    ['without a message', { ...TYPED, message: null }],
    ['with types that are none', { ...TYPED, types: { Give: 'uint256' } }],
    ['that is no object', '[]'],
    ['that is no JSON', '{'],
  ])('signs no typed data %s', async (_what, data) => {
    const answer = await ask('eth_signTypedData_v4', key.address, data);
    expect(answer).toEqual({ error: { code: expect.any(Number), message: expect.any(String) } });
  });

  it('never returns a key', async () => {
    const methods = ['eth_accounts', 'test_people', 'eth_sign', 'eth_private_key', 'wallet_getCapabilities', ''];
    const answers = await Promise.all(methods.map((method) => ask(method, key.address)));
    expect(JSON.stringify(answers)).not.toContain(key.privateKey.slice(2));
    expect(answers.slice(2)).toEqual(answers.slice(2).map(() => ({ error: expect.objectContaining({ code: 4200 }) })));
  });

  it('refuses requests that a form or a link of another site could send', async () => {
    const asForm = await fetch(wallet.url, { method: 'POST', body: JSON.stringify({ method: 'eth_accounts' }) });
    const asLink = await fetch(wallet.url);
    for (const response of [asForm, asLink]) {
      expect(await response.json()).toMatchObject({ error: { code: -32_600 } });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
