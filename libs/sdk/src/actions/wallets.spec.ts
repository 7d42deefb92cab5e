import { Wallet as EthersWallet } from 'ethers';
import { createWalletClient, custom } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { signable, type SignableName } from '../../../../test/support/signable-actions.js';
import { commandWallet } from '../node.js';
import { type AnyWallet, type TypedDataToSign, walletOf } from './wallets.js';

const KEY = `0x${'42'.repeat(32)}` as const;
const ethers = new EthersWallet(KEY);
const HASH = `0x${'11'.repeat(32)}`;
const KINDS: SignableName[] = [
  'create_task',
  'submit_quote',
  'fund_task by EIP-3009',
  'fund_task by permit',
  'deliver',
];

function sentTo(list: object[], call: object = {}): string {
  list.push(call);
  return HASH;
}

/** A browser's wallet with this key, on Base. */
const provider = {
  sent: [] as object[],
  request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
    if (method === 'eth_requestAccounts') return [ethers.address];
    if (method === 'eth_chainId') return '0x2105';
    if (method === 'eth_sendTransaction') return sentTo(provider.sent, (params as object[])[0]);
    const [, text] = params as [string, string];
    const { domain, types, message } = JSON.parse(text) as TypedDataToSign;
    const { EIP712Domain: _domain, ...structs } = types;
    return ethers.signTypedData(domain, structs, message);
  },
};
const account = privateKeyToAccount(KEY);
const WALLETS: [string, AnyWallet][] = [
  ['an ethers Signer', ethers],
  ['a viem LocalAccount', account],
  ['a viem WalletClient', createWalletClient({ account, transport: custom(provider) })],
  ['an EIP-1193 provider', provider],
];

function typedDataOf(name: SignableName): TypedDataToSign {
  const { domain, types, primaryType, message } = signable(name).action.payload as unknown as TypedDataToSign;
  return { domain, types, primaryType, message };
}

it.each(WALLETS)('%s signs the very same data', async (_what, wallet) => {
  const signer = walletOf(wallet);
  expect(await signer.address()).toBe(ethers.address);
  for (const kind of KINDS) {
    const data = typedDataOf(kind);
    const { EIP712Domain: _domain, ...structs } = data.types;
    expect(await signer.sign(data)).toBe(await ethers.signTypedData(data.domain, structs, data.message));
  }
});

describe('a call is sent on the chain of the deployment', () => {
  const call = { to: ethers.address, data: '0x' };
  const client = createWalletClient({ account: ethers.address as `0x${string}`, transport: custom(provider) });
  beforeEach(() => (provider.sent = []));

  it('which an EIP-1193 provider is told', async () => {
    await expect(walletOf(provider).send?.({ ...call, chainId: 8453 })).resolves.toBe(HASH);
    expect(provider.sent).toEqual([{ from: ethers.address, ...call, chainId: '0x2105' }]);
  });

  it('which an ethers Signer is told', async () => {
    const signer = {
      getAddress: () => ethers.getAddress(),
      signTypedData: () => Promise.reject(new Error('Nothing is to be signed')),
      sendTransaction: (sent: object) => Promise.resolve({ hash: sentTo(provider.sent, sent) }),
    };
    await expect(walletOf(signer).send?.({ ...call, chainId: 8453 })).resolves.toBe(HASH);
    expect(provider.sent).toEqual([{ ...call, chainId: 8453 }]);
  });

  it('which a viem WalletClient must be on', async () => {
    await expect(walletOf(client).send?.({ ...call, chainId: 1 })).rejects.toThrow('not on chain 1');
    expect(provider.sent).toEqual([]);
    await expect(walletOf(client).send?.({ ...call, chainId: 8453 })).resolves.toBe(HASH);
    expect(provider.sent).toHaveLength(1);
  });
});

it('a LocalAccount says that it cannot send', () => {
  expect(walletOf(account).send).toBeUndefined();
});

it('a command is asked on its standard input, and answers on its standard output', async () => {
  const program = `let text = ''; process.stdin.on('data', (more) => (text += more)).on('end', () => {
    const { method } = JSON.parse(text);
    console.log(JSON.stringify(method === 'eth_requestAccounts' ? { result: ['0xabc'] } : { error: { message: 'No.' } }));
  });`;
  const wallet = walletOf(commandWallet(process.execPath, ['-e', program]));
  await expect(wallet.address()).resolves.toBe('0xabc');
  await expect(wallet.sign(typedDataOf('deliver'))).rejects.toThrow('refuses: No.');
  await expect(walletOf(commandWallet('/nowhere')).address()).rejects.toThrow('ENOENT');
  await expect(walletOf(commandWallet(process.execPath, ['-e', 'process.exit(3)'])).address()).rejects.toThrow(
    'with 3',
  );
});

it('what answers with no hexadecimal has signed nothing, and what is no wallet is refused', async () => {
  const wallet = walletOf({ request: async () => ['no'] });
  await expect(wallet.sign(typedDataOf('deliver'))).rejects.toThrow(TypeError);
  expect(() => walletOf({} as AnyWallet)).toThrow(TypeError);
});
