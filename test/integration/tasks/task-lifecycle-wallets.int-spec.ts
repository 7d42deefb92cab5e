import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { ActionStage, type Trader } from '../../support/action-stage.js';

let stage: ActionStage;
let buyer: Trader;

beforeAll(async () => {
  stage = await ActionStage.start();
  buyer = await stage.contractPerson('buyer');
});
afterAll(() => stage?.stop());

/** A new task of the contract wallet, whose payload `signer` has signed. */
async function handedIn(signer = buyer) {
  const draft = { brief: 'Translate.', budget: 5_000_000n, selectionMode: 'manual' as const };
  return stage.submit(buyer, await stage.prepare('create_task', buyer, { draft }), signer);
}

describe('a task of a wallet that is a contract (ERC-1271)', () => {
  it('is opened by what the contract accepts, and mined as anybody sends it', async () => {
    const action = (await handedIn()) as any;
    const find = () => stage.dataSource.manager.findOneByOrFail(TaskEntity, { id: action.task_id });
    expect(await find()).toMatchObject({ status: 'open', chainStatus: null, buyerWallet: buyer.address });
    await stage.chain.send(action.transaction.to, action.transaction.data);
    await stage.index();
    expect(await find()).toMatchObject({ status: 'open', chainStatus: 'open' });
  });

  it('is not opened by another key', async () => {
    await expect(handedIn({ ...buyer, key: stage.chain.wallet() })).rejects.toMatchObject({ code: 'wallet_mismatch' });
  });
});
