import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { DataSource } from 'typeorm';
import { AppModule } from '../../src/app.module.js';
import { configureApp, createHttpAdapter } from '../../src/app.setup.js';
import { AccountsService } from '../../src/modules/auth/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/modules/auth/api-keys/api-keys.service.js';
import { IndexerRunner } from '../../src/modules/escrow/indexer/indexer.runner.js';
import { ChainConfig } from '../../src/platform/chain/chain-config.js';
import { createMigratedDatabase } from '../support/database.js';
import { MarketRows } from '../support/market-rows.js';
import { testEnvironment } from '../support/test-environment.js';

const WALLETS = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] as const;

interface Caller {
  accountId: string;
  keys: Record<string, string>;
}

let dataSource: DataSource;
let app: INestApplication;
let url: string;
let buyer: Caller;
let owner: Caller;
let matches: string;

/** The whole service, but without a chain and its indexer: nothing of a match is there. */
beforeAll(async () => {
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  const environment = testEnvironment(database.url, { logLevel: 'silent', managementPort: 0 });
  const testing = await Test.createTestingModule({ imports: [AppModule.register(environment)] })
    .overrideProvider(ChainConfig)
    .useValue({})
    .overrideProvider(IndexerRunner)
    .useValue({})
    .setLogger({ log() {}, warn() {}, error() {} })
    .compile();
  app = testing.createNestApplication(createHttpAdapter(environment), { bodyParser: false });
  configureApp(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  [buyer, owner] = await Promise.all([newCaller(WALLETS[0]), newCaller(WALLETS[1])]);
  const task = { status: 'open' as const, title: 'Audit a contract', brief: 'Audit one solidity contract' };
  const { id } = await new MarketRows(dataSource).task(buyer.accountId, { ...task, buyerWallet: WALLETS[0] });
  matches = `/v1/tasks/${id}/matches`;
});

afterAll(async () => {
  await app?.close();
  await dataSource?.destroy();
});

async function newCaller(walletAddress: string): Promise<Caller> {
  const account = await app.get(AccountsService).create({ name: randomUUID(), walletAddress });
  return { accountId: account.id, keys: await app.get(ApiKeysService).createKeySet(account, { name: 'test' }) };
}

async function send(
  caller: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: any }> {
  const scope = method === 'GET' ? 'read' : 'agent-owner';
  const response = await fetch(`${url}${path}`, {
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
    const stranger = await newCaller('0x90F79bf6EB2c4f870365E785982E1f101E93b906');
    const { status, body } = await send(stranger, 'GET', `${matches}?explain=${agentId}`);
    expect([status, body.error.code]).toEqual([403, 'not_task_buyer']);
  });
});
