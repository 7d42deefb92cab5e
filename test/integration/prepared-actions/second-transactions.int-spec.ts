import { HDNodeWallet, keccak256, type TransactionRequest } from 'ethers';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { ActionDeclines } from '../../../src/modules/prepared-actions/lifecycle/action-declines.js';
import { eventually } from '../../support/eventually.js';
import { type Principal, SigningFixture } from '../../support/signing-fixture.js';

/** A second transaction for an action whose first one waits for its block, as a wallet sends it with a higher fee. */
const PHRASE = 'test test test test test test test test test test test junk';
/** Longer than a hash is told that the chain does not know. */
const HINT_OVER_MS = 130_000;
const GAS = 3_000_000;
/** Enough to begin the call and too little to end it. */
const LITTLE_GAS = 50_000;
const GWEI = 1_000_000_000;

let fixture: SigningFixture;
let buyer: Principal;
let worker: Principal;
/** A wallet of the chain's own, which pays for every transaction. */
const relayer = HDNodeWallet.fromPhrase(PHRASE, undefined, "m/44'/60'/0'/0/1");

beforeAll(async () => {
  fixture = await SigningFixture.start({ environment: { indexerEnabled: true } });
});
beforeEach(async () => {
  [buyer, worker] = [await fixture.principal('Buyer'), await fixture.principal('Worker')];
  await rpc('evm_setAutomine', false);
});
afterEach(async () => {
  fixture.rpc.mode = 'pass';
  fixture.rpc.tamper = (_call, answer) => answer;
  fixture.clock.aheadMs = 0;
  await rpc('anvil_dropAllTransactions');
  await rpc('evm_setAutomine', true);
});
afterAll(() => fixture?.stop());

const rpc = <Result>(method: string, ...values: unknown[]): Promise<Result> =>
  fixture.chain.anvil.rpc(method, ...values);

/** A transaction of the relayer, signed and not sent yet. */
interface Unsent {
  readonly hash: string;
  send(): Promise<void>;
}

interface Paid {
  readonly id: string;
  /** Makes a transaction of the signed payment. @param later how many transactions of its sender come before it. */
  transaction(change: TransactionRequest, later?: number): Promise<Unsent>;
  handIn(transaction: Pick<Unsent, 'hash'>): Promise<any>;
  read(): Promise<any>;
}

async function signedPayment(): Promise<Paid> {
  await rpc('evm_setAutomine', true);
  const payment = await fixture.payment(buyer, worker);
  await rpc('evm_setAutomine', false);
  const { transaction: call } = await fixture.sign(buyer, payment, buyer.keys.buyer);
  const nonce = Number(await rpc<string>('eth_getTransactionCount', relayer.address, 'latest'));
  const id: string = payment.action_id;
  return {
    id,
    transaction: async (change, later = 0) => {
      const fees = { type: 2, maxFeePerGas: 20 * GWEI, maxPriorityFeePerGas: GWEI };
      const own = { to: call.to, data: call.data, chainId: Number(call.chainId), nonce: nonce + later, gasLimit: GAS };
      const raw = await relayer.signTransaction({ ...fees, ...own, ...change });
      return { hash: keccak256(raw), send: async () => void (await rpc('eth_sendRawTransaction', raw)) };
    },
    handIn: ({ hash }) => fixture.call(buyer.keys.buyer, `/v1/actions/${id}/submissions`, { transaction_hash: hash }),
    read: () => fixture.readAction(buyer, id),
  };
}

const HIGHER_FEE = { maxFeePerGas: 40 * GWEI, maxPriorityFeePerGas: 4 * GWEI };

/** What was told of the action, oldest first: the status, and the beginning of the hash where one was told. */
async function told({ id }: Paid): Promise<string[]> {
  const answer = await fetch(`${fixture.service.url}/v1/events?limit=100`, {
    headers: { 'X-Api-Key': buyer.keys.read },
  });
  const { data } = (await answer.json()) as { data: any[] };
  return data
    .filter(({ type, subject }) => type.startsWith('action.') && subject.id === id)
    .map((event) => [event.data.status.to, event.data.transaction_hash].filter(Boolean).join(' '));
}

async function expectTold(paid: Paid, ...expected: string[]): Promise<void> {
  let events: string[] = [];
  await eventually(async () => (events = await told(paid)).length >= expected.length).catch(() => undefined);
  expect(events).toEqual(expected);
}

/** Hands in a first transaction that waits for its block, and a second one that the chain does not know. */
async function replaced(second: TransactionRequest, later = 0, first: TransactionRequest = {}) {
  const paid = await signedPayment();
  const [one, two] = [await paid.transaction(first), await paid.transaction({ ...HIGHER_FEE, ...second }, later)];
  await one.send();
  expect(await paid.handIn(one)).toMatchObject({ status: 'submitted', transaction_hash: one.hash });
  expect(await paid.handIn(two)).toMatchObject({ status: 'submitted', transaction_hash: one.hash });
  expect(await paid.read()).toMatchObject({ status: 'submitted', transaction_hash: one.hash });
  return { paid, one, two };
}

