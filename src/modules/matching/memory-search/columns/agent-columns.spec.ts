import { agentsIn, AgentColumnsWriter } from './agent-columns.js';
import { type AgentAttributes, AgentAttributeColumns } from './agent-attributes.js';

const facts = (agent: number, change: Partial<AgentAttributes> = {}): AgentAttributes => ({
  agentId: `agent_${agent}`,
  accountId: 'acct_1',
  ownerCluster: 'wallet_0x01',
  walletAddress: '0x01',
  liveNodes: 3,
  impressions: 2,
  reputation: { score: 0.8765, independenceConfidence: 0.1234, independentSettlements: 7 / 3 },
  ...change,
});

describe('the columns of agents', () => {
  const known = new AgentAttributeColumns();
  const told = new Map([
    [7, facts(7)],
    [1, facts(1, { reputation: null, accountId: 'acct_2' })],
    [1_000_000, facts(1_000_000, { liveNodes: 0, impressions: 0 })],
  ]);
  for (const [agent, said] of told) known.set(agent, said);

  it('give agents as they went in, also when they are copied between threads', () => {
    const writer = new AgentColumnsWriter(known, told.size + 5);
    for (const agent of told.keys()) writer.write(agent, 2_147_483_647 - agent, 65_025 - agent / 100);
    expect(agentsIn(structuredClone(writer.columns))).toEqual(
      [...told].map(([agentNumber, said]) => ({
        agentNumber,
        relevance: 2_147_483_647 - agentNumber,
        dot: 65_025 - agentNumber / 100,
        facts: said,
      })),
    );
    expect(agentsIn(new AgentColumnsWriter(known, 0).columns)).toEqual([]);
  });

  it('leave out agents of which nothing is known', () => {
    const writer = new AgentColumnsWriter(known, 3);
    for (const agent of [2, 7, 5_000_000]) writer.write(agent, 1, 0);
    expect(agentsIn(writer.columns).map(({ agentNumber }) => agentNumber)).toEqual([7]);
  });

  it('have no unused bytes that would be copied too', () => {
    const writer = new AgentColumnsWriter(known, 1_000);
    writer.write(7, 1, 0);
    const { numbers, texts } = writer.columns;
    expect([numbers.buffer.byteLength, texts.buffer.byteLength]).toEqual([
      8 * numbers.length,
      'agent_7.acct_1.wallet_0x01.0x01.'.length,
    ]);
  });
});
