import { ZeroAddress } from 'ethers';
import {
  encodeAbandonNode,
  encodeEscrowOfCall,
  encodeNodeCall,
  FACT_TOPICS,
  nodeNonce,
  NodeState,
  senderAuth,
  treeIdOf,
} from '../../../libs/contracts/src/index.js';
import { EMPTY_REQUEST_DIGEST } from '../../../libs/kernel/src/index.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { ChainConfig } from '../../../src/platform/chain/chain-config.js';
import { ChainHealth } from '../../../src/platform/chain/chain-health.js';
import { ChainUnavailableError } from '../../../src/platform/chain/rpc/chain-unavailable.error.js';
import { RpcEndpoint } from '../../../src/platform/chain/rpc/rpc-endpoint.js';
import type { Environment } from '../../../src/platform/config/environment.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { ChainMarket, type TestTree } from '../../support/chain-market.js';
import { RpcProxy } from '../../support/rpc-proxy.js';
import { testEnvironment } from '../../support/test-environment.js';

const TASK_ID = `task_${'1'.repeat(26)}`;
const AMOUNT = 100_000_000n;

let chain: ChainMarket;
let proxy: RpcProxy;
let endpoint: RpcEndpoint;
let client: ChainClient;
let tree: TestTree;
const clock = new Clock();
const worker = ChainMarket.prototype.wallet();

const environment = (own: Partial<Environment> = {}): Environment =>
  testEnvironment('postgres://unused', { rpcUrl: proxy.url, escrowFactoryAddress: chain.factory, ...own });

beforeAll(async () => {
  chain = await ChainMarket.start();
  tree = chain.tree(TASK_ID, chain.wallet());
  await chain.create(tree);
  const root = chain.terms({ nodeId: 1n, worker: worker.address, amount: AMOUNT });
  await chain.fund(tree, root, worker);
});

afterAll(() => chain.stop());

beforeEach(async () => {
  proxy = await RpcProxy.start(chain.anvil.url);
  endpoint = new RpcEndpoint(environment(), clock);
  client = new ChainClient(endpoint);
});

afterEach(async () => {
  endpoint.onApplicationShutdown();
  await proxy.stop();
});

