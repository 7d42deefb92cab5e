import { MatchingSide } from '../../support/matching-side.js';
import { Wallet } from 'ethers';
import { Environment } from '../../../src/platform/config/environment.js';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { NodeAncestors } from '../../../src/modules/escrow/ancestors/node-ancestors.js';
import { QuoteChecks } from '../../../src/modules/quotes/offer-checks/quote-checks.js';
import { QuoteListService } from '../../../src/modules/quotes/quote-list.service.js';
import { AFTER_ALL_QUOTES, quoteListStatement } from '../../../src/modules/quotes/quote-list.sql.js';
import type { SignedQuote } from '../../../src/modules/quotes/quote/quote-offer.js';
import { QuoteSignatures } from '../../../src/modules/quotes/acceptance/quote-signatures.js';
import { quoteTypedData, type QuoteTerms } from '../../../src/modules/quotes/quote/quote-typed-data.js';
import { QuoteEntity } from '../../../src/modules/quotes/quote/quote.entity.js';
import { QuotesService } from '../../../src/modules/quotes/quotes.service.js';
import { QuotingAgent } from '../../../src/modules/quotes/offer-checks/quoting-agent.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { TaskParties } from '../../../src/modules/tasks/visibility/task-parties.js';
import { TaskPartyEntity } from '../../../src/modules/tasks/visibility/task-party.entity.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { WalletSignatures } from '../../../src/platform/chain/wallet-signatures.js';
import { nodeNonce } from '#libs/contracts';
import { childPath, EMPTY_REQUEST_DIGEST, type Hex, parentPath } from '#libs/kernel';
import { planOf } from '../../support/query-plan.js';
import {
  address,
  BUYER,
  bytes32,
  NOW,
  nodeRow,
  quoteRow,
  RIVAL,
  STRANGER,
  taskId,
  ulid,
  WORKER,
} from '../../support/market-rows.js';
import { ReadSide, walk } from '../../support/read-side.js';

let side: ReadSide;
let quotes: QuoteListService;

const idsSeenBy = async (accountId: string, filter: object = {}): Promise<string[]> =>
  (await quotes.list({ accountId }, { limit: 25, ...filter })).data.map(({ id }) => id);

beforeEach(async () => {
  side = await ReadSide.create();
  quotes = new QuoteListService(side.reads, side.cursors, side.clock);
});
afterEach(() => side.close());

