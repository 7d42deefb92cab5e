import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import { AccountSite } from '../../support/oauth/account-site.js';
import type { HtmlPage } from '../../support/oauth/html-page.js';
import type { Person } from '../../support/oauth/person.js';
import { address, bytes32, nodeRow, receiptRow, taskId, ulid } from '../../support/market-rows.js';

const HOSTILE = `</dd><script>alert(1)</script>\u202Ecod.exe\u200B\n${'a'.repeat(20_000)}`;
const ID = `rcpt_${ulid(1)}_1`;

let site: AccountSite;
let buyer: Person;
let worker: Person;

beforeAll(async () => {
  site = await AccountSite.start();
  const { oauth } = site;
  const [buyerId, workerId] = await Promise.all([site.signedIn(), site.signedIn()]).then((people) => {
    [buyer, worker] = people.map(({ person }) => person) as [Person, Person];
    return people.map(({ accountId }) => accountId);
  });
  const rows = oauth.dataSource;
  await oauth.get(TaskStore).save(rows.manager, taskOf(buyerId!));
  const parties = { hirerAccountId: buyerId!, workerAccountId: workerId! };
  const ended = { ...parties, state: 'released', outcome: 'accepted', artifactHash: bytes32(5) } as const;
  await rows.getRepository(EscrowNodeEntity).insert(nodeRow(1n, ended));
  const accounts = { payerAccountId: buyerId!, buyerAccountId: buyerId!, workerAccountId: workerId! };
  const receipts = Array.from({ length: 27 }, (_, index) => receiptRow(index + 1, accounts));
  await rows.getRepository(ReceiptEntity).insert(receipts as never);
});
afterAll(() => site?.close());

function taskOf(buyerAccountId: string): TaskEntity {
  const terms = { brief: 'Audit it', criteria: [], budget: 500_000_000n, termsHash: bytes32(7) };
  const times = { acceptWindowSeconds: 259_200, deliveryWindowSeconds: 604_800, offersUntil: new Date() };
  const chain = { buyerWallet: address(1), arbiterWallet: address(0), escrowAddress: address(1_001) };
  const task = { id: taskId(1), buyerAccountId, title: HOSTILE, selectionMode: 'manual', tier: 'public' } as const;
  const now = { status: 'resolved', selectedAgentId: null, nodeSequence: 1, createdAt: new Date() } as const;
  return Object.assign(new TaskEntity(), terms, times, chain, task, now);
}

describe('the page of a receipt', () => {
  it('shows both sides who, what, how much, the transaction, the block and the artifact, each who they are', async () => {
    for (const [person, you] of [
      [buyer, 'Hired and paid by the buyer you'],
      [worker, 'Worked on by a wallet without an agent you'],
    ] as const) {
      const page = await site.open(person, `/account/receipts/${ID}`);
      const text = page.text.replaceAll(/\s+/g, ' ');
      expect(text).toContain(you);
      expect(text).toMatch(/99\.000001 USDC ?: paid to the worker\. The work was accepted\./);
      expect(text).toContain('Held in escrow 100.00 USDC');
      for (const fact of [bytes32(1), bytes32(5), '41 on the network with chain ID 31337', taskId(1)]) {
        expect(text).toContain(fact);
      }
      expect(text).toMatch(/eth_getTransactionReceipt.*status: 0x1 and as blockNumber: 0x29.*eth_call.*sha256sum FILE/);
    }
  });

  it('shows text of others as one line of text, runs no script and loads nothing but the style', async () => {
    const page = await site.open(buyer, `/account/receipts/${ID}`);
    expect(page.html).not.toMatch(/<script|\u202E|\u200B/);
    expect(page.html).toContain('“<bdi>&lt;/dd&gt;&lt;script&gt;alert(1)&lt;/script&gt;\\u{202e}cod.exe\\u{200b}');
    expect(page.html.length).toBeLessThan(12_000);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('is not there for anybody else, nor for what is no receipt', async () => {
    const { person: stranger } = await site.signedIn();
    for (const path of [ID, 'rcpt_none', '%27%20OR%20true', '..%2F..%2Fsign']) {
      expect((await site.open(stranger, `/account/receipts/${path}`)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await site.open(stranger, '/account/receipts')).text).toContain('No job has been settled yet.');
    expect((await site.open(buyer, '/account/receipts/rcpt_none')).status).toBe(404);
  });
});

describe('the list of receipts', () => {
  it('is walked page by page, the newest first', async () => {
    const first = await site.open(buyer, '/account/receipts');
    const links = (page: HtmlPage): string[] => page.html.match(/\/account\/receipts\/rcpt_\w+/g) ?? [];
    expect(links(first)).toHaveLength(25);
    expect(links(first)[0]).toContain(`rcpt_${ulid(27)}_1`);
    const [, older] = /href="([^"]*\?cursor=[^"]+)"/.exec(first.html) ?? [];
    const second = await site.open(buyer, older!.replaceAll('&amp;', '&'));
    expect(links(second)).toEqual([`/account/receipts/rcpt_${ulid(2)}_1`, `/account/receipts/${ID}`]);
    expect(second.html).not.toContain('?cursor=');
  });

  it('says that a link into it is not good any more, instead of breaking', async () => {
    for (const cursor of ['x', encodeURIComponent('"><script>'), 'a'.repeat(3_000)]) {
      const page = await site.open(buyer, `/account/receipts?cursor=${cursor}`);
      expect([page.status, page.html.includes('<script')]).toEqual([400, false]);
    }
  });
});
