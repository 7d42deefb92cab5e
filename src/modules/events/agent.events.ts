/** An owner has changed something about an agent. */
export interface AgentChanged {
  readonly type: 'agent_changed';
  readonly agentId: string;
  /** True when the texts that it is found by, or its status, may have changed. */
  readonly isFoundAnew: boolean;
  /** True when its wallet has changed. */
  readonly hasNewWallet: boolean;
}
