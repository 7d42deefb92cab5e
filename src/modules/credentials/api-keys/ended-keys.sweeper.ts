import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch } from '../../../platform/database/expired-rows.sql.js';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';

/** Time for which a caller with an ended key is still told that it has ended; then the key is unknown. */
const ENDED_KEPT_MS = 30 * 86_400_000;

const ENDED = deleteBatch('api_keys', 'id', 'least(expires_at, revoked_at) <= $1');

/** Deletes API keys a month after they have ended. */
@Injectable()
export class EndedKeysSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'api-keys', 'API keys');
  }

  override sweep(): Promise<number> {
    return this.deleteAll(ENDED, new Date(this.clock.wallMs() - ENDED_KEPT_MS));
  }
}
