import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { ChainArrival } from '../../../platform/chain/chain-arrival.js';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig, ChainConfigurationError } from '../../../platform/chain/chain-config.js';
import { Environment } from '../../../platform/config/environment.js';
import { ChainIdentityEntity } from './chain-identity.entity.js';

/** SQLSTATE. */
const UNDEFINED_TABLE = '42P01';

/** Binds a database to the chain it was first used with: an index of one chain says nothing about another. */
@Injectable()
export class ChainIdentity {
  private start = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly client: ChainClient,
    private readonly config: ChainConfig,
    private readonly environment: Environment,
    private readonly arrival: ChainArrival,
  ) {}

  /** First block worth reading, as it was when the database was bound. */
  get startBlock(): number {
    return this.start;
  }

  /**
   * Binds a new database to the configured chain and factory, or checks that it is bound to them. A refused start
   * leaves no trace, however many processes start at once. While the chain is away, a bound database is taken for what it
   * was, and checked before anybody may ask the chain.
   * @throws ChainConfigurationError with a sentence when it is bound to others, or has no schema yet.
   */
  async claim(): Promise<void> {
    if (this.arrival.isAwaited) this.arrival.start(() => this.bindDatabase());
    else await this.bindDatabase();
    const [bound] = await this.dataSource.manager.find(ChainIdentityEntity);
    this.start = bound?.startBlock ?? this.environment.chainStartBlock;
  }

  /** @throws ChainConfigurationError when the endpoint now serves another chain than the database is bound to. */
  async verify(): Promise<void> {
    const own = await this.identity();
    for (const bound of await this.dataSource.manager.find(ChainIdentityEntity)) this.compare(bound, own);
  }

  private async bindDatabase(): Promise<void> {
    const own = await this.identity();
    await this.dataSource.transaction((manager) => this.bind(manager, own)).catch(withoutSchema);
  }

  private async bind(manager: EntityManager, own: ChainIdentityEntity): Promise<void> {
    await manager.query('LOCK TABLE chain_identity IN SHARE ROW EXCLUSIVE MODE');
    const [bound] = await manager.find(ChainIdentityEntity);
    if (!bound) return void (await manager.insert(ChainIdentityEntity, own));
    this.compare(bound, own);
    const { implementationAddress, usdcAddress, usdcName, usdcVersion } = own;
    await manager.update(
      ChainIdentityEntity,
      { chainId: bound.chainId },
      { implementationAddress, usdcAddress, usdcName, usdcVersion },
    );
  }

  private async identity(): Promise<ChainIdentityEntity> {
    const { chainId, factoryAddress, implementationAddress, usdcAddress, usdcDomain } = this.config;
    return Object.assign(new ChainIdentityEntity(), {
      chainId: String(chainId),
      genesisHash: await this.client.genesisHash(),
      escrowFactoryAddress: factoryAddress,
      implementationAddress,
      usdcAddress,
      usdcName: usdcDomain.name,
      usdcVersion: usdcDomain.version,
      startBlock: this.environment.chainStartBlock,
    });
  }

  private compare(bound: ChainIdentityEntity, own: ChainIdentityEntity): void {
    const advice = 'Use the database that belongs to this chain, or an empty one.';
    if (bound.chainId !== own.chainId) {
      throw new ChainConfigurationError(
        `The database holds the index of chain ${bound.chainId}, but CHAIN_ID is ${own.chainId}. ${advice}`,
      );
    }
    if (bound.genesisHash !== own.genesisHash) {
      throw new ChainConfigurationError(
        `The database holds the index of another chain with the id ${own.chainId}: the first block is not the same. ${advice}`,
      );
    }
    if (bound.escrowFactoryAddress !== own.escrowFactoryAddress) {
      throw new ChainConfigurationError(
        `The database holds the index of the factory ${bound.escrowFactoryAddress}, but ESCROW_FACTORY_ADDRESS is ` +
          `${own.escrowFactoryAddress}. ${advice}`,
      );
    }
  }
}

function withoutSchema(error: unknown): never {
  const driverError: unknown = error instanceof QueryFailedError ? error.driverError : null;
  const isMissing = driverError instanceof Error && 'code' in driverError && driverError.code === UNDEFINED_TABLE;
  if (!isMissing) throw error;
  throw new ChainConfigurationError(
    'The database has no schema yet. Run the migrations (`npm run migrate`), or set MIGRATE_ON_START=true.',
  );
}
