import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which chain this database indexes. One row; a service pointed at another chain or factory refuses to start. */
@Entity('chain_identity')
export class ChainIdentityEntity {
  @PrimaryColumn({ name: 'chain_id', type: 'bigint' })
  chainId!: string;

  @Column({ name: 'genesis_hash', type: 'text' })
  genesisHash!: string;

  @Column({ name: 'escrow_factory_address', type: 'text' })
  escrowFactoryAddress!: string;

  /** First block worth reading: the factory's deployment. */
  @Column({ name: 'start_block', type: 'integer' })
  startBlock!: number;
}
