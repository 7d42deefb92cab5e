import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { CustodySweeper } from '../../../src/modules/artifacts/custody/custody.sweeper.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { AccountWallets } from '../../../src/modules/accounts/wallets/account-wallets.js';
import type { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { SettledBriefs } from '../../../src/modules/matching/search-tables/settled-briefs/settled-briefs.js';
import { UnusedTermsSweeper } from '../../../src/modules/matching/search-tables/unused-terms.sweeper.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { IMPERSONAL_TABLES, PERSONAL_TABLES } from '../../../src/tools/accounts/personal-tables.js';
import { eventually } from '../../support/eventually.js';
import { MarketRows } from '../../support/market-rows.js';
import { ListeningService } from '../../support/listening-service.js';
import { randomWallet } from '../../support/random-wallet.js';
import { runTool } from '../../support/tool-run.js';
import { OWN_TABLES } from '../../support/own-tables.sql.js';

// Each call of a tool starts a process.
jest.setTimeout(240_000);

const HASH = `0x${'cd'.repeat(32)}`;
const OTHER_HASH = `0x${'ef'.repeat(32)}`;
const PAST = new Date('2026-01-01T00:00:00.000Z');

let app: ListeningService;
let rows: MarketRows;
let folder: string;

beforeAll(async () => {
  app = await ListeningService.listen();
  rows = new MarketRows(app.dataSource);
  folder = await mkdtemp(join(tmpdir(), 'tasktree-export-'));
  await app.rows(`INSERT INTO chain_blocks (number, hash, parent_hash, timestamp) VALUES (1, '0x1', '0x0', now())`);
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => runTool(app.environment, 'accounts', ...args);
const statusOf = async (secret: string): Promise<number> =>
  (await fetch(`${app.url}/v1/tasks`, { headers: { 'X-Api-Key': secret } })).status;

/** An account that has done something of every kind, with a word in all of its texts that nobody else uses. */
interface Somebody {
  id: string;
  word: string;
  wallet: string;
  secret: string;
  agentId: string;
  task: TaskEntity;
  other: string;
}

async function somebody(): Promise<Somebody> {
  const word = `erasable${randomBytes(6).toString('hex').replace(/\d/g, 'q')}`;
  const wallet = randomWallet().address;
  const { id } = await app.account(`Name ${word}`, wallet);
  const other = (await app.account(`Other ${randomUUID()}`, randomWallet().address)).id;
  const secret = await life({ id, wallet, word });
  const profile = { name: `Agent ${word}`, agentCardUrl: `https://${word}.example/`, capabilities: [word] };
  const { id: agentId } = await app
    .get(AgentsService)
    .publish({ id, walletAddress: wallet }, { ...profile, description: `About ${word}.` });
  const words = { title: `Title ${word}`, brief: `Brief about ${word}.`, criteria: [`Criterion ${word}`] };
  const task = await rows.task(id, { ...words, buyerWallet: wallet, status: 'resolved', chainStatus: 'resolved' });
  const ended = { state: 'released', pool: 0n, artifactHash: HASH } as const;
  const node = await rows.node(task, {
    path: 1n,
    workerAccountId: other,
    workerWallet: randomWallet().address,
    ...ended,
  });
  await rows.delivery(node, id, id);
  await hangOn({ id, word, wallet, agentId, taskId: task.id, nodeId: node.id, other });
  await app.dataSource.transaction((manager) => app.get(SettledBriefs).keep(manager, task.id, true));
  return { id, word, wallet, secret, agentId, task, other };
}

/**
 * Gives the account a key, a wallet, a session, a grant with a refresh token, and a verification.
 * @returns the key's secret.
 */
async function life({ id, wallet, word }: Pick<Somebody, 'id' | 'wallet' | 'word'>): Promise<string> {
  const { secret } = await app.get(ApiKeysService).create(id, { scope: 'read', name: `Key ${word}` });
  await app.rows(
    `INSERT INTO account_wallets (address, chain_id, account_id, linked_at) VALUES ($2, 31337, $1, now())`,
    [id, wallet],
  );
  await app.rows(
    `INSERT INTO browser_sessions (id, token_hash, account_id, wallet_address, user_agent, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, now(), now(), now() + interval '1 hour')`,
    [`sess_${word}`, randomBytes(32), id, wallet, `Browser ${word}`],
  );
  await app.rows(
    `INSERT INTO oauth_grants (id, account_id, client_id, client_name, scopes, created_at, expires_at)
     VALUES ($1, $2, 'client', $3, '{read}', now(), now() + interval '1 day')`,
    [`grant_${word}`, id, `App ${word}`],
  );
  await app.rows(
    `INSERT INTO oauth_records (kind, id_hash, payload, grant_id, created_at)
     VALUES ('RefreshToken', $1, jsonb_build_object('accountId', $2::text, 'note', $3::text), $4, now())`,
    [randomBytes(32), id, word, `grant_${word}`],
  );
  for (const kind of ['Session', 'Interaction']) {
    const payload = kind === 'Session' ? { accountId: id, word } : { session: { accountId: id }, word };
    await app.rows(
      `INSERT INTO oauth_records (kind, id_hash, payload, uid, created_at) VALUES ($1, $2, $3, $4, now())`,
      [kind, randomBytes(32), payload, kind === 'Session' ? `uid_${word}` : null],
    );
  }
  await app.rows(`INSERT INTO verified_buyers (account_id, verified_at, note) VALUES ($1, now(), $2)`, [id, word]);
  return secret;
}

interface Hanging extends Pick<Somebody, 'id' | 'word' | 'wallet' | 'agentId' | 'other'> {
  taskId: string;
  nodeId: string;
}

/** Writes what an account leaves in the tables of work. */
async function hangOn({ id, word, wallet, agentId, taskId, nodeId }: Hanging): Promise<void> {
  await app.rows('INSERT INTO rejection_reasons (node_id, reason_hash, reason) VALUES ($1, $2, $3)', [
    nodeId,
    HASH,
    `Bad ${word}`,
  ]);
  for (const hash of [HASH, OTHER_HASH]) {
    await app.rows(
      `INSERT INTO artifact_custody (account_id, artifact_hash, bytes, media_type, created_at, kept_until)
       VALUES ($1, $2, 10, 'text/plain', now(), now() + interval '1 day')`,
      [id, hash],
    );
  }
  for (const [place, isKept] of [true, false].entries()) {
    await app.rows(
      `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, client_id, wallet_address, task_id, chain_id,
         escrow_address, nonce, request_digest, request, payload, valid_until, signing_token_hash, signing_token_sealed,
         created_at, expires_at, is_kept)
       VALUES ($1, $2, 'create_task', 'buyer', $3, 'client', $4, $5, 31337, $6, $7, $8, $9, '{"message":{}}', now(), $10, $11,
         now(), now(), $12)`,
      [
        `act_${place}_${taskId}`,
        `0x${randomBytes(32).toString('hex')}`,
        id,
        wallet,
        taskId,
        `0x${taskId}`,
        place,
        HASH,
        JSON.stringify({ path: '/v1/tasks', params: {}, body: { brief: word } }),
        randomBytes(32),
        Buffer.from('sealed'),
        isKept,
      ],
    );
  }
  const stranger = await rows.task(await rows.account('Stranger'), { status: 'expired' });
  await rows.party(id, stranger.id, 'quoted');
  await quote(`quote_${randomUUID()}`, { id, agentId, wallet, taskId: stranger.id, payer: stranger.buyerAccountId });
  await app.rows(
    `INSERT INTO idempotency_records (scope_hash, fingerprint, api_version, account_id, operation_id, status, body,
       created_at, expires_at)
     VALUES ($1, $1, '2026-11-20', $2, 'createTask', 200, '', now(), now() + interval '1 hour')`,
    [randomBytes(32), id],
  );
}

function quote(
  quoteId: string,
  of: { id: string; agentId: string; wallet: string; taskId: string; payer: string },
  until = PAST,
): Promise<unknown> {
  return app.rows(
    `INSERT INTO quotes (id, task_id, agent_id, worker_account_id, payer_account_id, node_path, price,
       floor, work_seconds, max_revisions, accept_window_seconds, hirer_funded, terms_hash, worker_wallet, status, valid_until, action_id,
       request_digest, nonce, signature, created_at)
     VALUES ($1, $2, $3, $4, $5, '7', 1000000, 0, 86400, 3, 259200, true, $7, $6, 'submitted', $8, $9, $7, 1, '0xsigned', now())`,
    [quoteId, of.taskId, of.agentId, of.id, of.payer, of.wallet, HASH, until, `act_of_${quoteId}`],
  );
}

/** Names of the tables that have this text in some row. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await app.rows<{ name: string }>(OWN_TABLES);
  const found: string[] = [];
  for (const { name } of tables) {
    const hits = await app.rows(`SELECT 1 FROM ${name} own WHERE strpos(own::text, $1) > 0 LIMIT 1`, [text]);
    if (hits.length > 0) found.push(name);
  }
  return found;
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { table: string; row: Record<string, any> });

it('every table says whether it holds personal data, and what becomes of them', async () => {
  const tables = await app.rows<{ name: string }>(OWN_TABLES);
  const named = [...PERSONAL_TABLES.map(({ table }) => table), ...Object.keys(IMPERSONAL_TABLES)];
  expect(named.toSorted()).toEqual(tables.map(({ name }) => name));
  expect(PERSONAL_TABLES.filter(({ deleted, kept }) => deleted !== 'true' && kept === undefined)).toEqual([]);
});

describe('an export', () => {
  it('has everything about an account and nothing that would let anybody act as it', async () => {
    const one = await somebody();
    const [key] = await app.rows<{ hash: string }>(
      `SELECT encode(secret_hash, 'hex') AS hash FROM api_keys WHERE account_id = $1`,
      [one.id],
    );
    const { code, out, err } = await run('export', one.id);
    expect([code, err]).toEqual([0, '']);
    const lines = linesOf(out);
    expect(new Set(lines.map(({ table }) => table))).toEqual(
      new Set([
        'accounts',
        'account_wallets',
        'agents',
        'api_keys',
        'artifact_custody',
        'audit_events',
        'browser_sessions',
        'deliveries',
        'escrow_nodes',
        'event_audience',
        'events',
        'idempotency_records',
        'oauth_grants',
        'oauth_records',
        'prepared_actions',
        'quotes',
        'rejection_reasons',
        'task_parties',
        'tasks',
        'verified_buyers',
      ]),
    );
    const of = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row);
    expect(of('accounts')).toEqual([expect.objectContaining({ name: `Name ${one.word}`, wallet_address: one.wallet })]);
    expect(of('tasks')).toEqual([expect.objectContaining({ brief: `Brief about ${one.word}.`, budget: '500000000' })]);
    expect(of('audit_events').at(-1)).toMatchObject({ event: 'account_exported', detail: { by: 'operator' } });
    const parts = one.secret.split('_');
    for (const secret of [one.secret, parts.at(-1) ?? '', key?.hash ?? '', 'sealed', 'secret_hash', 'payload"note']) {
      expect(out).not.toContain(secret);
    }
    expect(of('oauth_records')[0]).not.toHaveProperty('payload');
    // Rows of other accounts are not included.
    expect(out).not.toContain(`"id":"${one.other}"`);
  });

  it('goes into a new file that its owner alone can read, and over no other', async () => {
    const { id } = await app.account('Filed');
    const file = join(folder, 'export.ndjson');
    expect(await run('export', id, '--file', file)).toMatchObject({ code: 0, out: expect.stringContaining(file) });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(linesOf(await readFile(file, 'utf8')).map(({ table }) => table)).toContain('accounts');
    expect(await run('export', id, '--file', file)).toMatchObject({ code: 2, err: expect.stringContaining(file) });
  });

  it('of nobody is refused', async () => {
    expect(await run('export', 'acct_unknown')).toMatchObject({ code: 1, out: '', err: 'There is no such account.\n' });
    expect(await run('export', 'No such name')).toMatchObject({ code: 1, out: '' });
  });
});

describe('an erased account', () => {
  it('leaves no text, name, address, key, session, permission or link, and the books as they were', async () => {
    const one = await somebody();
    expect(await statusOf(one.secret)).toBe(200);
    expect((await tablesWith(one.word)).length).toBeGreaterThan(10);
    const books = () =>
      app.rows(
        `SELECT to_json(node) AS node, task.budget, task.terms_hash, task.buyer_wallet, task.escrow_address, task.status
         FROM escrow_nodes node JOIN tasks task ON task.id = node.task_id WHERE task.id = $1`,
        [one.task.id],
      );
    const before = await books();
    await run('suspend', one.id);
    const erased = await run('erase', one.id, '--yes');
    expect(erased).toMatchObject({ code: 0, err: '' });
    expect(erased.out).toMatch(/api_keys +1 deleted\n/);
    // A token of a grant, a session of a browser and a request that it has begun.
    expect(erased.out).toMatch(/oauth_records +3 deleted\n/);
    expect(erased.out).toMatch(/tasks +1 cleared, 1 kept: amounts/);
    expect(erased.out).toMatch(/audit_events +\d+ kept: the record/);

    // A word that nobody uses any more is deleted in the service's next round; the audit record of what was done stays.
    await app.get(UnusedTermsSweeper).sweep();
    expect(await tablesWith(one.word)).toEqual(['audit_events']);
    // The wallet remains in the books and nowhere else.
    const withWallet = ['audit_events', 'escrow_nodes', 'prepared_actions', 'tasks'];
    // The rows of matching follow a moment later (agent-search-rows.runner.ts).
    await eventually(async () => (await tablesWith(one.wallet)).every((table) => withWallet.includes(table)), 30_000);
    expect(await books()).toEqual(before);

    const [task] = await app.rows<any>('SELECT * FROM tasks WHERE id = $1', [one.task.id]);
    expect(task).toMatchObject({ title: null, brief: '[erased]', criteria: [] });
    expect(JSON.parse(task.document)).toMatchObject({ id: one.task.id, brief: '[erased]' });
    const [agent] = await app.rows<any>('SELECT * FROM agents WHERE id = $1', [one.agentId]);
    expect(agent).toMatchObject({ name: 'Erased agent', status: 'retired', capabilities: [], account_id: one.id });
    expect(await app.rows('SELECT 1 FROM match_postings WHERE agent_number = $1', [agent.number])).toEqual([]);
    expect(await app.rows('SELECT 1 FROM match_briefs WHERE task_id = $1', [one.task.id])).toEqual([]);
    expect(await app.rows('SELECT id FROM prepared_actions WHERE account_id = $1', [one.id])).toEqual([
      { id: `act_0_${one.task.id}` },
    ]);
    expect(await app.rows('SELECT role FROM task_parties WHERE account_id = $1', [one.id])).toEqual([
      { role: 'buyer' },
    ]);

    // Bytes that were not delivered are deleted in the service's next round; delivered ones stay for their payer.
    await app.get(CustodySweeper).sweep();
    expect(await app.rows('SELECT artifact_hash FROM artifact_custody WHERE account_id = $1', [one.id])).toEqual([
      { artifact_hash: HASH },
    ]);
    const events = await app.rows<any>(
      `SELECT request_id, detail FROM audit_events WHERE account_id = $1 AND event = 'account_erased'`,
      [one.id],
    );
    expect(events).toEqual([
      {
        request_id: null,
        detail: { by: 'operator', tables: expect.objectContaining({ api_keys: { deleted: 1, cleared: 0, kept: 0 } }) },
      },
    ]);
  });

  it('is not come back to: its key is unknown, its wallet makes another account, and no command revives it', async () => {
    const one = await somebody();
    await run('suspend', one.id);
    await run('erase', one.id, '--yes');
    await eventually(async () => (await statusOf(one.secret)) === 401, 3_000);
    const proof = { address: one.wallet as `0x${string}`, chainId: 31337, by: 'key' as const };
    const again = await app.get(AccountWallets).signIn(proof, null);
    expect(again.id).not.toBe(one.id);
    const refused = { code: 1, out: '' };
    expect(await run('erase', one.id, '--yes')).toMatchObject({ ...refused, err: 'The account is erased already.\n' });
    expect(await run('resume', one.id)).toMatchObject({ ...refused, err: 'The account is not suspended.\n' });
    expect(await run('suspend', one.id)).toMatchObject({ ...refused, err: 'The account is erased.\n' });
    expect(await run('show', one.id)).toMatchObject({ code: 0, out: expect.stringContaining('erased') });
  });
});

describe('nothing is erased', () => {
  const isUntouched = async ({ id, word }: Somebody) => {
    const [account] = await app.rows<any>('SELECT name, status FROM accounts WHERE id = $1', [id]);
    expect(account.name).toBe(`Name ${word}`);
    expect(await app.rows('SELECT 1 FROM api_keys WHERE account_id = $1', [id])).toHaveLength(1);
  };

  it('without --yes, of an account that is active, and of nobody', async () => {
    const one = await somebody();
    expect(await run('erase', one.id)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Erasing cannot be undone: --yes is missing.'),
    });
    const active = await run('erase', one.id, '--yes');
    expect(active).toMatchObject({ code: 1, err: expect.stringContaining('Suspend it first') });
    expect(await run('erase', 'acct_unknown', '--yes')).toMatchObject({ code: 1, err: 'There is no such account.\n' });
    await isUntouched(one);
  });

  const node = (one: Somebody, change: Pick<EscrowNodeEntity, 'state'> & { pool?: bigint }) => async () => {
    const task = await rows.task(one.other, { status: 'resolved' });
    const wallet = { workerAccountId: one.id, workerWallet: one.wallet };
    await rows.node(task, { path: 1n, ...wallet, ...change });
  };

  it.each<[string, (one: Somebody) => () => Promise<unknown>, RegExp]>([
    [
      'while its task can still be taken on',
      ({ id }) =>
        () =>
          rows.task(id, { status: 'open' }),
      /Its task task_\w+ is open\./,
    ],
    [
      'while a refund of its task waits',
      ({ id }) =>
        () =>
          rows.task(id, { status: 'refunded', refundable: 1n }),
      /Its task task_\w+ has a refund that is not withdrawn\./,
    ],
    ['while it works', (one) => node(one, { state: 'delivered' }), /It hires or works in the node \w+ .* is delivered/],
    [
      'while its earnings wait',
      (one) => node(one, { state: 'released', pool: 5n }),
      /has earnings that are not withdrawn\./,
    ],
    [
      'while its offer can be taken up',
      ({ id, agentId, wallet, other }) =>
        async () => {
          const { id: taskId } = await rows.task(other, { status: 'open' });
          const of = { id, agentId, wallet, taskId, payer: other };
          await quote(`quote_${randomUUID()}`, of, new Date('2099-01-01T00:00:00.000Z'));
        },
      /Its offer quote_\S+ for the task task_\w+ can be taken up until 2099/,
    ],
    [
      'while a block that is not read yet may have taken up its offer',
      ({ id, agentId, wallet, other }) =>
        async () => {
          const { id: taskId } = await rows.task(other, { status: 'open' });
          const of = { id, agentId, wallet, taskId, payer: other };
          await quote(`quote_${randomUUID()}`, of, new Date(Date.now() - 1_000));
        },
      /Its offer quote_\S+ for the task task_\w+ can be taken up until /,
    ],
  ])('%s', async (_, makeLive, reason) => {
    const one = await somebody();
    await makeLive(one)();
    await run('suspend', one.id);
    const { code, err } = await run('erase', one.id, '--yes');
    expect(code).toBe(1);
    expect(err).toMatch(reason);
    expect(err).toMatch(/Nothing was erased\.\n$/);
    await isUntouched(one);
  });
});