describe('a second transaction that the chain does not know yet', () => {
  it('is shown once it has taken the place of the first, and told when it fails', async () => {
    const { paid, one, two } = await replaced({ gasLimit: LITTLE_GAS });
    await two.send();
    expect(await paid.read()).toMatchObject({ status: 'submitted', transaction_hash: two.hash });
    await rpc('evm_mine');
    await expectTold(paid, 'prepared', 'signed', `submitted ${one.hash}`, `failed ${two.hash}`);
    expect(await paid.read()).toMatchObject({ status: 'failed', transaction_hash: two.hash });
  });

  it('is told where it executes the action, also after the first one failed', async () => {
    const { paid, one, two } = await replaced({}, 1, { gasLimit: LITTLE_GAS });
    await rpc('evm_mine');
    await expectTold(paid, 'prepared', 'signed', `submitted ${one.hash}`, `failed ${one.hash}`);
    await two.send();
    const sent = ['prepared', 'signed', `submitted ${one.hash}`, `failed ${one.hash}`, `submitted ${two.hash}`];
    await expectTold(paid, ...sent);
    await rpc('evm_mine');
    await expectTold(paid, ...sent, `confirmed ${two.hash}`);
  });

  it('is forgotten where the first one executes the action', async () => {
    const { paid, one } = await replaced({ gasLimit: LITTLE_GAS });
    await rpc('evm_mine');
    await expectTold(paid, 'prepared', 'signed', `submitted ${one.hash}`, `confirmed ${one.hash}`);
    expect(await paid.read()).toMatchObject({ status: 'confirmed', transaction_hash: one.hash });
  });

  it('is a hint for two minutes where the first one is gone', async () => {
    const { paid, one, two } = await replaced({});
    await rpc('anvil_dropTransaction', one.hash);
    expect(await paid.read()).toMatchObject({ status: 'unknown', transaction_hash: two.hash });
    fixture.clock.aheadMs = HINT_OVER_MS;
    expect(await paid.read()).toMatchObject({ status: 'signed' });
    expect((await paid.read()).transaction_hash).toBeUndefined();
    await expectTold(paid, 'prepared', 'signed', `submitted ${one.hash}`, 'signed');
  });

  it('is remembered alone, the latest of however many', async () => {
    const { paid, one, two } = await replaced({ gasLimit: LITTLE_GAS });
    for (let number = 0; number < 5; number += 1) {
      const hash = `0x${`${number}e`.repeat(32)}`;
      expect(await paid.handIn({ hash })).toMatchObject({ status: 'submitted', transaction_hash: one.hash });
    }
    await paid.handIn(two);
    // The same again, and the first again, change nothing.
    await paid.handIn(two);
    await paid.handIn(one);
    await two.send();
    expect(await paid.read()).toMatchObject({ status: 'submitted', transaction_hash: two.hash });
  });

  it('does not take the place of the first while the chain is away', async () => {
    const paid = await signedPayment();
    const [one, two] = [await paid.transaction({}), await paid.transaction(HIGHER_FEE)];
    await one.send();
    await paid.handIn(one);
    fixture.rpc.tamper = ({ id, method }, answer) =>
      method.startsWith('eth_getTransaction')
        ? { jsonrpc: '2.0', id, error: { code: -32_000, message: 'away' } }
        : answer;
    expect(await paid.handIn(two)).toMatchObject({ status: 'unknown', transaction_hash: one.hash });
    fixture.rpc.tamper = (_call, answer) => answer;
    expect(await paid.read()).toMatchObject({ status: 'submitted', transaction_hash: one.hash });
    await rpc('evm_mine');
    await expectTold(paid, 'prepared', 'signed', `submitted ${one.hash}`, `confirmed ${one.hash}`);
  });
});

it('is seen by whoever declines at the same moment, beside one that was about something else', async () => {
  await rpc('evm_setAutomine', true);
  const { action_id: id } = await fixture.payment(buyer, worker);
  const handIn = (hash: string) =>
    fixture.call(buyer.keys.buyer, `/v1/actions/${id}/submissions`, { transaction_hash: hash });
  const other = await rpc<string>('eth_sendTransaction', { from: relayer.address, to: relayer.address, value: '0x1' });
  await handIn(other);
  await eventually(async () => (await fixture.readAction(buyer, id)).status === 'prepared');
  // Handed in again, now that the index has its block.
  expect((await handIn(other)).status).toBe('prepared');
  const before = await fixture.service.dataSource.manager.findOneByOrFail(PreparedActionEntity, { id });
  const hash = `0x${'5e'.repeat(32)}`;
  expect(await handIn(hash)).toMatchObject({ status: 'unknown', transaction_hash: hash });
  const declined = fixture.service.get(ActionDeclines).decline(before, 'link', 'req_1');
  await expect(declined).rejects.toMatchObject({ code: 'state_conflict' });
});

it('tells that a transaction has failed also where the chain was away for longer than a hash is a hint', async () => {
  const paid = await signedPayment();
  const lost = await paid.transaction({ gasLimit: LITTLE_GAS });
  expect(await paid.handIn(lost)).toMatchObject({ status: 'unknown', transaction_hash: lost.hash });
  fixture.rpc.mode = 'error';
  await lost.send();
  await rpc('evm_mine');
  fixture.clock.aheadMs = HINT_OVER_MS;
  fixture.rpc.mode = 'pass';
  await expectTold(paid, 'prepared', 'signed', `failed ${lost.hash}`);
});
