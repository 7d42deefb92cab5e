import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the operator has decided for one application; one without a row has what all have. */
@Entity('oauth_client_settings')
export class ClientSettingsEntity {
  /** As it names itself: also the URL of a document, which has no record here. */
  @PrimaryColumn({ name: 'client_id', type: 'text' })
  clientId!: string;

  /** How long an access token of it lasts. */
  @Column({ name: 'access_token_seconds', type: 'integer' })
  accessTokenSeconds!: number;

  @Column({ name: 'changed_at', type: 'timestamptz', precision: 3 })
  changedAt!: Date;
}
