import type { DescribedOperation } from '../operations/described-operation.js';
import { ActionWaits } from './action-waits.js';

it.each([
  ['that left meanwhile is read no further', true, 1],
  ['that is still there is read once more', false, 2],
])('the action of a client %s', async (_name, isGone, reads) => {
  let count = 0;
  const answer = { isError: false, isReplayed: false, body: { status: 'opened' } };
  const response = { destroyed: false };
  const over = async () => void (response.destroyed = isGone);
  const waits = new ActionWaits(
    { call: async () => ((count += 1), answer) } as any,
    { begin: async () => ({ over: over(), end: () => undefined }) } as any,
  );
  const caller = { principal: { accountId: 'acct_1' }, response };
  const given = { action_id: 'act_1', wait_seconds: 1 };
  await waits.answer({} as DescribedOperation, { given, caller, context: { mcpReq: {} } } as any);
  expect(count).toBe(reads);
});
