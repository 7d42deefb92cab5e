import { nodesSeenBy } from './node-requests.js';
import { perform } from './market-moves.js';
import { bodyOf } from './trader.js';
import type { Walk } from './walk.js';

/** Longer than all deadlines and windows: delivery, acceptance, contest and ruling. */
const EVERYTHING_OVER = 100 * 86_400;

/** Lets time end everything. Then everybody withdraws what is theirs, over HTTP and by wallets alone. */
export async function windDown(walk: Walk): Promise<void> {
  walk.isWindingDown = true;
  await walk.market.travel(EVERYTHING_OVER);
  walk.lagging = false;
  for (const task of walk.tasks) {
    const nodes = await nodesSeenBy(walk, task.buyer, task);
    for (const { id, allowed_actions: allowed } of nodes.toReversed()) {
      if (!allowed.includes('claim_non_delivery')) continue;
      await insist(walk, () =>
        perform(walk, task.buyer, 'read', `/v1/tasks/${task.id}/nodes/${id}/non-delivery-claim-intents`),
      );
      await walk.settle();
    }
    await takeRefunds(walk, task.id);
  }
  for (const trader of walk.traders) {
    for (let round = 0; round < 100; round += 1) {
      if (bodyOf(await trader.get('/v1/earnings')).claimable === '0.00') break;
      await insist(walk, () =>
        perform(walk, trader, 'worker', '/v1/earnings/withdrawal-intents', { destination: trader.address }),
      );
      await walk.settle();
    }
  }
  // A withdrawal may have finalized nodes and thereby returned money to others.
  for (const task of walk.tasks) await takeRefunds(walk, task.id);
}

async function takeRefunds(walk: Walk, taskId: string): Promise<void> {
  for (const trader of walk.traders) {
    const path = `/v1/tasks/${taskId}/refund-withdrawal-intents`;
    for (let round = 0; round < 6; round += 1) {
      if (!(await perform(walk, trader, 'buyer', path, { destination: trader.address }))) break;
      await walk.settle();
    }
  }
}

/** An action that is listed as allowed must be preparable. */
async function insist(walk: Walk, act: () => Promise<boolean>): Promise<void> {
  if (!(await act())) walk.fail('an action that is open was refused');
}
