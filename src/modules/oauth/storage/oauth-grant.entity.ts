import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';
import type { Scope } from '../../credentials/scope.js';

/** What one person allowed one application at one time. */
@Entity('oauth_grants')
@ForeignKey('accounts', ['accountId'], ['id'], { name: 'oauth_grants_account_id_fkey' })
@Index('oauth_grants_account_id_client_id_idx', ['accountId', 'clientId'])
@Index('oauth_grants_client_id_idx', ['clientId'])
@Index('oauth_grants_ended_idx', { synchronize: false })
export class OAuthGrantEntity {
  /** Id of oidc-provider's Grant. It identifies tokens and grants no access. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId!: string;

  @Column({ name: 'client_id', type: 'text' })
  clientId!: string;

  /** Name of the application at consent, chosen by the application. */
  @Column({ name: 'client_name', type: 'text' })
  clientName!: string;

  /** Host of the application's metadata document (its client_id is a URL there); null = the name is unverified. */
  @Column({ name: 'client_host', type: 'text', nullable: true })
  clientHost!: string | null;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** Most base units that one prepared funding may move; null = no cap. */
  @Column({ ...baseUnits, name: 'funding_cap', nullable: true })
  fundingCap!: bigint | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** Written at most once a minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;
}
