import {
  encodeDeliver,
  encodeDisputeNode,
  encodeFinalize,
  encodeRejectTask,
  encodeResolveTask,
} from '../../../libs/contracts/src/index.js';
import { childPath, type Hex } from '../../../libs/kernel/src/index.js';
import { EarningsService } from '../../../src/modules/earnings/earnings.service.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { WorkMarket, type WorkParty, type WorkTree } from './work-market.js';
import { earnedOf } from '../../support/earned.js';

const DAY = 86_400;
const ARTIFACT: Hex = `0x${'ab'.repeat(32)}`;
const ZERO32: Hex = `0x${'00'.repeat(32)}`;
/** The node that `hireBelow(tree, 2, …)` makes. */
const CHILD = childPath(1n, 2);

let market: WorkMarket;
let arbiter: Hex;

beforeAll(async () => {
  market = await WorkMarket.begin();
  arbiter = (await market.person('arbiter')).address;
});
afterAll(() => market?.stop());

const earnings = (who: WorkParty) => market.prepare('withdraw_earnings', who, { destination: who.address });
const refund = (who: WorkParty, { taskId }: WorkTree) =>
  market.prepare('withdraw_refund', who, { taskId, destination: who.address });
const claimableOf = async ({ accountId }: WorkParty) =>
  (await earnedOf(market.get(EarningsService), accountId)).claimable;
const balanceOf = (address: string) => market.chain.balanceOf(address);
const amountIn = ({ payload }: PreparedActionDto) => (payload['message'] as { amount: string }).amount;

/**
 * A root node that ends well or is contested, above a child, which the root's worker hired with the root's money and
 * rejected. The money of the child returns to the root when nobody contests or rules.
 */
async function releasedOver(
  below: 'rejected' | 'disputed',
  { root = 'released', amount = 30_000_000n }: { root?: 'released' | 'disputed'; amount?: bigint } = {},
): Promise<{ tree: WorkTree; hired: WorkParty }> {
  const tree = await market.tree({ arbiter });
  const hired = await market.person('hired');
  await market.hireBelow(tree, 2, hired, amount);
  await market.send(hired, tree.escrow, encodeDeliver(CHILD, ARTIFACT, false, await market.ownAuth(tree, CHILD)));
  await market.send(
    tree.worker,
    tree.escrow,
    encodeRejectTask(CHILD, ARTIFACT, ZERO32, await market.ownAuth(tree, CHILD)),
  );
  if (below === 'disputed')
    await market.send(hired, tree.escrow, encodeDisputeNode(CHILD, ZERO32, await market.ownAuth(tree, CHILD)));
  await market.send(tree.worker, tree.escrow, encodeDeliver(1n, ARTIFACT, false, await market.ownAuth(tree, 1n)));
  if (root === 'released') {
    await market.send(tree.buyer, tree.escrow, encodeResolveTask(1n, ARTIFACT, await market.ownAuth(tree, 1n)));
  } else {
    await market.send(tree.buyer, tree.escrow, encodeRejectTask(1n, ARTIFACT, ZERO32, await market.ownAuth(tree, 1n)));
    await market.send(tree.worker, tree.escrow, encodeDisputeNode(1n, ZERO32, await market.ownAuth(tree, 1n)));
  }
  await market.index();
  return { tree, hired };
}

describe('withdrawing the earnings of a node over one that did not earn what it was promised', () => {
  it('takes what a rejection that became final gives back, by the wallet or by its signature', async () => {
    for (const isSigned of [false, true]) {
      const { tree, hired } = await releasedOver('rejected');
      expect(await claimableOf(tree.worker)).toBe('70.00');
      await market.travel(6 * DAY);
      expect([await claimableOf(tree.worker), await claimableOf(hired)]).toEqual(['100.00', '0.00']);
      const action = await earnings(tree.worker);
      expect(amountIn(action)).toBe('100000000');
      if (isSigned) await market.relay(action.action_id, await market.sign(tree.worker, action));
      else await market.sendDirect(action);
      expect([await balanceOf(tree.worker.address), await balanceOf(tree.escrow)]).toEqual([100_000_000n, 0n]);
      expect(await claimableOf(tree.worker)).toBe('0.00');
    }
  });

  it('takes it after everything else was taken, when nothing but that is left', async () => {
    const { tree } = await releasedOver('rejected');
    await market.sendDirect(await earnings(tree.worker));
    await expect(earnings(tree.worker)).rejects.toMatchObject({ code: 'state_conflict' });
    await market.travel(6 * DAY);
    const action = await earnings(tree.worker);
    expect([amountIn(action), action.node_id]).toEqual(['30000000', tree.root]);
    await market.sendDirect(action);
    expect([await balanceOf(tree.worker.address), await balanceOf(tree.escrow)]).toEqual([100_000_000n, 0n]);
  });

  it('takes what is above the floor of a dispute that nobody ruled on, whether its worker ever comes or not', async () => {
    const { tree, hired } = await releasedOver('disputed');
    expect(await claimableOf(tree.worker)).toBe('70.00');
    await market.travel(31 * DAY);
    expect([await claimableOf(tree.worker), await claimableOf(hired)]).toEqual(['85.00', '15.00']);
    await market.sendDirect(await earnings(tree.worker));
    expect(await balanceOf(tree.worker.address)).toBe(85_000_000n);
    await market.sendDirect(await earnings(hired));
    expect([await balanceOf(hired.address), await balanceOf(tree.escrow)]).toEqual([15_000_000n, 0n]);
  });

  it('is still paid as signed when somebody else has written that down meanwhile', async () => {
    const { tree } = await releasedOver('rejected');
    await market.travel(6 * DAY);
    const action = await earnings(tree.worker);
    await market.send(tree.buyer, tree.escrow, encodeFinalize(CHILD));
    await market.relay(action.action_id, await market.sign(tree.worker, action));
    expect([await balanceOf(tree.worker.address), await balanceOf(tree.escrow)]).toEqual([100_000_000n, 0n]);
  });

  it('gives the same whoever comes first where silence has divided the node itself', async () => {
    for (const first of ['worker', 'buyer'] as const) {
      const { tree } = await releasedOver('rejected', { root: 'disputed', amount: 50_000_000n });
      await market.travel(31 * DAY);
      // The floor is 50, and all of it was promised below. What the node below gives back belongs to the worker.
      expect(await claimableOf(tree.worker)).toBe('50.00');
      const takeOut = {
        worker: async () => market.sendDirect(await earnings(tree.worker)),
        buyer: async () => market.sendDirect(await refund(tree.buyer, tree)),
      };
      await takeOut[first]();
      await takeOut[first === 'worker' ? 'buyer' : 'worker']();
      expect(await balanceOf(tree.worker.address)).toBe(50_000_000n);
      expect([await balanceOf(tree.buyer.address), await balanceOf(tree.escrow)]).toEqual([50_000_000n, 0n]);
    }
  });
});