describe('ChainClient', () => {
  it('reads head, headers that link, genesis, code and chain id', async () => {
    const number = await client.blockNumber();
    expect(number).toBe(await chain.anvil.blockNumber());
    const [latest, before] = await Promise.all([client.block('latest'), client.block(number - 1)]);
    expect(latest).toMatchObject({ number, parentHash: before?.hash });
    expect(Math.abs((latest?.timestamp ?? 0) - clock.nowSeconds())).toBeLessThan(120);
    expect(await client.block(number + 1)).toBeNull();
    expect(await client.genesisHash()).toBe((await client.block(0))?.hash);
    expect(await client.chainId()).toBe(31337);
    expect((await client.codeAt(tree.escrow)).length).toBeGreaterThan(2);
    expect(await client.codeAt(worker.address)).toBe('0x');
  });

  it('reads logs in chain order, by numbers and by the hash of a block', async () => {
    const toBlock = await client.blockNumber();
    const logs = await client.logs({ fromBlock: 0, toBlock }, FACT_TOPICS);
    expect(logs.length).toBeGreaterThan(3);
    expect(logs[0]).toMatchObject({ address: chain.factory });
    const places = logs.map(({ blockNumber, logIndex }) => blockNumber * 1_000 + logIndex);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const last = logs.at(-1)!;
    expect(await client.logs({ blockHash: last.blockHash }, FACT_TOPICS)).toEqual(
      logs.filter(({ blockNumber }) => blockNumber === last.blockNumber),
    );
  });

  it('reads a node as the contract stores it; null for a path or an escrow that is not there', async () => {
    expect(await client.nodeAt(tree.escrow, 1n)).toMatchObject({
      worker: worker.address,
      amount: AMOUNT,
      allocated: 0n,
      state: NodeState.Funded,
      hirerFunded: true,
    });
    expect(await client.nodeAt(tree.escrow, 2n)).toBeNull();
    expect(await client.nodeAt(worker.address, 1n)).toBeNull();
  });

  it('tells whether a nonce is used; none is where no escrow is deployed', async () => {
    expect(await client.nonceUsed(tree.escrow, worker.address, nodeNonce(1n, 0))).toBe(true);
    expect(await client.nonceUsed(tree.escrow, worker.address, nodeNonce(1n, 1))).toBe(false);
    expect(await client.nonceUsed(worker.address, worker.address, nodeNonce(1n, 0))).toBe(false);
  });

  it("tells a revert, with the contract's own error, from an answer", async () => {
    const fields = { actionId: EMPTY_REQUEST_DIGEST, requestDigest: EMPTY_REQUEST_DIGEST };
    const auth = senderAuth({ ...fields, nonce: nodeNonce(1n, 1), validUntil: 40_000_000_000n });
    const call = { to: tree.escrow, data: encodeAbandonNode(1n, auth) };
    expect(await client.rawCall({ ...call, from: worker.address })).toMatchObject({ reverted: false });
    expect(await client.rawCall({ ...call, from: tree.buyer.address })).toMatchObject({
      reverted: true,
      revert: { name: 'InvalidSignature', args: { signer: worker.address } },
    });
    const missing = { from: worker.address, to: tree.escrow, data: encodeAbandonNode(9n, auth) };
    expect(await client.rawCall(missing)).toMatchObject({ reverted: true, revert: { name: 'WrongState' } });
    expect(await client.rawCall({ to: tree.escrow, data: '0x12345678' })).toMatchObject({
      reverted: true,
      revert: null,
    });
  });

  it('sends what is asked together as one request', async () => {
    let requests = 0;
    const counting = await RpcProxy.start(chain.anvil.url);
    counting.tamper = ({ id }, answer) => {
      if (id === counting.calls.at(-1)?.id) requests += 1;
      return answer;
    };
    const own = new RpcEndpoint(environment({ rpcUrl: counting.url }), clock);
    const together = new ChainClient(own);
    await Promise.all([together.nodeAt(tree.escrow, 1n), together.blockNumber(), together.codeAt(tree.escrow)]);
    own.onApplicationShutdown();
    await counting.stop();
    expect(requests).toBe(1);
  });

  it('never answers from a cache', async () => {
    const before = await client.blockNumber();
    await chain.anvil.mine();
    expect(await client.blockNumber()).toBe(before + 1);
  });
});

describe('a chain that cannot be asked', () => {
  const unavailable = { code: 'service_unavailable', status: 503 };

  it.each(['refuse', 'error'] as const)(
    '(%s) is a 503 that names no address, and works again by itself',
    async (mode) => {
      proxy.mode = mode;
      const reads = [
        () => client.blockNumber(),
        () => client.nodeAt(tree.escrow, 1n),
        () => client.rawCall({ to: tree.escrow, data: encodeNodeCall(1n) }),
      ];
      for (const read of reads) await expect(read()).rejects.toMatchObject(unavailable);
      const error: unknown = await client.blockNumber().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ChainUnavailableError);
      const { reason, detail } = error as ChainUnavailableError;
      for (const text of [reason, detail, JSON.stringify((error as ChainUnavailableError).body())]) {
        expect(text).not.toContain('127.0.0.1');
      }
      proxy.mode = 'pass';
      expect(await client.nodeAt(tree.escrow, 1n)).not.toBeNull();
    },
  );

  it('is given up after five seconds when it never answers', async () => {
    proxy.mode = 'hang';
    const startedAt = Date.now();
    await expect(client.blockNumber()).rejects.toMatchObject(unavailable);
    // A second attempt would have made it ten seconds.
    expect(Date.now() - startedAt).toBeLessThan(9_900);
  });

  it('for a moment is asked again, and nobody notices', async () => {
    proxy.mode = 'refuse';
    setTimeout(() => (proxy.mode = 'pass'), 20);
    expect(await client.chainId()).toBe(31337);
  });

  it('when the endpoint refuses a call, or answers nonsense', async () => {
    proxy.tamper = (_call, { id }) => ({ jsonrpc: '2.0', id, error: { code: -32005, message: 'limit exceeded' } });
    await expect(client.rawCall({ to: tree.escrow, data: '0x' })).rejects.toMatchObject(unavailable);
    await expect(client.blockNumber()).rejects.toMatchObject({
      ...unavailable,
      detail: expect.stringContaining('limit'),
    });
    proxy.tamper = (_call, { id }) => ({ jsonrpc: '2.0', id, result: 'nonsense' });
    await expect(client.blockNumber()).rejects.toMatchObject(unavailable);
    await expect(client.block(1)).rejects.toMatchObject(unavailable);
    await expect(client.nodeAt(tree.escrow, 1n)).rejects.toMatchObject(unavailable);
    proxy.tamper = (_call, { id }) => ({ jsonrpc: '2.0', id, result: '0x1234' });
    await expect(client.nodeAt(tree.escrow, 1n)).rejects.toMatchObject(unavailable);
  });
});

