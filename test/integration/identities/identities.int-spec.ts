import { randomUUID } from 'node:crypto';
import { id as keccakOfText, type Wallet } from 'ethers';
import { DataSource } from 'typeorm';
import { jcs } from '../../../libs/notation/src/index.js';
import { AgentIdentityEntity } from '../../../src/modules/identities/link/agent-identity.entity.js';
import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import { SettlementEntity } from '../../../src/modules/reputation/settlements/settlement.entity.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { IdentityRegistryContract } from './identity-registry-contract.js';
import { ListeningService } from '../../support/listening-service.js';
import { MarketRows, receiptRow, settlementRow } from '../../support/market-rows.js';
import { randomWallet } from '../../support/random-wallet.js';
import type { Caller } from '../../support/test-service.js';

let side: ListeningService;
let registry: IdentityRegistryContract;
let name: string;
let owner: Caller;
let rival: Caller;
let wallet: Wallet;
/** A token that nothing before has used. */
let token = 2n ** 256n - 100n;

beforeAll(async () => {
  side = await ListeningService.listen({ chain: true });
  registry = await IdentityRegistryContract.deploy(side.chain);
  name = `eip155:31337:${registry.address}`;
});
beforeEach(async () => {
  serves(registry.address.toLowerCase());
  wallet = randomWallet();
  [owner, rival] = await Promise.all([side.caller(wallet.address), side.caller(randomWallet().address)]);
  token += 1n;
});
afterAll(() => side?.close());

const serves = (...addresses: string[]): void => {
  side.get(Environment).erc8004Registries = addresses;
};

