import { randomBytes } from 'node:crypto';
import { AbiCoder, concat, getCreate2Address, type Wallet, keccak256, toBeHex } from 'ethers';
import type { DataSource } from 'typeorm';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { BrowserSessions } from '../../src/modules/accounts/sessions/browser-sessions.js';
import { type ChallengeUse, WalletChallenges } from '../../src/modules/sign-in/wallet-challenges.js';
import { AccountWallets } from '../../src/modules/accounts/wallets/account-wallets.js';
import { WalletRemovals } from '../../src/modules/accounts/wallets/wallet-removals.js';
import { Environment } from '../../src/platform/config/environment.js';
import { Clock } from '../../src/platform/time/clock.js';
import { ChainMarket } from './chain-market.js';
import { contractWalletCode } from './contract-wallet.js';
import { createMigratedDatabase } from './database.js';
import { randomWallet } from './random-wallet.js';
import { RpcProxy } from './rpc-proxy.js';
import { TestService } from './test-service.js';

/** The wall clock, which a spec can move. */
class MovableWall extends Clock {
  aheadMs = 0;

  override wallMs(): number {
    return Date.now() + this.aheadMs;
  }
}

/** A contract wallet owned by a key. It may be deployed or only have an address. */
export interface ContractWallet {
  address: string;
  owner: Wallet;
  deploy(): Promise<void>;
  /** The signature while the wallet is not deployed (ERC-6492). */
  signUndeployed(message: string): Promise<string>;
}

/** A factory that anvil has from its first block. It deploys `salt ‖ creation code` at the CREATE2 address. */
const CREATE2_FACTORY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const MAGIC_6492 = `0x${'6492'.repeat(16)}`;

/** Sign-in with its own database and chain, without pages. */
export class SignInApp {
  private constructor(
    private readonly service: TestService<MovableWall>,
    readonly dataSource: DataSource,
    readonly chain: ChainMarket,
    readonly rpc: RpcProxy,
  ) {}

  static async start(own: Partial<Environment> = {}): Promise<SignInApp> {
    const [{ url, dataSource }, chain] = await Promise.all([createMigratedDatabase(), ChainMarket.start()]);
    const rpc = await RpcProxy.start(chain.anvil.url);
    const settings: Partial<Environment> = {
      rpcUrl: rpc.url,
      escrowFactoryAddress: chain.factory,
      rateLimitSignIn: 100_000,
      rateLimitSignInTotal: 1_000_000,
      ...own,
    };
    const service = await TestService.start(url, settings, { clock: new MovableWall() });
    return new SignInApp(service, dataSource, chain, rpc);
  }

  get<T>(type: abstract new (...args: any[]) => T): T {
    return this.service.get(type);
  }

  get clock(): MovableWall {
    return this.service.clock;
  }

  get environment(): Environment {
    return this.get(Environment);
  }

  get challenges(): WalletChallenges {
    return this.get(WalletChallenges);
  }

  get wallets(): AccountWallets {
    return this.get(AccountWallets);
  }

  get removals(): WalletRemovals {
    return this.get(WalletRemovals);
  }

  get sessions(): BrowserSessions {
    return this.get(BrowserSessions);
  }

  get accounts(): AccountsService {
    return this.get(AccountsService);
  }

  /** A sign-in page in a new browser. */
  browser(own: Partial<ChallengeUse> = {}): ChallengeUse {
    const requestId = `uid-${randomBytes(8).toString('hex')}`;
    const binding = randomBytes(32).toString('base64url');
    const auditId = `req-${requestId}`;
    return { binding, purpose: 'sign_in', requestId, clientAddress: '203.0.113.1', auditId, ...own };
  }

  issue(use: ChallengeUse, address: string, clientAddress = use.clientAddress) {
    return this.challenges.issue({ ...use, clientAddress, address });
  }

  /** Signs in with the wallet's key. @returns the account. */
  async signIn(wallet: Wallet) {
    const use = this.browser();
    const { challengeId, message } = await this.issue(use, wallet.address);
    const proof = await this.challenges.redeem({ ...use, challengeId, signature: await wallet.signMessage(message) });
    return this.wallets.signIn(proof, use.auditId);
  }

  /** Audit events of a request, in order. */
  async audited(auditId: string | null): Promise<{ event: string; account_id: string | null; detail: any }[]> {
    return this.dataSource.query(
      'SELECT event, account_id, detail FROM audit_events WHERE request_id = $1 ORDER BY id',
      [auditId],
    );
  }

  contractWallet(owner = randomWallet()): ContractWallet {
    const salt = toBeHex(BigInt(`0x${randomBytes(32).toString('hex')}`), 32);
    const code = contractWalletCode(owner.address);
    const factoryCall = concat([salt, code]);
    return {
      address: getCreate2Address(CREATE2_FACTORY, salt, keccak256(code)),
      owner,
      deploy: async () => void (await this.chain.send(CREATE2_FACTORY, factoryCall)),
      signUndeployed: async (message) => wrapped(CREATE2_FACTORY, factoryCall, await owner.signMessage(message)),
    };
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.dataSource.destroy();
    await this.rpc.stop();
    await this.chain.stop();
  }
}

/** A signature in the wrapping of ERC-6492. */
export function wrapped(factory: string, factoryCall: string, signature: string): string {
  const values = AbiCoder.defaultAbiCoder().encode(['address', 'bytes', 'bytes'], [factory, factoryCall, signature]);
  return concat([values, MAGIC_6492]);
}
