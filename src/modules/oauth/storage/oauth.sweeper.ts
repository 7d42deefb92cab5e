import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteBatch, ExpiredRowsSweeper } from '../../../platform/database/expired-rows.sweeper.js';
import { Clock } from '../../../platform/time/clock.js';
import { DELETE_EXPIRED_PROOFS } from '../../credentials/credentials.sql-views.js';

/** Age after which a self-registered application without any grant is deleted. */
const UNUSED_MS = 86_400_000;

const RECORDS = deleteBatch('oauth_records', 'kind, id_hash');
/** Self-registered applications without a grant. An application with grants stays until the last of them is deleted. */
const UNUSED_CLIENTS = deleteBatch(
  'oauth_records',
  'kind, id_hash',
  `kind = 'Client' AND payload->>'registered_by' = 'self' AND created_at <= $1
      AND NOT EXISTS (SELECT 1 FROM oauth_grants allowed WHERE allowed.client_id = oauth_records.payload->>'client_id')`,
  'created_at',
);

/** Time for which an ended grant is kept, so that the account's activity can still name its application. */
const ENDED_KEPT_MS = 30 * 86_400_000;
const ENDED_GRANTS = deleteBatch('oauth_grants', 'id', 'least(expires_at, revoked_at) <= $1');

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
    const expired = (await this.deleteAll(RECORDS, now)) + (await this.deleteAll(DELETE_EXPIRED_PROOFS, now));
    const ended = await this.deleteAll(ENDED_GRANTS, new Date(now.getTime() - ENDED_KEPT_MS));
    return expired + ended + (await this.deleteAll(UNUSED_CLIENTS, unusedSince));
  }
}
