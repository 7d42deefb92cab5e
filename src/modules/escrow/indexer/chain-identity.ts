import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig, ChainConfigurationError } from '../../../platform/chain/chain-config.js';
import { Environment } from '../../../platform/config/environment.js';
import { ChainIdentityEntity } from './chain-identity.entity.js';

/** Binds a database to the chain it was first used with: an index of one chain says nothing about another. */
@Injectable()
export class ChainIdentity {
  private start = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly client: ChainClient,
    private readonly config: ChainConfig,
    private readonly environment: Environment,
  ) {}

  /** First block worth reading, as it was when the database was bound. */
  get startBlock(): number {
    return this.start;
  }

  /**
   * Binds a new database to the configured chain and factory, or checks that it is bound to them.
   * @throws ChainConfigurationError with a sentence when it is bound to others.
   */
  async claim(): Promise<void> {
    const own = await this.identity();
    await this.dataSource.createQueryBuilder().insert().into(ChainIdentityEntity).values(own).orIgnore().execute();
    const known = await this.dataSource.manager.find(ChainIdentityEntity);
    for (const bound of known) this.compare(bound, own);
    this.start = known[0]?.startBlock ?? own.startBlock;
  }

  /** @throws ChainConfigurationError when the endpoint now serves another chain than the database is bound to. */
  async verify(): Promise<void> {
    const own = await this.identity();
    for (const bound of await this.dataSource.manager.find(ChainIdentityEntity)) this.compare(bound, own);
  }

  private async identity(): Promise<ChainIdentityEntity> {
    return Object.assign(new ChainIdentityEntity(), {
      chainId: String(this.config.chainId),
      genesisHash: await this.client.genesisHash(),
      escrowFactoryAddress: this.config.factoryAddress,
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
