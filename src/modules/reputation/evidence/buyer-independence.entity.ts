import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Independence of a cluster as a buyer, by the last finished trust run. A cluster without a row was in no run yet. */
@Entity('buyer_independence')
export class BuyerIndependenceEntity {
  @PrimaryColumn({ name: 'cluster_id', type: 'text' })
  clusterId!: string;

  /** In [0, 1]. */
  @Column({ type: 'real' })
  independence!: number;
}
