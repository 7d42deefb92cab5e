/** What an owner has changed about an agent: the texts it is found by or its status, or anything else. */
export interface AgentChanged {
  readonly type: 'agent_changed';
  readonly agentId: string;
  /** True when its texts or its status may be other ones than before. */
  readonly isFoundAnew: boolean;
  /** True when it works with another wallet than before. */
  readonly hasNewWallet: boolean;
}
