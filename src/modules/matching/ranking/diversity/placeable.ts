/** What an agent's place depends on, apart from its score. */
export interface Placeable {
  agentId: string;
  /** Cluster of the owner's account. */
  ownerCluster: string;
  /** Relevance as a share of the best candidate's. */
  relevance: number;
  /** Settlements weighted by the share of settled value from independent buyers. */
  independentSettlements: number;
  /** Number of times that the agent was shown to buyers. */
  impressions: number;
}
