import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError } from 'typeorm';
import { checksumAddress } from '#libs/contracts';
import { isHex } from '#libs/kernel';
import { Environment } from '../config/environment.js';
import { ChainClient } from './chain-client.js';
import { ChainAwayError, ChainConfig, ChainConfigurationError } from './chain-config.js';
import { KNOWN_CONTRACTS } from './known-contracts.sql.js';
import { ChainGate } from './rpc/rpc-endpoint.js';

/** SQLSTATE of a table, and of a column, that a schema which is not migrated yet lacks. */
const NOT_MIGRATED: readonly unknown[] = ['42P01', '42703'];

interface KnownContractsRow {
  implementation_address: string;
  usdc_address: string;
  usdc_name: string;
  usdc_version: string;
}

/** Finds out which contracts the process works with when it starts. */
@Injectable()
export class ChainStart {
  constructor(
    private readonly client: ChainClient,
    private readonly environment: Environment,
    private readonly gate: ChainGate,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * As `ChainConfig.read`. While the chain is away, what it said at an earlier start with the same chain id and factory:
   * what is read needs no chain. Nobody may then ask the chain before it is back and has said the same again.
   * @throws ChainConfigurationError as `ChainConfig.read`, also for an absent chain that the database does not know.
   */
  async config(): Promise<ChainConfig> {
    try {
      return await this.served();
    } catch (error) {
      const known = error instanceof ChainAwayError ? await this.known() : null;
      if (known === null) throw error;
      this.gate.shutUntil(async () => refuseOther(await this.served(), known));
      return known;
    }
  }

  private served(): Promise<ChainConfig> {
    return ChainConfig.read(this.client, this.environment);
  }

  private async known(): Promise<ChainConfig | null> {
    const { chainId, escrowFactoryAddress } = this.environment;
    const factoryAddress = checksumAddress(escrowFactoryAddress);
    const values = [String(chainId), factoryAddress];
    const [row] = await this.dataSource.query<KnownContractsRow[]>(KNOWN_CONTRACTS, values).catch(noneBeforeMigration);
    if (!row) return null;
    const { implementation_address: implementationAddress, usdc_address: usdcAddress } = row;
    if (!isHex(implementationAddress) || !isHex(usdcAddress)) throw new TypeError('Not addresses of contracts');
    const token = { usdcAddress, usdcName: row.usdc_name, usdcVersion: row.usdc_version };
    return new ChainConfig({ chainId, factoryAddress, implementationAddress, ...token });
  }
}

function noneBeforeMigration(error: unknown): [] {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : null;
  if (cause instanceof Error && 'code' in cause && NOT_MIGRATED.includes(cause.code)) return [];
  throw error;
}

function refuseOther(served: ChainConfig, known: ChainConfig): void {
  const isSame =
    served.implementationAddress === known.implementationAddress &&
    served.usdcAddress === known.usdcAddress &&
    served.usdcDomain.name === known.usdcDomain.name &&
    served.usdcDomain.version === known.usdcDomain.version;
  if (isSame) return;
  throw new ChainConfigurationError(
    'The contracts behind ESCROW_FACTORY_ADDRESS are not those of the last start. Start again, now that the chain answers.',
  );
}
