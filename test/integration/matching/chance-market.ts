import { noteWork } from '../../../src/modules/matching/search-tables/match-changes.js';
import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import type { MatchingSide } from '../../support/matching-side.js';
import { address, BUYER, NOW, RIVAL, settlementRow, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import type { ReadSide } from '../../support/read-side.js';

/** Number of tasks that `populate` makes; they are numbered from 1. */
export const TASKS = 6;

const AGENTS = 120;
const WORDS =
  'audit solidity contract proof german translate manual pump cake cherry bake market data report chart'.split(' ');

interface Owner {
  id: string;
  walletAddress: string;
}

export const owner = (account = WORKER, n = 2): Owner => ({ id: account, walletAddress: address(n) });

/** Fills a market with agents, tasks and settled briefs, some of them random. */
export class ChanceMarket {
  constructor(
    private readonly side: ReadSide,
    private readonly market: MatchingSide,
  ) {}

  publish(name: string, description = '', account = owner()): Promise<{ id: string }> {
    return this.market.agents.publish(account, { name, description, agentCardUrl: 'https://agents.example/card' });
  }

  /** Writes a settlement by which a stranger paid this agent for task n. */
  async settle(n: number, agentId: string): Promise<void> {
    await this.side.transactions.run(async (manager) => {
      await this.side.insert(SettlementEntity, settlementRow(n, { nodeId: `node_${n}_${agentId}`, agentId }));
      await this.market.briefs.keep(manager, taskId(n), true);
      await noteWork(manager, taskId(n), [agentId], new Date(NOW));
    });
  }

  async populate(seed: number): Promise<void> {
    const chance = new Seeded(seed);
    const words = (most: number): string => chance.sample(WORDS, 1 + chance.below(most)).join(' ');
    for (let n = 1; n <= TASKS; n += 1) {
      await this.side.task(n, { title: words(3), brief: words(8), criteria: [words(4)] });
    }
    const agents: string[] = [];
    for (let n = 0; n < AGENTS; n += 1) {
      const [account, wallet] = chance.pick([
        [WORKER, 2],
        [RIVAL, 3],
        [STRANGER, 4],
        [BUYER, 1],
      ] as const);
      const { id } = await this.publish(words(2), words(10), owner(account, wallet));
      agents.push(id);
      if (chance.chance(0.2)) await this.market.agents.setAvailability(owner(account, wallet), id, false);
    }
    for (const agent of chance.sample(agents, 30)) await this.settle(2 + chance.below(TASKS - 1), agent);
    for (const agent of chance.sample(agents, 60)) {
      await this.side.dataSource.query(
        `INSERT INTO reputation_records (agent_id, score, independence_confidence, settled_value, independent_value,
          settlements, updated_at) VALUES ($1, $2, $3, 1000, $4, $5, now())`,
        [agent, chance.below(10_001) / 10_000, chance.below(11) / 10, chance.below(1_001), chance.below(50)],
      );
      await this.side.dataSource.query('INSERT INTO agent_impressions VALUES ($1, $2)', [agent, chance.below(9)]);
    }
  }
}
