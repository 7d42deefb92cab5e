import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ChainHealth } from '../chain/chain-health.js';
import type { ReadinessProbe } from './readiness.js';

/** What the service needs to serve: the database, its whole schema, and the chain. */
@Injectable()
export class HealthProbes {
  private hasWholeSchema = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chain: ChainHealth,
  ) {}

  all(): readonly ReadinessProbe[] {
    return [
      { name: 'database', check: () => this.checkDatabase() },
      { name: 'migrations', check: () => this.checkMigrations() },
      { name: 'chain', check: () => this.chain.check() },
    ];
  }

  private async checkDatabase(): Promise<void> {
    await this.dataSource.query('SELECT 1');
  }

  /** Asked until it holds once: migrations are not undone under a running service. */
  private async checkMigrations(): Promise<void> {
    if (this.hasWholeSchema) return;
    if (await this.dataSource.showMigrations()) throw new Error('Migrations are pending');
    this.hasWholeSchema = true;
  }
}
