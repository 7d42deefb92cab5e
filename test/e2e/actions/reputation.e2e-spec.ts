import { MarketDocument } from '../../support/e2e/document.js';
import { expectError, expectSuccess } from '../../support/e2e/answers.js';
import { IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario, USDC } from '../../support/e2e/intents-scenario.js';
import { eventually } from '../../support/eventually.js';
import { account, api, localMarket } from '../../support/market.js';
import { APP_SECRET } from '../../support/resilience/resilience-stack.js';
import { runToolWith } from '../../support/tool-run.js';

const WAIT_MS = 30_000;

let document: MarketDocument;

beforeAll(async () => {
  document = await MarketDocument.load();
});

describe('GET /v1/agents/{agent_id}/reputation', () => {
  const read = (path: string) => api(account('Ada'), 'read')(path);
  const agents = () => localMarket().accounts.flatMap((one) => one.agents.map(({ id }) => id));

  it('takes every reputation apart for every caller, as the list has it', async () => {
    let withWork = 0;
    for (const id of agents()) {
      const answer = await read(`/v1/agents/${id}/reputation`);
      expectSuccess(answer);
      expect(document.faults('AgentReputation', answer.body)).toEqual([]);
      const { body } = answer;
      expect(body).toMatchObject({ agent_id: id, protection: 'unanchored' });
      expect(body.independence_confidence).toBeLessThanOrEqual(0.5);
      expect(body.summary).toContain('capped at 0.5');
      expect(body.score).toBeCloseTo(0.4 * body.career_score + 0.6 * body.recent_score, 3);
      const ended = body.outcomes.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
      expect(ended).toBe(body.settlements);
      const [listed] = (await read(`/v1/reputation?agent_id=${id}`)).body.data;
      if (listed === undefined) continue;
      withWork += 1;
      expect(body).toMatchObject({ score: listed.score, settled_value: listed.settled_value });
    }
    expect(withWork).toBeGreaterThan(1);
  });

  it('knows no agent that there is not, takes no query, and asks for the read scope', async () => {
    expectError(await read('/v1/agents/agent_01k9q2m4t8v6w0y2z4a6c8e0zz/reputation'), 404, 'not_found');
    expectError(await read(`/v1/agents/${agents()[0]}/reputation?limit=1`), 400, 'unknown_parameter');
    const as = api(account('Ada'), 'worker');
    expectError(await as(`/v1/agents/${agents()[0]}/reputation`), 403, 'insufficient_scope');
  });
});

describe('npm run buyers', () => {
  let market: IntentsMarket;
  let scenario: IntentsScenario;

  beforeAll(async () => {
    market = await IntentsMarket.start();
    scenario = new IntentsScenario(market);
  });
  afterAll(() => market?.stop());

  const buyers = (...args: string[]) => {
    const variables = { DATABASE_URL: market.stack.databaseUrl, APP_SECRET, KEY_ENVIRONMENT: 'test' };
    return runToolWith(variables, 'buyers', ...args);
  };

  it('names the buyers that trust starts from, and within seconds the agents that they pay are worth more', async () => {
    const [buyer, worker] = [await market.actor('Buyer'), await market.actor('Worker')];
    const path = `/v1/agents/${worker.client.self.agentId}/reputation`;
    const nothing = await worker.client.read(path);
    expect(document.faults('AgentReputation', nothing)).toEqual([]);
    expect(nothing).toMatchObject({ score: 0.8, settlements: 0, independence_confidence: 0, outcomes: [] });
    expect(nothing.updated_at).toBeUndefined();

    await scenario.accepted(await scenario.funded(buyer, worker, { price: 800n * USDC }));
    await eventually(async () => (await worker.client.read(path)).settlements === 1, WAIT_MS);
    const unanchored = await worker.client.read(path);
    expect(unanchored).toMatchObject({ protection: 'unanchored', independence_confidence: 0.5 });

    expect(await buyers('list')).toMatchObject({ code: 0, out: 'There are no verified buyers.\n' });
    expect(await buyers('verify', 'Buyer', '--note', 'met in person')).toMatchObject({ code: 0, err: '' });
    await eventually(async () => (await worker.client.read(path)).protection === 'anchored', WAIT_MS);
    const anchored = await worker.client.read(path);
    expect(anchored.independence_confidence).toBeGreaterThan(unanchored.independence_confidence);
    expect(anchored).toMatchObject({ buyers: { count: 1, independent: 1, pending: 0 } });
    expect(anchored.summary).toMatch(/1 of its buyers is independent; 100 % /);
    const [listed] = JSON.parse((await buyers('list', '--json')).out);
    expect(listed).toMatchObject({ name: 'Buyer', note: 'met in person', independence: 1 });

    const { accountId } = buyer.client.self;
    expect((await buyers('unverify', accountId)).out).toContain('no verified buyer any more');
    await eventually(async () => (await worker.client.read(path)).protection === 'unanchored', WAIT_MS);
    const events = await market.stack.dataSource.query(
      `SELECT event, request_id FROM audit_events WHERE account_id = $1 AND event LIKE 'buyer%' ORDER BY id`,
      [accountId],
    );
    expect(events).toEqual([
      { event: 'buyer_verified', request_id: null },
      { event: 'buyer_unverified', request_id: null },
    ]);
  });

  it.each([
    [['verify', 'Nobody'], 1, 'There is no account "Nobody".'],
    [['unverify', 'acct_unknown'], 1, 'There is no such account.'],
    [['verify'], 2, 'needs one NAME|ID'],
    [['trust', 'x'], 2, 'There is no command "trust"'],
  ])('%j is refused with exit code %i and a sentence', async (args, exitCode, sentence) => {
    const { code, err } = await buyers(...args);
    expect(code).toBe(exitCode);
    expect(err).toContain(sentence);
    expect(err).not.toMatch(/^\s+at /m);
  });
});
