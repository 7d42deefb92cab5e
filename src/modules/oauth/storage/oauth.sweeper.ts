import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_EXPIRED_PROOFS } from '../../credentials/credentials.sql-views.js';
import { DELETE_ENDED_GRANTS, DELETE_EXPIRED_RECORDS, DELETE_UNUSED_CLIENTS } from './oauth-record.sql.js';

/** Age after which a self-registered application without any grant is deleted. */
const UNUSED_MS = 86_400_000;

/** Time for which an ended grant is kept, so that the account's activity can still name its application. */
const ENDED_KEPT_MS = 30 * 86_400_000;

/** Deletes expired records and proofs, old grants, and self-registered applications without a grant. */
@Injectable()
export class OAuthSweeper extends ExpiredRowsSweeper {
  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    super(dataSource, 'oauth', 'records of the authorization server');
  }

  override async sweep(): Promise<number> {
    const now = this.clock.wall();
    const unusedSince = new Date(now.getTime() - UNUSED_MS);
    const expired =
      (await this.deleteAll(DELETE_EXPIRED_RECORDS, now)) + (await this.deleteAll(DELETE_EXPIRED_PROOFS, now));
    const ended = await this.deleteAll(DELETE_ENDED_GRANTS, new Date(now.getTime() - ENDED_KEPT_MS));
    return expired + ended + (await this.deleteAll(DELETE_UNUSED_CLIENTS, unusedSince));
  }
}
