import { AgentOwners, type ExcludedOwners } from './agent-owners.js';
import { Availability } from './availability.js';

/** Conditions for agents that may be hired for a task. */
export interface HireQuery {
  /** Milliseconds since 1970. */
  atMs: number;
  /** Owners whose agents must not be found, and numbers of single agents that must not be found. */
  excluded: { owners: ExcludedOwners; agents: ReadonlySet<number> };
}

/** An agent's values that decide who may hire it and when. */
export interface HireFacts {
  accountId: string;
  walletAddress: string;
  /** False for an agent that is not active. */
  available: boolean;
  /** Milliseconds since 1970 from which the opposite holds; null: never. */
  untilMs: number | null;
}

/** Memory by which another thread reads `HireableAgents`. */
export interface SharedHireable {
  until: Float64Array;
  owners: Float64Array;
}

/** Which agents may be hired for a task, by number. */
export class HireableAgents {
  private readonly availability: Availability;
  private readonly owners: AgentOwners;

  /** @param shared `shared` of these in another thread; by default none are known. */
  constructor(shared?: SharedHireable) {
    this.availability = new Availability(shared?.until);
    this.owners = new AgentOwners(shared?.owners);
  }

  /** As of `Availability.shared` and `AgentOwners.shared`. */
  get shared(): SharedHireable {
    return { until: this.availability.shared, owners: this.owners.shared };
  }

  get bytes(): number {
    return this.availability.bytes + this.owners.bytes;
  }

  set(agent: number, { accountId, walletAddress, available, untilMs }: HireFacts): void {
    this.availability.set(agent, available, untilMs);
    this.owners.set(agent, accountId, walletAddress);
  }

  /** True when an agent may be found for a task. */
  mayBeHired(agent: number, { atMs, excluded }: HireQuery): boolean {
    const { availability, owners } = this;
    if (!availability.isAvailable(agent, atMs)) return false;
    return !owners.isExcluded(agent, excluded.owners) && !excluded.agents.has(agent);
  }
}
