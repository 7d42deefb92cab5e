import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An account that is one principal with others. Without a row an account is a cluster of its own, named by its id. */
@Entity('account_clusters')
@Index('account_clusters_cluster_id_idx', ['clusterId'])
export class AccountClusterEntity {
  /** An account id; `wallet_<address>` for a wallet that paid and belongs to nobody known. */
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId!: string;

  /** The smallest id of the cluster. */
  @Column({ name: 'cluster_id', type: 'text' })
  clusterId!: string;
}
