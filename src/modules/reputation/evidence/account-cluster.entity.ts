import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An account that forms one principal with others. An account without a row is its own cluster, named by its id. */
@Entity('account_clusters')
@Index('account_clusters_cluster_id_idx', ['clusterId'])
export class AccountClusterEntity {
  /** An account id, or `wallet_<address>` for a paying wallet that belongs to no account. */
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** Id of the cluster: the smallest id of its members. */
  @Column({ name: 'cluster_id', type: 'text' })
  clusterId!: string;
}
