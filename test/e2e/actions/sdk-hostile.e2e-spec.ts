import { Wallet } from 'ethers';
import { hashTypedData } from '#libs/prepared-action';
import {
  type AnyWallet,
  type Fetch,
  Marketplace,
  PreparedActionRejected,
  readDeployment,
  type SignableAction,
} from '../../../libs/sdk/src/index.js';
import { ABANDONMENT_LIES, CALL_LIES, FUNDING_LIES } from '../../support/approval/service-lies.js';
import { account, localMarket } from '../../support/market.js';

/** A service that lies to the SDK, as it lies to the approval page in test/e2e/approval: nothing is signed or sent. */
const { base_url: baseUrl, rpc_url: node } = localMarket();
const TASK = {
  brief: 'Translate 40 pages into French.',
  budget: { amount: '60', currency: 'USDC' },
  selection_mode: 'manual',
  tier: 'private_curated',
} as const;

/** A wallet that counts what it is asked for. */
function walletOf(name: string) {
  const key = new Wallet(account(name).wallet_private_key);
  const asked = { signatures: 0, calls: 0 };
  const signer: AnyWallet = {
    getAddress: () => Promise.resolve(key.address),
    signTypedData: async (domain, types, value) => {
      asked.signatures += 1;
      return key.signTypedData(domain, types, value);
    },
    sendTransaction: async () => {
      asked.calls += 1;
      throw new Error('This wallet sends nothing');
    },
  };
  return { signer, asked, address: key.address };
}

/** A client whose service changes its answers to writes below this path. */
async function client(name: string, path = '', change: (answer: any) => void = () => undefined): Promise<Marketplace> {
  const lying: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== 'POST' || path === '' || !url.includes(path)) return response;
    const answer: unknown = await response.json();
    change(answer);
    return new Response(JSON.stringify(answer), { status: response.status, headers: response.headers });
  };
  const { keys } = account(name);
  return new Marketplace({ baseUrl, node, keys, deployment, fetch: lying, until: 'confirmed' });
}

let deployment: Awaited<ReturnType<typeof readDeployment>>;
let quote: Awaited<ReturnType<Marketplace['quotes']['first']>>;
let taskId: string;
const buyer = walletOf('Cleo');
const worker = walletOf('Pavel');

beforeAll(async () => {
  deployment = await readDeployment(baseUrl);
  const [ours, theirs] = [await client('Cleo'), await client('Pavel')];
  ({ task_id: taskId = '' } = await ours.tasks.prepareCreation(TASK).send(buyer.signer));
  // Another worker than in the samples, which take the first task that they are invited to.
  await ours.tasks.invite(taskId, [account('Pavel').agents[0]?.id ?? '']);
  const { terms_hash = '' } = await theirs.tasks.get(taskId);
  await theirs.quotes.prepare({ task_id: taskId, price: TASK.budget, terms_hash }).send(worker.signer);
  quote = await ours.quotes.first(taskId);
  await ours.tasks.prepareSelection(taskId, { quote }).send(buyer.signer);
});

/** Expects that the lie is found when the action arrives, and that the wallet is asked nothing. */
async function expectRefused(asked: { signatures: number }, prepared: Promise<SignableAction>, signer: AnyWallet) {
  const before = asked.signatures;
  const error: unknown = await prepared.then((action) => action.send(signer)).catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(PreparedActionRejected);
  expect(asked.signatures).toBe(before);
  return (error as PreparedActionRejected).failed.map(({ name }) => name);
}

describe('about a payment', () => {
  const pay = async (change: (answer: any) => void) =>
    (await client('Cleo', 'funding-intents', change)).tasks.prepareFunding(taskId, { quote });

  // What the page is told of the request, the SDK knows by itself.
  const LIES = FUNDING_LIES.filter(([what]) => what !== 'another request');

  it.each(LIES)('that answers with %s is refused by its check (%s)', async (_what, check, change) => {
    const failed = await expectRefused(
      buyer.asked,
      pay((action) => change({ action })),
      buyer.signer,
    );
    expect(failed).toContain(check);
  });

  it('that changes the price in all places, with every digest, is refused: it is not that of the quote', async () => {
    const prepared = pay(({ payload }) => {
      payload.message.value = '250000000';
      payload.authorizes.message.terms.amount = '250000000';
      payload.message.nonce = hashTypedData(payload.authorizes).digest;
    });
    expect(await expectRefused(buyer.asked, prepared, buyer.signer)).toEqual(['members']);
  });

  it('that names another offer than the one that was chosen is refused', async () => {
    const honest = await client('Cleo');
    const chosen = { ...quote, floor: { amount: '59', currency: 'USDC' } };
    const failed = await expectRefused(
      buyer.asked,
      honest.tasks.prepareFunding(taskId, { quote: chosen }),
      buyer.signer,
    );
    expect(failed).toEqual(['members']);
  });
});

describe('about an action of the escrow', () => {
  let nodeRef: { task_id: string; id: string };
  const abandon = async (path: string, change: (answer: any) => void) =>
    (await client('Pavel', path, change)).nodes.prepareAbandonment(nodeRef);

  beforeAll(async () => {
    const key = account('Cleo').wallet_private_key;
    const { JsonRpcProvider } = await import('ethers');
    const provider = new JsonRpcProvider(node);
    const market = await client('Cleo');
    await market.tasks.prepareFunding(taskId, { quote }).send(new Wallet(key, provider));
    provider.destroy();
    const [funded] = await market.tasks.nodes(taskId).toArray({ limit: 1 });
    nodeRef = { task_id: taskId, id: funded?.id ?? '' };
  });

  it.each(ABANDONMENT_LIES)('that answers with %s is refused', async (_what, _check, change) => {
    await expectRefused(
      worker.asked,
      abandon('abandon-intents', (action) => change({ action })),
      worker.signer,
    );
  });

  it.each(CALL_LIES)('that returns a call %s for the signature never gets it sent', async (_what, change) => {
    const prepared = await abandon('submissions', change);
    await expect(prepared.send(worker.signer)).rejects.toThrow(PreparedActionRejected);
    expect(worker.asked.calls).toBe(0);
  });
});
