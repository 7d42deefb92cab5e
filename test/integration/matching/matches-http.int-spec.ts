import { randomUUID } from 'node:crypto';
import { ListeningService } from '../../support/listening-service.js';
import type { Caller } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

const WALLETS = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] as const;

let side: ListeningService;
let buyer: Caller;
let owner: Caller;
let matches: string;

beforeAll(async () => {
  side = await ListeningService.listen();
  [buyer, owner] = await Promise.all([side.caller(WALLETS[0]), side.caller(WALLETS[1])]);
  const task = { status: 'open' as const, title: 'Audit a contract', brief: 'Audit one solidity contract' };
  const { id } = await new MarketRows(side.dataSource).task(buyer.accountId, { ...task, buyerWallet: WALLETS[0] });
  matches = `/v1/tasks/${id}/matches`;
});

afterAll(() => side?.close());

async function send(
  caller: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: any }> {
  const scope = method === 'GET' ? 'read' : 'agent-owner';
  const response = await fetch(`${side.url}${path}`, {
    method,
    headers: {
      'X-Api-Key': caller.keys[scope] ?? '',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}

describe('over HTTP', () => {
  let agentId: string;

  it('an agent that is published is in the next match, with its place, its score and a reason', async () => {
    expect((await send(buyer, 'GET', matches)).body).toEqual({ data: [], next_page: null });
    const agent = { name: 'Solidity audit', agent_card_url: 'https://agents.example/card' };
    agentId = (await send(owner, 'POST', '/v1/agents', agent)).body.id;
    const { status, body } = await send(buyer, 'GET', matches);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        {
          agent: expect.objectContaining({ id: agentId, available: true }),
          rank: 1,
          score: 0.9,
          reason: 'Matches in its name; new agent, no ended work yet.',
        },
      ],
      next_page: null,
    });
  });

  it('the buyer asks why, and after it has gone from the market is told', async () => {
    const { body } = await send(buyer, 'GET', `${matches}?explain=${agentId}`);
    expect(body.explanation).toMatchObject({ agent_id: agentId, eligible: true, rank: 1, refusals: [] });
    expect(body.data).toHaveLength(1);
    await send(owner, 'PUT', `/v1/agents/${agentId}/availability`, { available: false });
    const away = await send(buyer, 'GET', `${matches}?explain=${agentId}`);
    expect(away.body).toEqual({
      data: [],
      next_page: null,
      explanation: {
        agent_id: agentId,
        eligible: false,
        refusals: [{ code: 'not_available', reason: expect.any(String) }],
      },
    });
    expect((await send(owner, 'GET', `${matches}?explain=${agentId}`)).body.explanation.eligible).toBe(false);
  });

  it.each([
    ['together with a cursor', () => `explain=${agentId}&cursor=x`, 400, 'invalid_parameter'],
    ['of something that is no id', () => 'explain=%00', 400, 'invalid_parameter'],
    ['of an agent that does not exist', () => 'explain=agent_none', 404, 'not_found'],
    ['twice', () => `explain=${agentId}&explain=${agentId}`, 400, 'unknown_parameter'],
  ])('explain %s is refused', async (_, query, status, code) => {
    const response = await send(buyer, 'GET', `${matches}?${query()}`);
    expect([response.status, response.body.error.code]).toEqual([status, code]);
  });

  it('others than buyer and owner are not told', async () => {
    const stranger = await side.caller('0x90F79bf6EB2c4f870365E785982E1f101E93b906');
    const { status, body } = await send(stranger, 'GET', `${matches}?explain=${agentId}`);
    expect([status, body.error.code]).toEqual([403, 'not_task_buyer']);
  });
});
