import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Interface } from 'ethers';
import { localUsdcAbi } from '../../../libs/contracts/src/index.js';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { eventually } from '../../support/eventually.js';
import { keyIssuer } from '../../support/key-issuer.js';
import { ObservedProcess } from '../../support/market-process.js';
import { MarketRows } from '../../support/market-rows.js';
import { APP_SECRET, ResilienceStack } from '../../support/resilience/resilience-stack.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';
import { testEnvironment } from '../../support/test-environment.js';
import { Trader } from './trader.js';

const RECONCILE = 'dist/service/tools/reconcile.js';
const FIRST_MONEY = 10_000_000_000n;
const INDEX_MS = 20_000;

/**
 * The service in its own process, with a chain and a database that the spec can break, and people who use only HTTP and
 * wallets.
 */
export class HttpMarket {
  service!: ServiceProcess;
  readonly traders: Trader[] = [];

  private constructor(
    readonly stack: ResilienceStack,
    private readonly variables: Record<string, string>,
    private readonly folder: string,
  ) {}

  static async start(variables: Record<string, string> = {}): Promise<HttpMarket> {
    const folder = mkdtempSync(join(tmpdir(), 'tasktree-walk-'));
    const stack = await ResilienceStack.start();
    const market = new HttpMarket(stack, { ARTIFACT_DIR: folder, ...variables }, folder);
    await market.serve();
    return market;
  }

  /** Starts the service: the first one, or another one after it was killed. */
  async serve(own: Record<string, string> = {}): Promise<void> {
    this.service = await this.stack.service({ ...this.variables, ...own });
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get chain(): ResilienceStack['chain'] {
    return this.stack.chain;
  }

  /**
   * A new account with keys, an agent, ether and 10,000 USDC. Its wallet is a key, or a contract that a key signs for.
   */
  async trader(name: string, walletKind: 'key' | 'contract' = 'key'): Promise<Trader> {
    const key = this.chain.wallet();
    const address = walletKind === 'key' ? (key.address as Hex) : await this.chain.contractWallet(key);
    const accountId = await new MarketRows(this.stack.dataSource).account(name, address);
    const environment = testEnvironment(this.stack.databaseUrl, { appSecret: APP_SECRET });
    const keys = await keyIssuer(this.stack.dataSource, environment).createKeySet({ id: accountId }, { name });
    await this.chain.giveEther(address);
    await this.chain.callUsdc('mint', [address, FIRST_MONEY]);
    const trader = new Trader(this, { name, accountId, address, key, keys });
    this.traders.push(trader);
    await trader.publish();
    return trader;
  }

  /** Moves the time of the chain, and waits until the service has followed. */
  async travel(seconds: number): Promise<void> {
    await this.chain.anvil.rpc('evm_increaseTime', `0x${Math.max(0, Math.floor(seconds)).toString(16)}`);
    await this.chain.anvil.mine();
    await this.caughtUp();
  }

  /** Time of the newest block, in unix seconds. */
  async nowSeconds(): Promise<number> {
    const block = await this.chain.anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
    return Number(block.timestamp);
  }

  /** Waits until the service has read the newest block. Rejects when the service ends before. */
  async indexed(): Promise<void> {
    const { child } = this.service.process;
    const { hash } = await this.chain.anvil.rpc<{ hash: string }>('eth_getBlockByNumber', 'latest', false);
    await eventually(async () => {
      if ((await this.indexedTip()) === hash) return true;
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('The service has ended');
      return false;
    }, INDEX_MS);
  }

  /**
   * Waits until the service has read the newest block and uses its time. The service takes over the time shortly after
   * the index has read a block, so once a second block has been read it has certainly done so.
   */
  async caughtUp(): Promise<void> {
    await this.indexed();
    await this.chain.anvil.mine();
    await this.indexed();
  }

  /** Waits until the service reports that it can write. */
  ready(): Promise<void> {
    return eventually(async () => (await this.service.health('ready/writes')) === 200, INDEX_MS);
  }

  /** What `npm run reconcile` says about this database and this chain, without the proxies. */
  async reconcile(): Promise<{ code: number | null; output: string }> {
    const { RPC_URL: _proxy, ...variables } = this.stack.variables();
    const tool = ObservedProcess.node([RECONCILE], {
      ...variables,
      DATABASE_URL: this.stack.databaseUrl,
      RPC_URL: this.chain.anvil.url,
    });
    const code = await tool.ended;
    return { code, output: tool.output };
  }

  /** Calls a view of the token or of an escrow. */
  async view(to: string, abi: readonly any[], name: string, values: readonly unknown[] = []): Promise<any> {
    const contract = new Interface(abi);
    const data = contract.encodeFunctionData(name, values);
    const result = await this.chain.anvil.rpc<string>('eth_call', { to, data }, 'latest');
    return contract.decodeFunctionResult(name, result)[0];
  }

  /** The supply of the token, in base units. */
  supply(): Promise<bigint> {
    return this.view(this.chain.usdc, localUsdcAbi, 'totalSupply');
  }

  private async indexedTip(): Promise<string | undefined> {
    const [tip] = await this.stack.dataSource.query<{ hash: string }[]>(
      'SELECT hash FROM chain_blocks ORDER BY number DESC LIMIT 1',
    );
    return tip?.hash;
  }
}
