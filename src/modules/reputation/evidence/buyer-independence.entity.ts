import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How independent a cluster is as a buyer, by the last finished trust run. Without a row no run has seen it yet. */
@Entity('buyer_independence')
export class BuyerIndependenceEntity {
  @PrimaryColumn({ name: 'cluster_id', type: 'text' })
  clusterId!: string;

  /** In [0, 1]. */
  @Column({ type: 'real' })
  independence!: number;
}
