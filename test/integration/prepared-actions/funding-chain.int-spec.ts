import { TypedDataEncoder } from 'ethers';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { ChainConfig } from '../../../src/platform/chain/chain-config.js';
import { RpcEndpoint } from '../../../src/platform/chain/rpc/rpc-endpoint.js';
import { UsdcToken } from '../../../src/platform/chain/usdc-token.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { ChainMarket } from '../../support/chain-market.js';
import { RpcProxy } from '../../support/rpc-proxy.js';
import { testEnvironment } from '../../support/test-environment.js';

let chain: ChainMarket;
let proxy: RpcProxy;
let endpoint: RpcEndpoint;
let client: ChainClient;
let config: ChainConfig;
let usdc: UsdcToken;

const environment = () =>
  testEnvironment('postgres://unused', { rpcUrl: proxy.url, escrowFactoryAddress: chain.factory });

beforeAll(async () => {
  chain = await ChainMarket.start();
  proxy = await RpcProxy.start(chain.anvil.url);
  endpoint = new RpcEndpoint(environment(), new Clock());
  client = new ChainClient(endpoint);
  config = await ChainConfig.read(client, environment());
  usdc = new UsdcToken(client, config);
});

afterAll(async () => {
  endpoint?.onApplicationShutdown();
  await proxy?.stop();
  await chain?.stop();
});

afterEach(() => {
  proxy.tamper = (_call, answer) => answer;
});

/** A buyer with a deployed tree, 1,000 USDC and an allowance for all of it. */
async function createdTree() {
  const tree = chain.tree(`task_${'1'.repeat(26)}`, chain.wallet());
  await chain.create(tree);
  return tree;
}

describe("the token's domain", () => {
  it('is read from the chain', async () => {
    expect(config.usdcDomain).toEqual({ chainId: 31337, tokenAddress: chain.usdc, name: 'USD Coin', version: '2' });
  });

  it.each([
    ['name', TypedDataEncoder.hashStruct('N', { N: [] }, {})],
    ['nothing', '0x'],
  ])('is refused where the token answers %s', async (_what, lie) => {
    proxy.tamper = ({ params }, answer) => {
      const { data, to } = { data: '', to: '', ...(params[0] as object) };
      return data.length === 10 && to.toLowerCase() === chain.usdc.toLowerCase() ? { ...answer, result: lie } : answer;
    };
    await expect(ChainConfig.read(client, environment())).rejects.toThrow(`The token ${chain.usdc}`);
  });

  it('is refused where the token takes signatures for another one', async () => {
    proxy.tamper = ({ params }, answer) => {
      const { data } = { data: '', ...(params[0] as object) };
      return data === '0x3644e515' ? { ...answer, result: `0x${'12'.repeat(32)}` } : answer;
    };
    await expect(ChainConfig.read(client, environment())).rejects.toThrow('EIP-712 domain');
  });
});

describe('what a wallet could pay', () => {
  it('is its balance, its allowance and its refunds in the tree', async () => {
    const { buyer, escrow } = await createdTree();
    expect(await usdc.balanceOf(buyer.address)).toBe(1_000_000_000n);
    expect(await usdc.allowance(buyer.address, escrow)).toBe(1_000_000_000n);
    expect(await usdc.allowance(buyer.address, chain.factory)).toBe(0n);
    expect(await usdc.permitNonce(buyer.address)).toBe(0n);
    expect(await client.refundOf(escrow, buyer.address)).toBe(0n);
    expect(await client.refundOf(chain.wallet().address, buyer.address)).toBe(0n);
  });

  it('would move up to the last unit', async () => {
    const { buyer, escrow } = await createdTree();
    const balance = await usdc.balanceOf(buyer.address);
    expect(await usdc.transferFault(buyer.address, escrow, balance)).toBeNull();
    expect(await usdc.transferFault(buyer.address, escrow, balance + 1n)).toBe('refused');
    expect(await usdc.balanceOf(buyer.address)).toBe(balance);
  });

  it('would not move while the token is paused, or to and from an account on its deny list', async () => {
    const { buyer, escrow } = await createdTree();
    await chain.callUsdc('pause', []);
    expect(await usdc.transferFault(buyer.address, escrow, 1n)).toBe('paused');
    await chain.callUsdc('unpause', []);
    await chain.callUsdc('blacklist', [escrow]);
    expect(await usdc.transferFault(buyer.address, escrow, 1n)).toBe('blocked');
  });

  it.each([
    ['Pausable: paused', 'paused'],
    ['Blacklistable: account is blacklisted', 'blocked'],
    ['ERC20: transfer amount exceeds balance', 'refused'],
  ] as const)('is told by the texts of the real token too: %s', async (text, fault) => {
    const { buyer, escrow } = await createdTree();
    const hex = Buffer.from(text).toString('hex');
    const words = [`${'20'.padStart(64, '0')}`, text.length.toString(16).padStart(64, '0'), hex.padEnd(128, '0')];
    proxy.tamper = (_call, { id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: 3, message: 'execution reverted', data: `0x08c379a0${words.join('')}` },
    });
    expect(await usdc.transferFault(buyer.address, escrow, 1n)).toBe(fault);
  });

  it('is unknown while the chain cannot be asked', async () => {
    proxy.mode = 'refuse';
    await expect(usdc.balanceOf(chain.usdc)).rejects.toMatchObject({ code: 'service_unavailable' });
    proxy.mode = 'pass';
    proxy.tamper = (_call, answer) => ({ ...answer, result: '0x1234' });
    await expect(usdc.balanceOf(chain.usdc)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
