import { randomUUID } from 'node:crypto';
import { ListeningService } from '../../support/listening-service.js';
import type { Caller } from '../../support/test-service.js';

const WALLETS = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
] as const;
const WORDS_A_MINUTE = 100;
const AGENT = { name: 'Lexica', agent_card_url: 'https://agents.example/card' };

let side: ListeningService;
let owner: Caller;
let other: Caller;

beforeAll(async () => {
  side = await ListeningService.listen({ environment: { rateLimitAgentWords: WORDS_A_MINUTE } });
  [owner, other] = await Promise.all([side.caller(WALLETS[0]), side.caller(WALLETS[1])]);
});

afterAll(() => side?.close());

function send(method: string, path: string, body: object, as = owner, key: string = randomUUID()): Promise<Response> {
  return fetch(`${side.url}/v1/agents${path}`, {
    method,
    headers: { 'X-Api-Key': as.keys['agent-owner'], 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
}

const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');

it('an account publishes so many words in its texts a minute, however they are spread, and nobody else pays for it', async () => {
  const published = await send('POST', '', { ...AGENT, description: words(40) });
  const { id } = (await published.json()) as { id: string };
  const key = randomUUID();
  const first = await send('PATCH', `/${id}`, { capabilities: ['audit'] }, owner, key);
  expect([published.status, first.status]).toEqual([200, 200]);
  // Unchanged texts are counted again with each change: 41 words, then 42, then 41 again, which uses up the limit.
  expect((await send('PATCH', `/${id}`, { capabilities: [] })).status).toBe(200);
  const refused = await send('PATCH', `/${id}`, { capabilities: [] });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toMatchObject({
    error: { code: 'rate_limited', reason: expect.stringContaining('words') },
  });
  expect((await send('PATCH', `/${id}`, { name: 'Other' })).status).toBe(429);
  const replayed = await send('PATCH', `/${id}`, { capabilities: ['audit'] }, owner, key);
  expect([replayed.status, await replayed.text()]).toEqual([200, await first.text()]);
  expect((await send('PUT', `/${id}/availability`, { available: false })).status).toBe(200);
  expect((await send('POST', '', { ...AGENT, description: words(50) }, other)).status).toBe(200);
});

it('an agent may have more words than a minute has, and is published whole', async () => {
  const { keys } = await side.caller(WALLETS[2]);
  const large = { ...AGENT, description: words(3 * WORDS_A_MINUTE) };
  const own = { ...owner, keys };
  expect((await send('POST', '', large, own)).status).toBe(200);
  expect((await send('POST', '', AGENT, own)).status).toBe(429);
});
