import { existsSync } from 'node:fs';
import { startAnvil, type RunningChain } from '../local-chain/anvil.js';
import type { MarketChild } from '../processes/child-process.js';
import { deployContracts, type DeployedContracts } from '../local-chain/deploy-contracts.js';
import { type RunningPostgres, startPostgres } from './embedded-postgres.js';
import type { FolderLock } from '../market-folder/folder-lock.js';
import { apiPort, freePort, isFree } from '../processes/free-port.js';
import { LocalChain } from '../local-chain/local-chain.js';
import { LocalFault, messageOf } from '../processes/local-fault.js';
import type { LocalSecrets } from '../market-folder/local-secrets.js';
import { type RunningService, type ServiceParts, serviceVariables, startService } from './local-service.js';
import type { MarketFolder } from '../market-folder/market-folder.js';
import type { Progress } from '../processes/progress.js';
import type { LocalAccount } from '../market-folder/local-file.js';
import { TestWallet } from '../test-wallet/test-wallet.js';

/** A running service and its environment variables. */
export interface ServedMarket extends RunningService {
  variables: Record<string, string>;
}

const PORT_ATTEMPTS = 4;
/** Postgres' error when another program has taken the port in the meantime. */
const NO_SOCKET = 'could not create any TCP/IP sockets';
const END_KNOWN_MS = 500;

/**
 * The processes of one market, in the order of starting. They are stopped in the reverse order: the service first, so
 * that it never loses its database.
 */
export class MarketParts {
  private readonly children: MarketChild[] = [];
  private wallet: TestWallet | null = null;
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly folder: MarketFolder,
    private readonly lock: FolderLock,
    private readonly progress: Progress,
  ) {}

  async postgres(secrets: LocalSecrets, settings: Readonly<Record<string, string>>): Promise<RunningPostgres> {
    return this.progress.part(
      'Postgres',
      async () => {
        const wanted = { password: secrets.database_password, settings };
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await startPostgres(this.folder, wanted, this.watch);
          } catch (error) {
            if (this.isStopping || attempt === PORT_ATTEMPTS || !messageOf(error).includes(NO_SOCKET)) throw error;
            this.forget('The database (Postgres)');
          }
        }
      },
      ({ port, note }) => `127.0.0.1:${port}  ${note}`,
    );
  }

  /** Starts the chain on the port `wanted`, or on any free one when that is null or another program takes it first. */
  async chain(genesisTime: number, wanted: number | null): Promise<RunningChain> {
    return this.progress.part(
      'Chain',
      async () => {
        const start = (port: number) => startAnvil(this.folder, genesisTime, port, this.watch);
        if (wanted === null) return start(0);
        try {
          return await start(wanted);
        } catch (error) {
          if (this.isStopping || (await isFree(wanted))) throw error;
          this.forget('The chain (anvil)');
          return start(0);
        }
      },
      ({ rpcUrl }) => `${rpcUrl}  anvil, chain id 31337`,
    );
  }

  /** Deploys the contracts, unless `known` are on the chain already. */
  async contracts(rpcUrl: string, known: DeployedContracts | null): Promise<DeployedContracts> {
    const chain = new LocalChain(rpcUrl);
    try {
      if (known && (await chain.provider.getCode(known.factory)) !== '0x') return known;
      if (known) {
        throw new LocalFault(
          `The saved chain (${this.folder.chainState}) has lost the market's contracts. Begin with an empty market: \`${this.folder.reset}\`.`,
        );
      }
      return await this.progress.part(
        'Contracts',
        () => deployContracts(chain),
        ({ factory }) => `escrow factory ${factory}`,
      );
    } finally {
      chain.close();
    }
  }

  /** Starts the test wallet that this market's pages offer. It runs in this process; its keys are in no other. */
  async testWallet(rpcUrl: string, people: () => readonly LocalAccount[]): Promise<TestWallet> {
    this.wallet = await TestWallet.start(rpcUrl, people);
    return this.wallet;
  }

  /**
   * Starts the service on the port `wanted`, or on the first free one. If another program takes the port before the
   * service listens, the next one is tried.
   * @param health port of health and metrics; null: any free one.
   */
  async service(
    wanted: number | null,
    parts: Omit<ServiceParts, 'port' | 'managementPort'>,
    health: number | null = null,
  ): Promise<ServedMarket> {
    for (let attempt = 1; ; attempt += 1) {
      const { port, note } = await apiPort(wanted);
      if (note) this.progress.note(note);
      const placed = { ...parts, port, managementPort: (attempt === 1 ? health : null) ?? (await freePort()) };
      try {
        const service = await this.progress.part(
          'Service',
          () => startService(this.folder, placed, this.watch),
          ({ url }) => `${url}  (docs: ${url}/docs)`,
        );
        return { ...service, variables: serviceVariables(placed) };
      } catch (error) {
        if (this.isStopping || attempt === PORT_ATTEMPTS || !messageOf(error).includes('EADDRINUSE')) throw error;
        this.forget('The service');
      }
    }
  }

  /** Resolves with the first process that ends. Call it after all have been started. */
  firstEnd(): Promise<MarketChild> {
    return Promise.race(this.children.map((child) => child.exited.then(() => child)));
  }

  /**
   * A process that ended although the market is not being stopped; null when there is none. Waits a moment, see below.
   */
  async endedByItself(): Promise<MarketChild | null> {
    if (this.isStopping) return null;
    // Connections to a process break a moment before its exit is reported.
    return Promise.race([
      this.firstEnd(),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), END_KNOWN_MS)),
    ]);
  }

  /** Stops all processes, once, and releases the folder. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  get isStopping(): boolean {
    return this.stopping !== null;
  }

  /** Removes ended processes of this name, after a failed start. */
  private forget(name: string): void {
    const others = this.children.filter((child) => child.name !== name || child.isAlive);
    this.children.splice(0, this.children.length, ...others);
  }

  private readonly watch = (child: MarketChild): void => {
    this.children.push(child);
    this.lock.add(child.identity);
    // Ctrl-C came between the process's start and this line.
    if (this.isStopping) void child.stop();
  };

  private async stopAll(): Promise<void> {
    for (const child of this.children.toReversed()) await child.stop();
    await this.wallet?.stop();
    if (existsSync(this.folder.path)) this.lock.release();
  }
}
