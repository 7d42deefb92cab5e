import { readFileSync } from 'node:fs';
import { hexlify, randomBytes, verifyTypedData, Wallet } from 'ethers';
import { flatActs } from './flat-acts.js';
import type { FlatTargets } from './flat-targets.sql.js';

const DESCRIPTION = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const WRITES = Object.values(DESCRIPTION.paths).flatMap((methods) =>
  Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId])),
);
const PLACE = { task_id: 'task_1', node_id: 'node_1' };
const TARGETS: FlatTargets = {
  open: 'task_1',
  offered: 'task_2',
  terms_hash: '0x',
  chosen: 'task_3',
  delivered: 'task_4',
  refunded: 'task_5',
  curated: 'task_6',
  other_agent: 'agent_2',
  funded_node: PLACE,
  overdue_node: PLACE,
  rejected_node: PLACE,
  delivered_node: PLACE,
  hiring: { ...PLACE, quote_id: 'quote_1' },
  delivery_id: 'dlv_1',
  receipt_id: 'rcpt_1',
  event_id: 'evt_1',
};
const WALLET = new Wallet(hexlify(randomBytes(32)));
const CALLER = {
  name: 'a',
  accountId: 'acct_1',
  agentId: 'agent_1',
  ownAgentId: 'agent_1',
  wallet: new Wallet(WALLET.privateKey),
  keys: {} as never,
  cookie: '',
};
const ANSWERS = new Map([
  ['prepareTaskCreation', { action_id: 'act_1', signing_url: 'https://market.example/sign/token' }],
  ['getDeliveryArtifact', { url: 'https://market.example/artifacts/token?x=1' }],
]);
const asked = flatActs(CALLER, TARGETS).flatMap((act) => act(ANSWERS) ?? []);

describe('what the bench of flatness does beside reading', () => {
  it('is every operation that writes, prepares, uploads or submits', () => {
    expect(WRITES.length).toBeGreaterThan(15);
    expect(WRITES.filter((operation) => !asked.some((one) => one.operation === operation))).toEqual([]);
  });

  it('is the pages of the account and of approval, and the artifact behind a link', () => {
    expect(asked.filter(({ scope }) => scope === 'session').map(({ path }) => path)).toEqual([
      '/artifacts/token?x=1',
      ...['', '/document', '/progress', '/simulation'].map((path) => `/sign/token${path}`),
      ...['', '/apps', '/keys', '/wallets', '/sessions', '/receipts', '/activity', '/receipts/rcpt_1'].map(
        (path) => `/account${path}`,
      ),
    ]);
  });

  it('leaves out what needs an answer that nobody has given', () => {
    const without = flatActs(CALLER, TARGETS).flatMap((act) => act(new Map()) ?? []);
    expect(without.filter(({ operation }) => /approval|link$/.test(operation))).toEqual([]);
    expect(without.length).toBeGreaterThan(20);
  });

  it('signs each time an action anew, with the wallet of the account', () => {
    const domain = { name: 'Escrow', version: '1', chainId: 31_337, verifyingContract: `0x${'ab'.repeat(20)}` };
    const types = { Give: [{ name: 'amount', type: 'uint256' }] };
    const signed = asked.find(({ operation }) => operation === 'submitActionSignature')?.after;
    const payload = { domain, types, primaryType: 'Give', message: { amount: '5' } };
    const next = signed?.follows({ action_id: 'act_2', payload });
    expect(signed?.request.operation).toBe('prepareTaskCreation to sign');
    expect(next?.path).toBe('/v1/actions/act_2/submissions');
    const { signature } = JSON.parse(next?.body ?? '{}') as { signature: string };
    expect(verifyTypedData(domain, types, payload.message, signature)).toBe(WALLET.address);
  });
});
