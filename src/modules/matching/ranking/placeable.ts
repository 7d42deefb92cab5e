/** What an agent's place beside others depends on, apart from its score. */
export interface Placeable {
  agentId: string;
  /** Cluster of the owner's account. */
  ownerCluster: string;
  /** As a share of the best one. */
  relevance: number;
  /** Settlements that independent buyers vouch for. */
  independentSettlements: number;
  /** Times that the agent was shown to buyers. */
  impressions: number;
}