describe('ChainHealth', () => {
  it('asks at most every two seconds while all is well, and at once after a failure', async () => {
    const health = new ChainHealth(endpoint);
    expect(health.sinceAnswerMs).toBeNull();
    await health.check();
    await health.check();
    expect(proxy.calls).toHaveLength(1);
    expect(health.sinceAnswerMs).toBeGreaterThanOrEqual(0);
    proxy.mode = 'refuse';
    await expect(client.blockNumber()).rejects.toThrow();
    await expect(health.check()).rejects.toThrow();
    expect(health.sinceAnswerMs).toBeNull();
    proxy.mode = 'pass';
    await health.check();
    expect(health.sinceAnswerMs).toBeGreaterThanOrEqual(0);
  });
});

describe('ChainConfig', () => {
  it('reads the contracts behind the factory and computes the addresses that the factory deploys to', async () => {
    const config = await ChainConfig.read(client, environment());
    expect(config).toMatchObject({
      chainId: 31337,
      factoryAddress: chain.factory,
      implementationAddress: chain.implementation,
      usdcAddress: chain.usdc,
    });
    expect(config.escrowAddressOf(tree.buyer.address, ZeroAddress, TASK_ID)).toBe(tree.escrow);
    const arbiter = worker.address;
    const call = encodeEscrowOfCall({ buyer: tree.buyer.address, arbiter, treeId: treeIdOf(TASK_ID) });
    const onChain = await client.call({ to: chain.factory, data: call });
    expect(onChain.slice(-40)).toBe(
      config.escrowAddressOf(tree.buyer.address, arbiter, TASK_ID).slice(2).toLowerCase(),
    );
  });

  it.each<[string, () => Partial<Environment>, string]>([
    ['another chain', () => ({ chainId: 8453 }), 'RPC_URL serves chain 31337, but CHAIN_ID is 8453'],
    ['no contract', () => ({ escrowFactoryAddress: worker.address }), 'There is no contract at ESCROW_FACTORY_ADDRESS'],
    ['another contract', () => ({ escrowFactoryAddress: chain.usdc }), 'is not an escrow factory'],
    ['the implementation', () => ({ escrowFactoryAddress: chain.implementation }), 'is not an escrow factory'],
  ])('refuses %s with a sentence', async (_name, own, sentence) => {
    await expect(ChainConfig.read(client, environment(own()))).rejects.toThrow(sentence);
  });

  it('refuses a factory that would deploy elsewhere than it is computed here', async () => {
    proxy.tamper = ({ params }, answer) => {
      const { data } = { data: '', ...(params[0] as object) };
      const elsewhere = `0x${'0'.repeat(24)}${'3'.repeat(40)}`;
      return data.length > 100 ? { ...answer, result: elsewhere } : answer;
    };
    await expect(ChainConfig.read(client, environment())).rejects.toThrow('is not an escrow factory');
  });

  it('refuses a chain that cannot be asked, without telling its address', async () => {
    proxy.mode = 'refuse';
    const error: unknown = await ChainConfig.read(client, environment()).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toMatch(/^The chain at RPC_URL cannot be asked \(.+\)\.$/);
    expect((error as Error).message).not.toContain(proxy.url);
  });
});
