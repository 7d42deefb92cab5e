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

  /** What the chain has named behind the factory, as in `ChainConfig`; null until a start of this release has asked it. */
  @Column({ name: 'implementation_address', type: 'text', nullable: true })
  implementationAddress!: string | null;

  @Column({ name: 'usdc_address', type: 'text', nullable: true })
  usdcAddress!: string | null;

  @Column({ name: 'usdc_name', type: 'text', nullable: true })
  usdcName!: string | null;

  @Column({ name: 'usdc_version', type: 'text', nullable: true })
  usdcVersion!: string | null;

  /** First block worth reading: the factory's deployment. */
  @Column({ name: 'start_block', type: 'integer' })
  startBlock!: number;
}
