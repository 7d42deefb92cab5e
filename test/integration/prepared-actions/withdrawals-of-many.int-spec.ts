import { encodeDeliver, encodeRejectTask } from '../../../libs/contracts/src/index.js';
import { childPath, type Hex } from '../../../libs/kernel/src/index.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { ApprovalDocuments } from '../../../src/modules/signing/approval/approval-documents.js';
import { WorkMarket, type WorkParty, type WorkTree } from './work-market.js';

/** More nodes whose time is over than one call finalizes. */
const NODES = 25;
const DAY = 86_400;
const ARTIFACT: Hex = `0x${'ab'.repeat(32)}`;
const ZERO32: Hex = `0x${'00'.repeat(32)}`;

let market: WorkMarket;

beforeAll(async () => {
  market = await WorkMarket.begin();
});
afterAll(() => market?.stop());

const refund = ({ buyer, taskId }: WorkTree) =>
  market.prepare('withdraw_refund', buyer, { taskId, destination: buyer.address });
const amountIn = ({ payload }: PreparedActionDto) => (payload['message'] as { amount: string }).amount;
const entityOf = ({ action_id: id }: PreparedActionDto) =>
  market.dataSource.manager.findOneByOrFail(PreparedActionEntity, { id });
/** Has the wallet send the call of an action, before the index has the block. */
const send = async ({ buyer }: WorkTree, { payload }: PreparedActionDto) => {
  const { to, data } = payload['transaction'] as { to: string; data: string };
  await market.send(buyer, to, data);
};

async function deliverAndReject(tree: WorkTree, path: bigint, by: { worker: WorkParty; hirer: WorkParty }) {
  const auth = () => market.ownAuth(tree, path);
  await market.send(by.worker, tree.escrow, encodeDeliver(path, ARTIFACT, false, await auth()));
  await market.send(by.hirer, tree.escrow, encodeRejectTask(path, ARTIFACT, ZERO32, await auth()));
}

describe('a withdrawal of what more nodes have sent back than one call finalizes', () => {
  it('says what is left, which can be withdrawn as soon as the chain has the first', async () => {
    const tree = await market.tree();
    for (let index = 2; index <= NODES; index += 1) await market.hireRoot(tree, index);
    for (let index = 1; index <= NODES; index += 1) {
      await deliverAndReject(tree, childPath(0n, index), { worker: tree.worker, hirer: tree.buyer });
    }
    await market.index();
    await market.travel(10 * DAY + 10);
    const first = await refund(tree);
    expect([amountIn(first), first.remaining]).toEqual(['2000000000', { amount: '500.00', currency: 'USDC' }]);
    const shown = await market.get(ApprovalDocuments).documentOf(await entityOf(first));
    expect(shown.next).toBe('Another 500.00 USDC waits in the escrow. You can withdraw it after this.');
    await send(tree, first);
    expect(await market.chain.balanceOf(tree.buyer.address)).toBe(2_000_000_000n);
    const second = await refund(tree);
    expect([amountIn(second), second.remaining]).toEqual(['500000000', undefined]);
    await send(tree, second);
    expect(await market.chain.balanceOf(tree.buyer.address)).toBe(2_500_000_000n);
    await expect(refund(tree)).rejects.toMatchObject({ code: 'state_conflict' });
    await market.index();
    await expect(refund(tree)).rejects.toMatchObject({ code: 'state_conflict' });
  }, 120_000);
});
