import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The operator's settings for one application; an application without a row has the defaults. */
@Entity('oauth_client_settings')
export class ClientSettingsEntity {
  /** Id of the application; it may be the URL of a metadata document, which has no record here. */
  @PrimaryColumn({ name: 'client_id', type: 'text' })
  clientId!: string;

  /** Lifetime of the application's access tokens, in seconds. */
  @Column({ name: 'access_token_seconds', type: 'integer' })
  accessTokenSeconds!: number;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3 })
  changedAt!: Date;
}
