import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { ActionFixture, type Trader } from '../../support/action-fixture.js';

let fixture: ActionFixture;
let buyer: Trader;

beforeAll(async () => {
  fixture = await ActionFixture.start();
  buyer = await fixture.contractPerson('buyer');
});
afterAll(() => fixture?.stop());

/** A new task of the contract wallet, whose payload `signer` has signed. */
async function handedIn(signer = buyer) {
  const draft = { brief: 'Translate.', budget: 5_000_000n, selectionMode: 'manual' as const };
  return fixture.submit(buyer, await fixture.prepare('create_task', buyer, { draft }), signer);
}

describe('a task of a wallet that is a contract (ERC-1271)', () => {
  it('is opened by what the contract accepts', async () => {
    const { task_id: id = '' } = await handedIn();
    const task = await fixture.dataSource.manager.findOneByOrFail(TaskEntity, { id });
    expect(task).toMatchObject({ status: 'open', chainStatus: null, buyerWallet: buyer.address });
  });

  it('is not opened by another key', async () => {
    await expect(handedIn({ ...buyer, key: fixture.chain.wallet() })).rejects.toMatchObject({
      code: 'wallet_mismatch',
    });
  });
});
