import { parseSiweMessage } from 'viem/siwe';
import { actRequestId, type ConfirmedAct } from './confirmed-act.js';
import { isRequestId, signInMessage } from './sign-in-message.js';

const ACT: ConfirmedAct = {
  name: 'create-key',
  parameters: { scope: 'read', name: 'Ünï "bot"', days: 30, cidrs: ['10.0.0.0/8'] },
  words: `create an API key of scope read named 'Ünï "bot"' that works for 30 days from 10.0.0.0/8 only`,
};

it('is in the message in plain letters, and in full in its request id', () => {
  const requestId = actRequestId('acct_1', ACT);
  expect(isRequestId(requestId)).toBe(true);
  const message = signInMessage(
    {
      id: 'chal_1',
      bindingHash: Buffer.alloc(32),
      purpose: 'confirm_act',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      chainId: '8453',
      nonce: '0123456789abcdef0123456789abcdef',
      requestId,
      act: ACT.words,
      issuedAt: new Date('2026-11-20T12:00:00.123Z'),
      expiresAt: new Date('2026-11-20T12:05:00.123Z'),
      consumedAt: null,
      provedBy: null,
    },
    { baseUrl: 'https://market.example/tasks', displayName: 'Tasktree' },
  );
  expect(parseSiweMessage(message)).toMatchObject({
    statement:
      "Confirm at Tasktree: create an API key of scope read named 'Uni bot ' that works for 30 days from 10.0.0.0/8 only." +
      ' This moves no funds. Do not sign unless you asked for it yourself.',
    uri: 'https://market.example/tasks/account',
    requestId,
  });
});

it.each<[string, string, ConfirmedAct]>([
  ['another account', 'acct_2', ACT],
  ['another act', 'acct_1', { ...ACT, name: 'create-keys' }],
  ['a name that looks the same', 'acct_1', { ...ACT, parameters: { ...ACT.parameters, name: 'Uni "bot"' } }],
  ['another network', 'acct_1', { ...ACT, parameters: { ...ACT.parameters, cidrs: ['10.0.0.0/7'] } }],
  ['a network less', 'acct_1', { ...ACT, parameters: { ...ACT.parameters, cidrs: [] } }],
])('is another one for %s', (_, accountId, act) => {
  expect(actRequestId(accountId, act)).not.toBe(actRequestId('acct_1', ACT));
});
