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

/** A service that listens, and the configuration that it runs with. */
export interface ServedMarket extends RunningService {
  variables: Record<string, string>;
}

const PORT_ATTEMPTS = 4;
/** Postgres' last words where somebody else has taken its port since it was looked for. */
const NO_SOCKET = 'could not create any TCP/IP sockets';
const END_KNOWN_MS = 500;

/**
 * The processes of one market, in the order in which they were started. All are stopped in the reverse order: the
 * service first, so that it never sees its database go away.
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

  /** On the port that is wanted, unless somebody takes it before anvil does (null: any free one). */
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

  /** The contracts, deployed now unless `known` are still on the chain. */
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

  /** The wallet that pages of this market offer; it lives in this process, and its keys in no other. */
  async testWallet(rpcUrl: string, people: () => readonly LocalAccount[]): Promise<TestWallet> {
    this.wallet = await TestWallet.start(rpcUrl, people);
    return this.wallet;
  }

  /**
   * Starts the service on the port that was asked for, or on the first free one. Between looking for a port and
   * listening on it somebody else may take it; then the next one is tried.
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

  /** Settles with the first process that ends. Ask once all have been started. */
  firstEnd(): Promise<MarketChild> {
    return Promise.race(this.children.map((child) => child.exited.then(() => child)));
  }

  /** A part that ended while nobody was stopping the market, also at this moment; null: there is none. */
  async endedByItself(): Promise<MarketChild | null> {
    if (this.isStopping) return null;
    // Its connections break a moment before its end is known.
    return Promise.race([
      this.firstEnd(),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), END_KNOWN_MS)),
    ]);
  }

  /** Stops everything that runs, once; the folder is free afterwards. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  get isStopping(): boolean {
    return this.stopping !== null;
  }

  /** A child of this name that did not come up is no part of the market. */
  private forget(name: string): void {
    const others = this.children.filter((child) => child.name !== name || child.isAlive);
    this.children.splice(0, this.children.length, ...others);
  }

  private readonly watch = (child: MarketChild): void => {
    this.children.push(child);
    this.lock.add(child.identity);
    // Ctrl-C came between its start and this line.
    if (this.isStopping) void child.stop();
  };

  private async stopAll(): Promise<void> {
    for (const child of this.children.toReversed()) await child.stop();
    await this.wallet?.stop();
    if (existsSync(this.folder.path)) this.lock.release();
  }
}