describe('the list of quotes', () => {
  it('shows a quote to its worker and, once signed, to the payer; never to a rival or a stranger', async () => {
    await side.task(1);
    const statuses = ['draft', 'pending_signature', 'submitted', 'accepted', 'declined', 'withdrawn'] as const;
    await side.insert(QuoteEntity, ...statuses.map((status, index) => quoteRow(index + 1, { status })));
    await side.insert(QuoteEntity, quoteRow(7, { agentId: 'agent_rival', workerAccountId: RIVAL }));

    const all = [6, 5, 4, 3, 2, 1].map((n) => `quote_${ulid(n)}`);
    expect(await idsSeenBy(WORKER)).toEqual(all);
    expect(await idsSeenBy(BUYER)).toEqual([`quote_${ulid(7)}`, ...all.slice(0, 4)]);
    expect(await idsSeenBy(RIVAL)).toEqual([`quote_${ulid(7)}`]);
    expect(await idsSeenBy(STRANGER)).toEqual([]);
  });

  it('shows an offer that nobody took up in time as expired', async () => {
    await side.task(1);
    await side.insert(QuoteEntity, quoteRow(1));
    const status = async () => (await quotes.list({ accountId: BUYER }, { limit: 1 })).data[0]?.status;
    side.clock.set('2026-11-23T12:00:00.000Z');
    expect(await status()).toBe('submitted');
    side.clock.set('2026-11-23T12:00:01.000Z');
    expect(await status()).toBe('expired');
  });

  it('has the members of the interface and no other', async () => {
    await side.task(1);
    await side.insert(QuoteEntity, quoteRow(1), quoteRow(2, { nodePath: childPath(1n, 2), price: 1n, floor: 0n }));
    const { data } = await quotes.list({ accountId: BUYER }, { limit: 25 });
    const common = {
      task_id: taskId(1),
      agent_id: 'agent_worker',
      work_seconds: 604_800,
      max_revisions: 3,
      deadline: '2026-11-30T12:00:00.000Z',
      valid_until: '2026-11-23T12:00:00.000Z',
      status: 'submitted',
      terms_hash: bytes32(7),
    };
    expect(data).toEqual([
      {
        ...common,
        id: `quote_${ulid(2)}`,
        price: { amount: '0.000001', currency: 'USDC' },
        floor: { amount: '0.00', currency: 'USDC' },
        parent_node_id: `node_${ulid(1)}_1`,
      },
      {
        ...common,
        id: `quote_${ulid(1)}`,
        price: { amount: '120.50', currency: 'USDC' },
        floor: { amount: '60.25', currency: 'USDC' },
      },
    ]);
  });

  it('is filtered by task; an unknown or foreign task gives an empty page', async () => {
    await side.task(1);
    await side.task(2);
    await side.insert(QuoteEntity, quoteRow(1), quoteRow(2, { taskId: taskId(2) }));
    expect(await idsSeenBy(WORKER, { task_id: taskId(2) })).toEqual([`quote_${ulid(2)}`]);
    expect(await idsSeenBy(WORKER, { task_id: taskId(3) })).toEqual([]);
    expect(await idsSeenBy(STRANGER, { task_id: taskId(2) })).toEqual([]);
    expect(await idsSeenBy(WORKER, { task_id: `' OR 1=1 --` })).toEqual([]);
  });

  it('is walked without repeats or gaps while new quotes arrive', async () => {
    await side.task(1);
    await side.insert(QuoteEntity, ...Array.from({ length: 10 }, (_, index) => quoteRow(index + 1)));
    const seen = await walk(
      (cursor) => quotes.list({ accountId: BUYER }, { limit: 3, ...(cursor ? { cursor } : {}) }),
      (page) => side.insert(QuoteEntity, quoteRow(100 + page)),
    );
    expect(seen).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `quote_${ulid(n)}`));
  });

  it('refuses the cursor of another caller, list or filter', async () => {
    await side.task(1);
    await side.insert(QuoteEntity, quoteRow(1), quoteRow(2));
    const { next_page: cursor } = await quotes.list({ accountId: BUYER }, { limit: 1 });
    const refused = { code: 'invalid_cursor' };
    await expect(quotes.list({ accountId: WORKER }, { limit: 1, cursor: cursor! })).rejects.toMatchObject(refused);
    await expect(
      quotes.list({ accountId: BUYER }, { limit: 1, cursor: cursor!, task_id: taskId(1) }),
    ).rejects.toMatchObject(refused);
    await expect(quotes.list({ accountId: BUYER }, { limit: 1, cursor: 'x' })).rejects.toMatchObject(refused);
  });

  it('reads both branches from their indexes on 100,000 rows, however deep the page', async () => {
    await side.task(1);
    await side.fill(
      `INSERT INTO quotes (id, task_id, agent_id, worker_account_id, payer_account_id, node_path, price, floor,
          work_seconds, max_revisions, accept_window_seconds, hirer_funded, terms_hash, worker_wallet, status,
          valid_until, action_id, request_digest, nonce, created_at)
        SELECT 'quote_01k9' || lpad(n::text, 22, '0'), $1, 'agent_worker', 'acct_' || n % 500, 'acct_' || n % 700,
          n::text, 1000000, 500000, 604800, 3, 259200, true, '0x', '0x', 'submitted', $2, '', '', 0, $2
        FROM generate_series(1, 100000) AS n`,
      [taskId(1), NOW],
    );
    await side.fill('ANALYZE quotes');
    const plan = await planOf(side.dataSource, quoteListStatement(26, false).text, ['acct_7', AFTER_ALL_QUOTES, NOW]);
    expect(plan.scans).toContain('Index Scan Backward using quotes_worker_account_id_id_idx on quotes');
    expect(plan.scans).toContain('Index Scan Backward using quotes_payer_account_id_id_idx on quotes');
    expect(plan.scanned).toEqual([]);
  });
});

