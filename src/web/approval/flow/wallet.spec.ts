import type { Provider, ProviderCall } from '../../wallets/provider.js';
import {
  askForCalls,
  askForSignature,
  connect,
  connectAnew,
  currentAccount,
  switchNetwork,
  transactionOfCalls,
} from './wallet.js';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HASH = `0x${'8f'.repeat(32)}`;
const DEPLOYMENT = {
  chainId: 31_337,
  chainName: 'Local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrlForWallet: 'https://node.example',
} as Parameters<typeof switchNetwork>[1];

// The time limit for a silent node is a timer that outlives the answer.
beforeEach(() => jest.useFakeTimers());

type Answers = Record<string, unknown>;

/**
 * A wallet that answers by method. It throws an answer that is an Error, and does not know a method that is not named.
 */
function walletThat(answers: Answers): Provider & { asked: ProviderCall[] } {
  const asked: ProviderCall[] = [];
  const request = (call: ProviderCall): Promise<unknown> => {
    asked.push(call);
    const answer = answers[call.method];
    if (answer === undefined) return Promise.reject(refusal(4200));
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { request, asked };
}

const refusal = (code: number): Error => Object.assign(new Error('No'), { code });
const EOA = { eth_requestAccounts: [ADDRESS], eth_accounts: [ADDRESS], eth_chainId: '0x7a69', eth_getCode: '0x' };
const methods = (wallet: { asked: ProviderCall[] }): string[] => wallet.asked.map(({ method }) => method);

describe('the account of a wallet', () => {
  const atomic = { status: 'ready' };

  it('is a key that signs, where the wallet says nothing of bundles', async () => {
    const account = { address: ADDRESS, chainId: 31_337, isContract: false, canBundle: false, takesPaymaster: false };
    expect(await connect(walletThat(EOA))).toEqual(account);
  });

  it.each(['supported', 'ready'])('can bundle where atomic calls are %s on its own chain', async (status) => {
    const wallet_getCapabilities = { '0x7a69': { atomic: { status } } };
    expect(await connect(walletThat({ ...EOA, wallet_getCapabilities }))).toMatchObject({ canBundle: true });
  });

  it.each([
    ['are unsupported', { '0x7a69': { atomic: { status: 'unsupported' } } }],
    ['are for another chain', { '0x1': { atomic: { status: 'supported' } } }],
    ['are not there', {}],
    ['are no object', 'supported'],
    ['are a list', [{ atomic: { status: 'supported' } }]],
    ['are refused', refusal(4100)],
  ])('cannot bundle where its capabilities %s', async (_what, wallet_getCapabilities) => {
    expect(await connect(walletThat({ ...EOA, wallet_getCapabilities }))).toMatchObject({ canBundle: false });
  });

  it.each<[string, object, boolean]>([
    ['on its chain', { '0x7a69': { atomic, paymasterService: { supported: true } } }, true],
    ['on every chain', { '0x0': { atomic, paymasterService: { supported: true } } }, true],
    ['on another chain', { '0x1': { atomic, paymasterService: { supported: true } } }, false],
    [
      'not on its chain',
      {
        '0x0': { paymasterService: { supported: true } },
        '0x7a69': { atomic, paymasterService: { supported: false } },
      },
      false,
    ],
    ['without calls that are one', { '0x7a69': { paymasterService: { supported: true } } }, false],
    ['in words', { '0x7a69': { atomic, paymasterService: { supported: 'true' } } }, false],
  ])('lets somebody else pay the fee, as its capabilities say %s', async (_what, wallet_getCapabilities, takes) => {
    expect(await connect(walletThat({ ...EOA, wallet_getCapabilities }))).toMatchObject({ takesPaymaster: takes });
  });

  it.each([
    ['0x6001', true],
    [`0xef0100${'ab'.repeat(20)}`, false],
    ['0x', false],
  ])('with the code %s is a contract: %s', async (eth_getCode, isContract) => {
    expect(await connect(walletThat({ ...EOA, eth_getCode }))).toMatchObject({ isContract });
  });

  it.each([[[]], [null], ['0x1'], [['0x1']], [[42]]])('is none when the wallet shows %j', async (accounts) => {
    expect(await currentAccount(walletThat({ ...EOA, eth_accounts: accounts }))).toBeNull();
  });

  it('is chosen anew, also in a wallet that does not know how', async () => {
    expect(await connectAnew(walletThat(EOA))).toMatchObject({ address: ADDRESS });
  });

  it('is not chosen anew when the person declines', async () => {
    const wallet = walletThat({ ...EOA, wallet_requestPermissions: refusal(4001) });
    await expect(connectAnew(wallet)).rejects.toThrow('No');
    expect(methods(wallet)).toEqual(['wallet_requestPermissions']);
  });
});

describe('another network', () => {
  it('is named to a wallet that does not know it, and asked for again', async () => {
    let isKnown = false;
    const asked: string[] = [];
    const request = ({ method }: ProviderCall): Promise<unknown> => {
      asked.push(method);
      if (method === 'wallet_addEthereumChain') isKnown = true;
      return isKnown ? Promise.resolve(null) : Promise.reject(refusal(4902));
    };
    await switchNetwork({ request }, DEPLOYMENT);
    expect(asked).toEqual(['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'wallet_switchEthereumChain']);
  });

  it('is not named where its endpoint is not published, nor when the person declines', async () => {
    const unknown = walletThat({ wallet_switchEthereumChain: refusal(4902) });
    await expect(switchNetwork(unknown, { ...DEPLOYMENT, rpcUrlForWallet: null })).rejects.toThrow('No');
    const declined = walletThat({ wallet_switchEthereumChain: refusal(4001) });
    await expect(switchNetwork(declined, DEPLOYMENT)).rejects.toThrow('No');
    expect([...methods(unknown), ...methods(declined)]).not.toContain('wallet_addEthereumChain');
  });
});

describe('a signature', () => {
  it.each(['0x', 'signed', null, 42, '0xabc'])('is none when the wallet answers %j', async (answer) => {
    const wallet = walletThat({ eth_signTypedData_v4: answer });
    expect(await askForSignature(wallet, ADDRESS, '{}')).toBeNull();
  });

  it('is asked for with the data as it came', async () => {
    const wallet = walletThat({ eth_signTypedData_v4: '0x1234' });
    expect(await askForSignature(wallet, ADDRESS, '{"a":1}')).toBe('0x1234');
    expect(wallet.asked).toEqual([{ method: 'eth_signTypedData_v4', params: [ADDRESS, '{"a":1}'] }]);
  });
});

describe('a bundle of calls', () => {
  const account = { address: ADDRESS, chainId: 31_337, isContract: true, canBundle: true, takesPaymaster: true };
  const calls = [{ to: ADDRESS, data: '0x12', from: ADDRESS, gas: '0x1' }];

  it('is asked for as a whole, with what a bundle takes of each call and nothing else', async () => {
    const wallet = walletThat({ wallet_sendCalls: { id: '0xb1' } });
    expect(await askForCalls(wallet, account, calls, null)).toBe('0xb1');
    expect(wallet.asked[0]?.params).toEqual([
      {
        version: '2.0.0',
        from: ADDRESS,
        chainId: '0x7a69',
        atomicRequired: true,
        calls: [{ to: ADDRESS, data: '0x12', value: '0x0' }],
      },
    ]);
  });

  it('names the service that pays its fee, in both places where wallets look, and lets them do without it', async () => {
    const wallet = walletThat({ wallet_sendCalls: { id: '0xb1' } });
    const url = 'https://market.example/paymaster/act_1.mac';
    await askForCalls(wallet, account, calls, url);
    expect(wallet.asked[0]?.params).toMatchObject([
      {
        capabilities: {
          paymasterService: { url, context: {}, optional: true, '0x7a69': { url, context: {}, optional: true } },
        },
      },
    ]);
  });

  it.each([null, 42, {}, { id: 7 }])('is none when the wallet answers %j', async (answer) => {
    expect(await askForCalls(walletThat({ wallet_sendCalls: answer }), account, calls, null)).toBeNull();
  });

  it('is not sent when the person declines', async () => {
    const wallet = walletThat({ wallet_sendCalls: refusal(5750) });
    await expect(askForCalls(wallet, account, calls, null)).rejects.toThrow('No');
  });

  it.each([
    ['waits', { status: 100, receipts: [] }, 'waiting'],
    ['waits while the wallet cannot say', refusal(4900), 'waiting'],
    ['is in its transaction', { status: 200, receipts: [{ transactionHash: HASH }] }, HASH],
    ['never happened', { status: 400, receipts: [] }, null],
    ['was undone on the chain', { status: 500 }, null],
    [
      'was carried out in part, and its transaction tells',
      { status: 600, receipts: [{ transactionHash: HASH }] },
      HASH,
    ],
    ['waits for a hash that is one', { status: 200, receipts: [{ transactionHash: '0x12' }] }, 'waiting'],
  ])('%s', async (_what, wallet_getCallsStatus, transaction) => {
    expect(await transactionOfCalls(walletThat({ wallet_getCallsStatus }), '0xb1')).toBe(transaction);
  });
});