async function send(method: string, path: string, body?: object, key = owner.keys['agent-owner']) {
  const answer = await fetch(`${side.url}/v1/agents${path}`, {
    method,
    headers: {
      'X-Api-Key': key,
      ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
const code = ({ status, body }: { status: number; body: any }) => [status, body.error?.code];

async function agent(more: object = {}, as = owner): Promise<string> {
  const body = { name: 'Lexica', agent_card_url: 'https://agents.example/card', ...more };
  return (await send('POST', '', body, as.keys['agent-owner'])).body.id;
}

const identity = () => ({ agent_registry: name, token_id: token.toString() });
const asked = async (id: string): Promise<any> => (await send('POST', `/${id}/identity-messages`, identity())).body;
const registration = async (id: string) => (await send('GET', `/${id}/registration`, undefined, rival.keys.read)).body;

/** A signed claim, whose typed data may be changed before it is signed. */
async function signed(id: string, by = wallet, change: (data: any) => void = () => undefined) {
  const { typed_data: data, expires_at } = await asked(id);
  change(data);
  const { EIP712Domain: _, ...types } = data.types;
  return { ...identity(), expires_at, signature: await by.signTypedData(data.domain, types, data.message) };
}
const link = (id: string, body: object, as = owner) => send('PUT', `/${id}/identity`, body, as.keys['agent-owner']);

it('an identity is linked by the signature of its owner, shown, and ended', async () => {
  await registry.give(token, wallet.address);
  const id = await agent({ description: 'Translates.' });
  const { typed_data: data } = await asked(id);
  expect(data.message).toEqual({
    market: side.url,
    agent: id,
    agentRegistry: name,
    agentId: token.toString(),
    expiresAt: expect.stringMatching(/^\d{10}$/),
  });
  const linked = await link(id, await signed(id));
  const shown = {
    agent_registry: name,
    token_id: token.toString(),
    owner_wallet: wallet.address,
    linked_at: expect.stringMatching(/Z$/),
  };
  expect(linked).toEqual({ status: 200, body: shown });
  const { file, file_hash, identity: checked } = await registration(id);
  expect(file).toEqual({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Lexica',
    description: 'Translates.',
    image: expect.stringMatching(/^data:image\/svg\+xml,/),
    services: [
      { name: 'A2A', endpoint: `${side.url}/v1/agents/${id}/card`, version: '1.0' },
      { name: 'MCP', endpoint: `${side.url}/mcp`, version: expect.any(String) },
      { name: 'web', endpoint: 'https://agents.example/card' },
      { name: 'web', endpoint: side.url },
    ],
    active: true,
    registrations: [{ agentId: token.toString(), agentRegistry: name }],
    supportedTrust: ['reputation'],
  });
  expect(file_hash).toBe(keccakOfText(jcs(file)));
  expect(checked).toEqual({ ...shown, verified: true, checked_at: expect.any(String) });
  expect(code(await send('DELETE', `/${id}/identity`, undefined, rival.keys['agent-owner']))).toEqual([
    404,
    'not_found',
  ]);
  expect((await send('DELETE', `/${id}/identity`)).body).toEqual(linked.body);
  expect(code(await send('DELETE', `/${id}/identity`))).toEqual([404, 'not_found']);
  expect(await registration(id)).not.toHaveProperty('identity');
});

it('the link holds no longer than the wallet owns the identity, and goes to whoever links it next', async () => {
  await registry.give(token, wallet.address);
  const id = await agent();
  await link(id, await signed(id));
  const buyer = randomWallet();
  await registry.give(token, buyer.address);
  const lost = await registration(id);
  expect([lost.identity.verified, lost.file.registrations]).toEqual([false, []]);
  expect(code(await send('GET', `/${id}/feedback`))).toEqual([409, 'state_conflict']);

  const next = await agent({ wallet_address: buyer.address });
  expect((await link(next, await signed(next, buyer))).status).toBe(200);
  expect(await registration(id)).not.toHaveProperty('identity');
  expect((await registration(next)).identity.verified).toBe(true);

  await registry.give(token);
  expect((await registration(next)).identity.verified).toBe(false);
  serves(registry.address, randomWallet().address);
  await registry.give(token, buyer.address);
  expect((await registration(next)).identity.verified).toBe(true);
  // The operator trusts the registry no more.
  serves(randomWallet().address);
  expect((await registration(next)).identity.verified).toBe(false);
});

it('the agent that an identity is taken from is told of it, and dated anew', async () => {
  await registry.give(token, wallet.address);
  const [first, second] = [await agent(), await agent()];
  await link(first, await signed(first));
  const updatedAt = async () => (await send('GET', `/${first}/card`, undefined, owner.keys.read)).body.version;
  const before = await updatedAt();
  await link(second, await signed(second));
  await link(second, await signed(second));
  expect(Date.parse(await updatedAt())).toBeGreaterThan(Date.parse(before));
  await side.logged();
  const headers = { 'X-Api-Key': owner.keys.read };
  const events = await (await fetch(`${side.url}/v1/events?types=agent.updated`, { headers })).json();
  const told = events.data.map(({ subject, data }: any) => `${subject.id} ${data.changed}`);
  expect(told.toSorted()).toEqual([first, first, second, second].map((id) => `${id} identity`).toSorted());
});

it('links that take identities from each other at once come to an end', async () => {
  const tokens = [token, token + 1n];
  token += 1n;
  const ids = [await agent(), await agent()];
  const claims = new Map<string, object>();
  for (const one of tokens) {
    await registry.give(one, wallet.address);
    for (const id of ids) {
      token = one;
      claims.set(`${id} ${one}`, await signed(id));
    }
  }
  const of = (n: number, m: number) => link(ids[n]!, claims.get(`${ids[n]} ${tokens[m]}`)!);
  for (let round = 0; round < 4; round += 1) {
    const answers = await Promise.all([of(0, 0), of(1, 1), of(0, 1), of(1, 0)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  }
  token = tokens[1]!;
});

it('of links that are made at once one stands', async () => {
  await registry.give(token, wallet.address);
  const ids = [await agent(), await agent(), await agent()];
  const claims = await Promise.all(ids.map((id) => signed(id)));
  const answers = await Promise.all(ids.map((id, n) => link(id, claims[n]!)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const found = await side.rows('SELECT FROM agent_identities WHERE token_id = $1', [token.toString()]);
  expect(found).toHaveLength(1);
});

it('a wallet that is a contract signs by its code', async () => {
  const contract = await side.chain.contractWallet(wallet as never);
  await registry.give(token, contract);
  const id = await agent({ wallet_address: contract });
  expect((await link(id, await signed(id, randomWallet()))).status).toBe(400);
  const linked = await link(id, await signed(id));
  expect([linked.status, linked.body.owner_wallet.toLowerCase()]).toEqual([200, contract.toLowerCase()]);
});

it('a signature is good for one agent, identity, registry, market and hour, and for nobody else', async () => {
  await registry.give(token, wallet.address);
  const [id, other] = [await agent(), await agent()];
  const good = await signed(id);
  const refusals = [
    await link(other, good),
    await link(id, { ...good, expires_at: new Date(Date.parse(good.expires_at) - 1_000).toISOString() }),
    await link(id, await signed(id, wallet, (data) => (data.message.market = 'https://other.example'))),
    await link(id, await signed(id, wallet, (data) => (data.domain.chainId = 1))),
    await link(id, await signed(id, wallet, (data) => (data.domain.verifyingContract = wallet.address))),
    await link(id, await signed(id, wallet, (data) => (data.message.agentId = '1'))),
    await link(id, await signed(id, randomWallet())),
    await link(id, { ...good, signature: `0x${'11'.repeat(65)}` }),
    await link(id, { ...good, expires_at: new Date(Date.now() - 1_000).toISOString() }),
    await link(id, { ...good, expires_at: new Date(Date.now() + 3_700_000).toISOString() }),
    await link(id, { ...good, token_id: '0' }),
  ];
  expect(refusals.map(code)).toEqual(refusals.map(() => [400, 'invalid_body']));
  expect(code(await link(id, good, rival))).toEqual([404, 'not_found']);
  expect((await link(id, good)).status).toBe(200);
});

it('the owner of the identity is a wallet of the account or of the agent', async () => {
  const stranger = randomWallet();
  await registry.give(token, stranger.address);
  const id = await agent();
  const body = await signed(id, stranger);
  expect(code(await link(id, body))).toEqual([409, 'wallet_mismatch']);
  await send('PATCH', `/${id}`, { wallet_address: stranger.address });
  expect((await link(id, body)).status).toBe(200);
});

it.each([
  { agent_registry: 'eip155:1:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432' },
  { agent_registry: 'eip155:31337:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432' },
  { agent_registry: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432' },
  { agent_registry: 7 },
  { token_id: '-1' },
  { token_id: '01' },
  { token_id: 1 },
  { token_id: (2n ** 256n).toString() },
  { more: 1 },
])('no message is made for %j', async (change) => {
  const id = await agent();
  const answer = await send('POST', `/${id}/identity-messages`, { ...identity(), ...change });
  expect(code(answer)).toEqual([400, 'invalid_body']);
});

it('where the operator has named no registry, nothing of this is there', async () => {
  await registry.give(token, wallet.address);
  const id = await agent();
  const body = await signed(id);
  serves();
  const answers = [
    await send('POST', `/${id}/identity-messages`, identity()),
    await link(id, body),
    await send('DELETE', `/${id}/identity`),
    await send('GET', `/${id}/registration`, undefined, owner.keys.read),
    await send('GET', `/${id}/feedback`),
  ];
  expect(answers.map(code)).toEqual(answers.map(() => [404, 'not_found']));
});

it('what settled escrow says is exported page by page, each entry with what proves it and its weight', async () => {
  await registry.give(token, wallet.address);
  const id = await agent();
  expect(code(await send('GET', `/${id}/feedback`))).toEqual([404, 'not_found']);
  await link(id, await signed(id));
  expect((await send('GET', `/${id}/feedback`)).body).toEqual({ data: [], next_page: null });
  const { manager } = side.get(Transactions);
  const [escrow, payer] = [randomWallet().address, randomWallet().address];
  const own = { buyerWallet: payer, escrowAddress: escrow };
  const task = await new MarketRows(side.get(DataSource)).task(owner.accountId, own);
  const node = (n: number) => `node_01k9q2m4t8v6w0y2z4a6c8e0g${n}_1`;
  for (const n of [1, 2, 3]) {
    const work = { nodeId: node(n), taskId: task.id, agentId: id, payerAccountId: null, payerWallet: payer };
    const half = n === 3 ? { amount: 200n, released: 67n, outcome: 'ruled' } : {};
    await manager.insert(SettlementEntity, settlementRow(n, { ...work, ...half }) as never);
    if (n === 2) continue;
    const receipt = { id: node(n).replace('node', 'rcpt'), taskId: task.id, nodeId: node(n) };
    const parties = { buyerAccountId: owner.accountId, payerAccountId: null, workerAccountId: owner.accountId };
    await manager.insert(ReceiptEntity, receiptRow(n, { ...receipt, ...parties }) as never);
  }
  await side.rows('INSERT INTO buyer_independence (cluster_id, independence) VALUES ($1, 0.25)', [`wallet_${payer}`]);
  const entries: any[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await send('GET', `/${id}/feedback?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    entries.push(...body.data);
    sizes.push(body.data.length);
    cursor = body.next_page;
  }
  // The second is not final yet.
  expect(sizes).toEqual([1, 0, 1]);
  expect(entries.map(({ file: { value, tag1 } }) => [value, tag1])).toEqual([
    [3350, 'ruled'],
    [10_000, 'accepted'],
  ]);
  const [{ file, file_hash, ...entry }] = entries;
  expect(entry).toEqual({ node_id: node(3), independence: 0.25 });
  expect(file_hash).toBe(keccakOfText(jcs(file)));
  const { transactionHash, blockNumber } = receiptRow(3);
  const { workerWallet } = settlementRow(3);
  expect(file).toEqual({
    agentRegistry: name,
    agentId: token.toString(),
    clientAddress: `eip155:31337:${payer}`,
    createdAt: expect.stringMatching(/Z$/),
    value: 3350,
    valueDecimals: 2,
    tag1: 'ruled',
    tag2: 'escrow',
    proofOfPayment: { fromAddress: escrow, toAddress: workerWallet, chainId: '31337', txHash: transactionHash },
    escrow: { address: escrow, node: node(3), block: blockNumber, amount: '200', released: '67' },
  });
  expect(code(await send('GET', `/${id}/feedback`, undefined, rival.keys['agent-owner']))).toEqual([404, 'not_found']);
});

it('a chain that cannot be asked says nothing about an identity', async () => {
  const id = await agent();
  const { manager } = side.get(Transactions);
  const row = { agentId: id, registry: registry.address, tokenId: token, ownerWallet: wallet.address };
  await manager.insert(AgentIdentityEntity, { ...row, linkedAt: new Date() });
  await side.chain.stop();
  const answer = await send('GET', `/${id}/registration`, undefined, owner.keys.read);
  expect(code(answer)).toEqual([503, 'service_unavailable']);
});
