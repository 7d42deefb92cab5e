import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_ATTEMPTS, DELETE_ENDED, DELETE_GIVEN_UP } from '../endpoints/endpoint-rows.sql.js';

const KEPT_MS = 30 * 86_400_000;

/** Deletes attempts and given up events after 30 days, and endpoints whose credential has ended. */
@Injectable()
export class WebhooksSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'webhooks', 'webhook endpoints and attempts');
  }

  override async sweep(): Promise<number> {
    const before = new Date(this.clock.nowMs() - KEPT_MS);
    const ended = await this.deleteAll(DELETE_ENDED, this.clock.wall());
    const attempts = await this.deleteAll(DELETE_ATTEMPTS, before);
    return ended + attempts + (await this.deleteAll(DELETE_GIVEN_UP, before));
  }
}
