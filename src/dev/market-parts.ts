import { existsSync } from 'node:fs';
import { startAnvil, type RunningChain } from './anvil.js';
import type { MarketChild } from './child-process.js';
import { deployContracts, type DeployedContracts } from './deploy-contracts.js';
import { type RunningPostgres, startPostgres } from './embedded-postgres.js';
import type { FolderLock } from './folder-lock.js';
import { LocalChain } from './local-chain.js';
import { LocalFault } from './local-fault.js';
import type { LocalSecrets } from './local-secrets.js';
import { type RunningService, type ServiceParts, serviceVariables, startService } from './local-service.js';
import type { MarketFolder } from './market-folder.js';
import type { Progress } from './progress.js';

/**
 * The processes of one market, in the order in which they were started. All are stopped in the reverse order: the
 * service first, so that it never sees its database go away.
 */
export class MarketParts {
  private readonly children: MarketChild[] = [];
  private ended: (child: MarketChild) => void = () => undefined;
  private stopping: Promise<void> | null = null;
  /** Settles with the first process that ends although nobody asked it to. */
  readonly failed = new Promise<MarketChild>((resolve) => (this.ended = resolve));

  constructor(
    private readonly folder: MarketFolder,
    private readonly lock: FolderLock,
    private readonly progress: Progress,
  ) {}

  async postgres(secrets: LocalSecrets): Promise<RunningPostgres> {
    return this.progress.part(
      'Postgres',
      () => startPostgres(this.folder, secrets.database_password, this.watch),
      ({ port, note }) => `127.0.0.1:${port}  ${note}`,
    );
  }

  async chain(genesisTime: number): Promise<RunningChain> {
    return this.progress.part(
      'Chain',
      () => startAnvil(this.folder, genesisTime, this.watch),
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

  async service(parts: ServiceParts): Promise<RunningService & { variables: Record<string, string> }> {
    const service = await this.progress.part(
      'Service',
      () => startService(this.folder, parts, this.watch),
      ({ url }) => `${url}  (docs: ${url}/docs)`,
    );
    return { ...service, variables: serviceVariables(parts) };
  }

  /** Stops everything that runs, once; the folder is free afterwards. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  get isStopping(): boolean {
    return this.stopping !== null;
  }

  private readonly watch = (child: MarketChild): void => {
    this.children.push(child);
    this.lock.add(child.identity);
    void child.exited.then(() => child.hasFailed && this.ended(child));
    // Ctrl-C came between its start and this line.
    if (this.isStopping) void child.stop();
  };

  private async stopAll(): Promise<void> {
    for (const child of this.children.toReversed()) await child.stop();
    if (existsSync(this.folder.path)) this.lock.release();
  }
}
