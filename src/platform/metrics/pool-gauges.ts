import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from './metrics.js';

const GAUGES = {
  totalCount: 'Connections of the write pool that are open',
  idleCount: 'Connections of the write pool that nobody uses',
  waitingCount: 'Requests that wait for a connection of the write pool',
} as const;

/** How full the write pool is. */
@Injectable()
export class PoolGauges implements OnApplicationBootstrap {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.addGauge('database_pool_open', GAUGES.totalCount, () => this.read('totalCount'));
    this.metrics.addGauge('database_pool_idle', GAUGES.idleCount, () => this.read('idleCount'));
    this.metrics.addGauge('database_pool_waiting', GAUGES.waitingCount, () => this.read('waitingCount'));
  }

  /** The counts that `pg` keeps on its pool; TypeORM hands the pool out as the driver's `master`. */
  private read(count: keyof typeof GAUGES): number {
    const { driver } = this.dataSource;
    if (!('master' in driver)) return 0;
    const pool: unknown = driver.master;
    if (typeof pool !== 'object' || pool === null) return 0;
    const value: unknown = Reflect.get(pool, count);
    return typeof value === 'number' ? value : 0;
  }
}