describe('a signed quote', () => {
  const hash = EMPTY_REQUEST_DIGEST;
  const wallet = new Wallet(`0x${'42'.repeat(32)}`);
  const contractWallet = address(1271);
  const owner = { id: WORKER };
  const usdc = address(999);
  const chain = {
    codeAt: jest.fn(async (at: string) => (at === contractWallet ? '0x60' : '0x')),
    rawCall: jest.fn(async () => ({ reverted: false, data: `0x1626ba7e${'0'.repeat(56)}` })),
  };
  let service: QuotesService;
  let store: TaskStore;
  let task: TaskEntity;

  beforeEach(async () => {
    const agents = new AgentsService(
      side.transactions,
      side.clock,
      side.events,
      Object.assign(new Environment(), { quotaAgents: 0 }),
    );
    const quoting = new QuotingAgent(agents, new MatchingSide(side).ranking);
    const config = { chainId: 31337, usdcAddress: usdc, factoryAddress: address(998) } as never;
    const checks = new QuoteChecks(side.transactions, side.clock, side.tasks, quoting, new NodeAncestors(), config);
    const signatures = new QuoteSignatures(new WalletSignatures(chain as never), config);
    store = new TaskStore(side.clock);
    service = new QuotesService(side.transactions, side.clock, store, new TaskParties(), checks, signatures);
    await side.agent('agent_signer', WORKER, { walletAddress: wallet.address });
    await side.agent('agent_contract', WORKER, { walletAddress: contractWallet });
    task = await side.task(1, { nodeSequence: 5 });
  });

  const offer = (change: Partial<SignedQuote> = {}): SignedQuote => ({
    taskId: taskId(1),
    agentId: 'agent_signer',
    nodePath: 1n,
    price: 120_000_000n,
    workSeconds: 864_000,
    validUntil: new Date('2026-11-23T12:00:00.000Z'),
    termsHash: bytes32(7),
    actionId: 'act_1',
    requestDigest: hash,
    signature: '0x',
    ...change,
  });

  /** A signed quote. `change` changes the quote; `lie` changes only what is signed and not what is sent. */
  async function signed(change: Partial<SignedQuote> = {}, lie: Partial<QuoteTerms> = {}): Promise<SignedQuote> {
    const sent = offer(change);
    const isRoot = parentPath(sent.nodePath) === 0n;
    const data = quoteTypedData(
      {
        workerWallet: wallet.address,
        floor: sent.price / 2n,
        workSeconds: 604_800,
        maxRevisions: 3,
        acceptWindowSeconds: 259_200,
        hirerFunded: isRoot,
        nonce: nodeNonce(sent.nodePath, 0),
        ...sent,
        ...lie,
      },
      {
        chainId: 31337,
        escrowAddress: task.escrowAddress,
        token: usdc,
        hirerWallet: isRoot ? task.buyerWallet : address(13),
        arbiterWallet: task.arbiterWallet,
      },
    );
    const { EIP712Domain: _, ...types } = data.types;
    const signature = (await wallet.signTypedData(data.domain, types as never, data.message)) as Hex;
    return { ...sent, signature };
  }

  it('is kept, shown to the buyer, and lets its owner see the task', async () => {
    const quote = await service.submitSigned(owner, await signed());
    expect(await side.dataSource.manager.findOneByOrFail(QuoteEntity, { id: quote.id })).toMatchObject({
      status: 'submitted',
      nodePath: 1n,
      workerWallet: wallet.address,
      payerAccountId: BUYER,
      hirerAgentId: null,
      price: 120_000_000n,
      floor: 60_000_000n,
      workSeconds: 864_000,
      maxRevisions: 3,
      nonce: 256n,
      createdAt: new Date(NOW),
    });
    expect(await idsSeenBy(BUYER)).toEqual([quote.id]);
    const parties = await side.dataSource.manager.findBy(TaskPartyEntity, { accountId: WORKER });
    expect(parties.map(({ role }) => role)).toEqual(['quoted']);
  });

  it('by a contract wallet is as good as the contract says', async () => {
    const quote = offer({ agentId: 'agent_contract', signature: '0x1234' });
    await expect(service.submitSigned(owner, quote)).resolves.toMatchObject({ status: 'submitted' });
    chain.rawCall.mockResolvedValueOnce({ reverted: false, data: `0xffffffff${'0'.repeat(56)}` });
    await expect(service.submitSigned(owner, { ...quote, nodePath: 2n })).rejects.toMatchObject({
      code: 'wallet_mismatch',
    });
    chain.rawCall.mockResolvedValueOnce({ reverted: true, data: '0x' });
    await expect(service.submitSigned(owner, { ...quote, nodePath: 2n })).rejects.toMatchObject({
      code: 'wallet_mismatch',
    });
  });

  it.each<[string, Partial<QuoteTerms>]>([
    ['another price', { price: 119_000_000n }],
    ['another node', { nodePath: 2n }],
    ['another floor', { floor: 60_000_001n }],
    ['another time to work', { workSeconds: 864_001 }],
    ['more revisions', { maxRevisions: 4 }],
    ['another validity', { validUntil: new Date('2026-11-23T12:00:01.000Z') }],
    ['another nonce', { nonce: 4n }],
    ['another action', { actionId: 'act_2' }],
    ['another request', { requestDigest: bytes32(9) as Hex }],
  ])('over %s is refused and leaves nothing', async (_, lie) => {
    await expect(service.submitSigned(owner, await signed({}, lie))).rejects.toMatchObject({ code: 'wallet_mismatch' });
    expect(await side.dataSource.manager.count(QuoteEntity)).toBe(0);
    expect(await side.dataSource.manager.countBy(TaskPartyEntity, { accountId: WORKER })).toBe(0);
  });

  it('in a form that the contract would refuse is refused', async () => {
    const quote = await signed();
    const v = quote.signature.endsWith('1b') ? '00' : '01';
    for (const signature of ['0x', `${quote.signature}00`, `${quote.signature.slice(0, -2)}${v}`] as Hex[]) {
      await expect(service.submitSigned(owner, { ...quote, signature })).rejects.toMatchObject({
        code: 'wallet_mismatch',
      });
    }
  });

  it.each<[string, Partial<SignedQuote>, string]>([
    ['above the budget', { price: 500_000_001n }, 'state_conflict'],
    ['below 1 USDC', { price: 999_999n }, 'invalid_body'],
    ['on other terms', { termsHash: bytes32(6) }, 'terms_mismatch'],
    ['with another accept window', { acceptWindowSeconds: 259_201 }, 'terms_mismatch'],
    ['that expires too soon', { validUntil: new Date('2026-11-20T12:09:59.000Z') }, 'invalid_body'],
    ['for an agent of another account', { agentId: 'agent_rival' }, 'not_found'],
    ['for a task that does not exist', { taskId: taskId(9) }, 'not_found'],
    ['under a node that does not exist', { parentNodePath: 4n, nodePath: childPath(4n, 1) }, 'not_found'],
    ['for a place never given out', { nodePath: 6n }, 'state_conflict'],
    ['for a place under another node', { nodePath: childPath(1n, 2) }, 'state_conflict'],
    ['with a floor above its price', { floor: 120_000_001n }, 'invalid_body'],
    ['with eleven revisions', { maxRevisions: 11 }, 'invalid_body'],
    ['not paid for by the buyer', { hirerFunded: false }, 'invalid_body'],
  ])('%s is refused', async (_, change, code) => {
    await expect(service.submitSigned(owner, await signed(change))).rejects.toMatchObject({ code });
  });

  it('with a fraction of a second is refused', async () => {
    const quote = await signed();
    for (const change of [{ validUntil: new Date('2026-11-23T12:00:00.500Z') }, { workSeconds: 864_000.5 }]) {
      const submitted = service.submitSigned(owner, { ...quote, ...change });
      await expect(submitted).rejects.toMatchObject({ code: 'invalid_body' });
    }
  });

  it('is refused on a task that is not open, of an inactive agent, and for a private task', async () => {
    const quote = await signed();
    await side.dataSource.query(`UPDATE agents SET status = 'retired' WHERE id = 'agent_signer'`);
    await expect(service.submitSigned(owner, quote)).rejects.toMatchObject({ code: 'state_conflict' });
    await side.dataSource.query(`UPDATE agents SET status = 'active'`);
    await side.dataSource.query(`UPDATE tasks SET status = 'funded'`);
    await expect(service.submitSigned(owner, quote)).rejects.toMatchObject({ code: 'state_conflict' });
    await side.dataSource.query(`UPDATE tasks SET status = 'open', tier = 'private_curated'`);
    await expect(service.submitSigned(owner, quote)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused of an agent whose wallet is a contract of the escrow, which could never be paid', async () => {
    for (const contract of [task.escrowAddress, address(998)]) {
      await side.dataSource.query(`UPDATE agents SET wallet_address = $1 WHERE id = 'agent_signer'`, [contract]);
      await expect(service.submitSigned(owner, await signed())).rejects.toMatchObject({
        code: 'wallet_mismatch',
        reason: expect.stringContaining('contract of the escrow'),
      });
    }
  });

  it('is refused when the buyer would hire itself, by wallet or by account', async () => {
    await side.dataSource.query(`UPDATE tasks SET buyer_wallet = $1`, [wallet.address]);
    await expect(service.submitSigned(owner, await signed())).rejects.toMatchObject({ code: 'wallet_mismatch' });
    await side.dataSource.query(`UPDATE tasks SET buyer_wallet = $1, buyer_account_id = $2`, [address(1), WORKER]);
    await expect(service.submitSigned(owner, await signed())).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('for a child is offered to the owner of the parent, within what is left of its floor', async () => {
    await side.insert(
      EscrowNodeEntity,
      nodeRow(2n, {
        floor: 100_000_000n,
        workerAgentId: 'agent_rival',
        workerAccountId: RIVAL,
        workerWallet: address(13),
        allocated: 40_000_000n,
        deliveryDeadline: new Date('2026-11-30T12:10:00.000Z'),
      }),
    );
    const child = { parentNodePath: 2n, nodePath: childPath(2n, 3), price: 60_000_000n };
    const code = async (change: Partial<SignedQuote>) =>
      service.submitSigned(owner, await signed({ ...child, ...change })).catch((error: { code: string }) => error.code);
    expect(await code({ price: 60_000_001n })).toBe('insufficient_unallocated');
    expect(await code({ workSeconds: 864_001 })).toBe('nesting_violation');
    expect(await code({})).toMatchObject({ payerAccountId: RIVAL, hirerAgentId: 'agent_rival', hirerFunded: false });
    expect(await idsSeenBy(RIVAL)).toHaveLength(1);
    expect(await idsSeenBy(BUYER)).toEqual([]);
    await side.dataSource.query(`UPDATE escrow_nodes SET state = 'delivered'`);
    expect(await code({ nodePath: childPath(2n, 4) })).toBe('node_not_funded');
  });

  it.each([
    ['takes back the money of', { state: 'disputed', floor: 0n }, 'state_conflict'],
    ['leaves a floor of', { state: 'disputed', floor: 1n }, 'taken'],
    ['takes back the rejected money of', { state: 'rejected', floor: 1n }, 'state_conflict'],
    ['accepts', { state: 'delivered', floor: 0n }, 'taken'],
  ] as const)('for a child is judged by what time %s a node above', async (_, own, judged) => {
    const hirer = { workerAgentId: 'agent_rival', workerAccountId: RIVAL, workerWallet: address(13) };
    const soon = new Date('2026-12-01T12:00:00.000Z');
    const above = nodeRow(2n, { ...hirer, ...own, clock: new Date(NOW) });
    const parent = childPath(2n, 1);
    const below = { parentNodeId: `node_${ulid(1)}_2`, hirerFunded: false, deliveryDeadline: soon, clock: soon };
    await side.insert(EscrowNodeEntity, above, nodeRow(parent, { ...hirer, ...below }));
    const code = async () => {
      const quote = await signed({ parentNodePath: parent, nodePath: childPath(parent, 3), price: 10_000_000n });
      return service.submitSigned(owner, quote).catch((error: { code: string }) => error.code);
    };
    side.clock.set(new Date(new Date(NOW).getTime() + 1000).toISOString());
    expect(await code()).toEqual(judged === 'taken' ? expect.objectContaining({ status: 'submitted' }) : judged);
  });

  it('signs the draft with its place, once', async () => {
    const nodePath = await side.transactions.run((manager) => store.nextNodePath(manager, taskId(1), 0n));
    const { signature: _, ...terms } = offer({ nodePath });
    const draft = await service.draft(owner, terms);
    expect(draft).toMatchObject({ status: 'draft', nodePath: 6n });
    expect(await idsSeenBy(BUYER)).toEqual([]);
    const quote = await signed({ nodePath });
    expect(await service.submitSigned(owner, quote)).toMatchObject({ id: draft.id, status: 'submitted' });
    expect(await idsSeenBy(BUYER)).toEqual([draft.id]);
    await expect(service.submitSigned(owner, quote)).rejects.toMatchObject({ code: 'state_conflict' });
  });

  it('is kept once when it is submitted twice at the same time', async () => {
    const quote = await signed();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => service.submitSigned(owner, quote)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await side.dataSource.manager.count(QuoteEntity)).toBe(1);
  });
});
