import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A rollback of the index, of which no later one went as far. */
@Entity('chain_rollbacks')
export class ChainRollbackEntity {
  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** The block that stayed the newest; -1 when none did. */
  @Column({ name: 'block_number', type: 'integer' })
  blockNumber!: number;
}
