import type { ToolCall } from './mcp-tool.js';
import { keyedArguments, sendKeyed } from './write-key.js';

const NOW = 1_790_000_000_000;

function keyed(given: object, { method = 'POST', state }: { method?: string; state?: string } = {}) {
  const context = { mcpReq: { requestState: () => state } };
  const call = { given, caller: { principal: { clientId: 'app', credentialId: 'key_1' } }, context };
  return keyedArguments('do_it', { method }, call as unknown as ToolCall, NOW);
}

/** Sends with keys of which these answer with what was said before. @returns the keys that were asked. */
async function asked(write: ReturnType<typeof keyed>, refusals: number): Promise<string[]> {
  const keys: string[] = [];
  const send = async (key: string) => {
    keys.push(key);
    const isReplayed = keys.length <= refusals;
    return { isError: isReplayed, isReplayed, body: {} };
  };
  await sendKeyed(write, send);
  return keys;
}

it('a POST has the same key for the same arguments, and PUT and PATCH another one each time', () => {
  expect(keyed({ a: 1 }).idempotencyKey).toBe(keyed({ a: 1 }).idempotencyKey);
  expect(keyed({ a: 1 }).idempotencyKey).not.toBe(keyed({ a: 2 }).idempotencyKey);
  for (const method of ['PUT', 'PATCH']) {
    expect(keyed({ a: 1 }, { method }).idempotencyKey).not.toBe(keyed({ a: 1 }, { method }).idempotencyKey);
    expect(keyed({ idempotency_key: 'own' }, { method }).idempotencyKey).toBe('own');
  }
});

it('a refusal of before is asked for anew, by the same keys each time and at last by a random one', async () => {
  const { idempotencyKey: key } = keyed({});
  expect(await asked(keyed({}), 0)).toEqual([key]);
  expect(await asked(keyed({}), 3)).toEqual([key, `${key}-2`, `${key}-3`, `${key}-4`]);
  const [one, other] = [await asked(keyed({}), 4), await asked(keyed({}), 4)];
  expect([one.length, other.length]).toEqual([5, 5]);
  expect(one[4]).not.toBe(other[4]);
});

it('a key that was named, and one of a call that goes on after its link was shown, has its own answer', async () => {
  expect(await asked(keyed({ idempotency_key: 'own' }), 1)).toEqual(['own']);
  expect(await asked(keyed({}, { state: 'of before' }), 1)).toEqual(['of before']);
});
