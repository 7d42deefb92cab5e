import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChainHealth } from '../chain/chain-health.js';
import { HealthConnection } from './health-connection.js';
import type { ReadinessProbe } from './readiness.js';

/** What the service needs to serve: the database and its whole schema; to prepare what wallets sign, the chain as well. */
@Injectable()
export class HealthProbes {
  private hasWholeSchema = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connection: HealthConnection,
    private readonly chain: ChainHealth,
  ) {}

  all(): readonly ReadinessProbe[] {
    return [
      { name: 'database', check: () => this.connection.check() },
      { name: 'migrations', check: () => this.checkMigrations() },
      { name: 'chain', check: () => this.chain.check(), isForWritesOnly: true },
    ];
  }

  /** Checked until it succeeds once: migrations are not undone under a running service. */
  private async checkMigrations(): Promise<void> {
    if (this.hasWholeSchema) return;
    if (await this.dataSource.showMigrations()) throw new Error('Migrations are pending');
    this.hasWholeSchema = true;
  }
}
