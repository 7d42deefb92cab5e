import { FakeMarket } from '../../../libs/sdk/src/testing.js';
import { Marketplace, type MarketplaceOptions } from '../../../libs/sdk/src/index.js';
import { MarketDocument } from '../../support/e2e/document.js';
import { account, localMarket } from '../../support/market.js';
import { type RefusedRequest, refusedRequests } from '../../support/refused-requests.js';

/*
 * The market for the tests of the SDK's users must not allow more than the service, nor tell of more.
 */

const BUDGET = { amount: '60', currency: 'USDC' } as const;
/** What is only there where somebody has given it, or where there is a transaction; and a sentence for people. */
const NOT_ALWAYS = ['arbiter', 'description', 'next', 'transaction_hash'];
const fake = new FakeMarket();
let document: MarketDocument;

beforeAll(async () => {
  document = await MarketDocument.load();
});

async function refusal(base: string, { path, name: _name, ...init }: RefusedRequest, fetcher: typeof fetch) {
  const response = await fetcher(`${base}${path}`, init);
  const body = await response.json();
  return `${response.status} ${body.error?.code}`;
}

it('what the service refuses at its door is refused with the same code', async () => {
  const { settings } = fake.account('Bo');
  const own = refusedRequests(document, settings.keys as Record<string, string>);
  const theirs = refusedRequests(document, account('Bo').keys as Record<string, string>);
  expect(own.length).toBeGreaterThan(200);
  const differences: string[] = [];
  for (const [at, request] of theirs.entries()) {
    const real = await refusal(localMarket().base_url, request, fetch);
    const told = await refusal(settings.baseUrl, own[at]!, fake.fetch as typeof fetch);
    if (real !== told) differences.push(`${request.name}: ${real}, not ${told}`);
  }
  expect(differences).toEqual([]);
});

/** Records that Bo, who buys, and Lena, who works, read, by the name of their kind. */
async function records(bo: MarketplaceOptions, lena: MarketplaceOptions): Promise<Map<string, object[]>> {
  const [buyer, worker] = [new Marketplace(bo), new Marketplace(lena)];
  const some = { limit: 50 };
  const tasks = await buyer.tasks.list({ role: 'buyer' }).toArray(some);
  const settled = tasks.find(({ status }) => status === 'resolved') ?? tasks[0]!;
  const agents = (await worker.me()).agents;
  return new Map<string, object[]>([
    ['getMe', [await buyer.me(), await worker.me()]],
    ['listTasks', tasks],
    ['getTask', [await buyer.tasks.get(settled.id)]],
    ['listTaskNodes', await buyer.tasks.nodes(settled.id).toArray(some)],
    ['listQuotes', await worker.quotes.list().toArray(some)],
    ['listDeliveries', await worker.deliveries.list().toArray(some)],
    ['listReceipts', await worker.receipts().toArray(some)],
    ['listAgents', agents],
    ['listReputation', await buyer.reputation().toArray(some)],
    ['getEarnings', [await worker.earnings.get()]],
    ['listActions', await buyer.actions.list().toArray(some)],
    ['listEvents', await worker.events.list().toArray(some)],
  ]);
}

it('records have the members that those of the service have', async () => {
  const [bo, lena] = [fake.account('Bo'), fake.account('Lena')];
  const [buyer, worker] = [new Marketplace(bo.settings), new Marketplace(lena.settings)];
  await worker.agents.publish({ name: 'Lingua-7', agent_card_url: 'https://lingua.example/card.json' });
  const body = { title: 'Pages', brief: 'Translate.', budget: BUDGET, selection_mode: 'manual' } as const;
  const { task_id = '' } = await buyer.tasks.prepareCreation(body).send(bo.wallet);
  const { terms_hash = '' } = await worker.tasks.get(task_id);
  await worker.quotes.prepare({ task_id, price: BUDGET, terms_hash }).send(lena.wallet);
  const quote = await buyer.quotes.first(task_id);
  await buyer.tasks.prepareSelection(task_id, { quote }).send(bo.wallet);
  await buyer.tasks.prepareFunding(task_id, { quote }).send(bo.wallet);
  const artifact = await worker.deliveries.upload('Forty pages.');
  await worker.deliveries.prepare({ task_id, artifact, pay_out: false }).send(lena.wallet);
  await buyer.tasks.prepareResolution(task_id).send(bo.wallet);
  const { base_url: baseUrl } = localMarket();
  const options = (name: string) => ({ baseUrl, keys: account(name).keys as Record<string, string> });
  const real = await records(options('Bo'), options('Lena'));
  const differences = [...(await records(bo.settings, lena.settings))].flatMap(([name, told]) => {
    const [theirs, own] = [real.get(name) ?? [], told].map((list) => list.map((record) => Object.keys(record)));
    // Of what the sample market has none, nothing can be said.
    if (theirs!.length === 0) return [];
    const unknown = own!.flat().filter((member) => !theirs!.flat().includes(member));
    const always = theirs![0]?.filter((member) => theirs!.every((members) => members.includes(member))) ?? [];
    const missing = always
      .filter((member) => !NOT_ALWAYS.includes(member))
      .filter((member) => own!.some((members) => !members.includes(member)));
    return [
      ...new Set([...unknown.map((one) => `${name} tells ${one}`), ...missing.map((one) => `${name} lacks ${one}`)]),
    ];
  });
  expect(differences).toEqual([]);
});
