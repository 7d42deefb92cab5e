import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch, ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_EXPIRED_PROOFS } from '../../credentials/credentials.sql-views.js';

/** An application that registered itself and was never allowed anything is forgotten after a day. */
const UNUSED_MS = 86_400_000;

const RECORDS = deleteBatch('oauth_records', 'kind, id_hash');
/** Whoever was allowed something stays for a month after the last permission has ended. */
const UNUSED_CLIENTS = deleteBatch(
  'oauth_records',
  'kind, id_hash',
  `kind = 'Client' AND payload->>'registered_by' = 'self' AND created_at <= $1
      AND NOT EXISTS (SELECT 1 FROM oauth_grants allowed WHERE allowed.client_id = oauth_records.payload->>'client_id')`,
  'created_at',
);

/** So long after its end a permission still names its application in the record of the account. */
const ENDED_KEPT_MS = 30 * 86_400_000;
const ENDED_GRANTS = deleteBatch('oauth_grants', 'id', 'least(expires_at, revoked_at) <= $1');

/** Deletes what has expired of the authorization server, and applications that nobody ever allowed anything. */
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
    const expired = (await this.deleteAll(RECORDS, now)) + (await this.deleteAll(DELETE_EXPIRED_PROOFS, now));
    const ended = await this.deleteAll(ENDED_GRANTS, new Date(now.getTime() - ENDED_KEPT_MS));
    return expired + ended + (await this.deleteAll(UNUSED_CLIENTS, unusedSince));
  }
}
