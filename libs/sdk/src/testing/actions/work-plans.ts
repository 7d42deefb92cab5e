import { Refusal } from '../document/refusal.js';
import type { FakeNode, MarketState, Schemas } from '../state/market-state.js';
import { moveNode, partiesOf, subjectOf, tellWithdrawal } from '../state/node-effects.js';
import {
  type ActionRequest,
  expectedOf,
  membersOf,
  onNode,
  type Planned,
  recipientOf,
  tokenOf,
} from './action-request.js';

export function deliver(request: ActionRequest): Planned {
  const { state, body } = request;
  const { artifact_hash, custody_receipt } = body as Schemas['DeliverySubmissionBody'];
  const kept = state.artifacts.get(artifact_hash.toLowerCase());
  if (kept === undefined || kept.receipt !== custody_receipt) {
    const reason = 'custody_receipt is none of this artifact.';
    throw new Refusal('invalid_body', reason, [{ path: 'custody_receipt', reason }]);
  }
  return onNode(request, 'deliver', 'worker', (node) => {
    const earlier = state.deliveries.filter(({ record }) => record.node_id === node.record.id);
    const record: Schemas['Delivery'] = {
      id: state.id('dlv'),
      task_id: node.task.record.id,
      artifact_hash: artifact_hash.toLowerCase(),
      status: 'submitted',
      created_at: state.instant(),
      node_id: node.record.id,
      revision: earlier.length + 1,
    };
    return {
      own: expectedOf('deliver', request),
      delivery: record,
      effect: () => {
        state.deliveries.push({ owner: node.worker, record });
        record.status = 'available';
        if (node.state === 3) node.revisions += 1;
        node.record.revisions = node.revisions;
        node.artifactHash = record.artifact_hash as FakeNode['artifactHash'];
        node.record.artifact_hash = record.artifact_hash;
        node.payOut = membersOf(request)['pay_out'] !== false;
        node.record.pay_out = node.payOut;
        moveNode(state, node, 2);
        tellDelivery(state, node, 'submitted');
      },
    };
  });
}

export function withdrawEarnings(request: ActionRequest): Planned {
  const { state, party } = request;
  const { task_id, node_id } = membersOf(request);
  const [node] = state.tasks
    .filter(({ record }) => task_id === undefined || record.id === task_id)
    .flatMap(({ nodes }) => [...nodes.values()])
    .filter(({ worker, record }) => worker === party && (node_id === undefined || record.id === node_id))
    .filter(({ withdrawable }) => withdrawable > 0n)
    .sort((a, b) => Number(b.withdrawable - a.withdrawable));
  if (node === undefined) throw new Refusal('state_conflict', 'There is nothing to withdraw.');
  const amount = node.withdrawable;
  const recipient = recipientOf(request);
  return {
    task: node.task,
    own: { nodeId: String(node.path), recipient, token: tokenOf(request), amount: String(amount) },
    version: node.version,
    effect: () => {
      node.withdrawable -= amount;
      node.paid += amount;
      tellWithdrawal(state, 'earnings', subjectOf(node), { amount, recipient, party });
    },
  };
}

export function withdrawRefund(request: ActionRequest): Planned {
  const { state, party, params } = request;
  const task = state.visibleTask(params['task_id'], party);
  const address = party.address.toLowerCase();
  const { wallet = address } = request.body as Schemas['RefundWithdrawalBody'];
  // A party has one wallet here, so that no other has anything back.
  const amount = (wallet.toLowerCase() === address && task.refunds.get(address)) || 0n;
  if (amount === 0n) throw new Refusal('state_conflict', 'There is nothing to withdraw.');
  const recipient = recipientOf(request);
  const subject = { kind: 'task', id: task.record.id, task_id: task.record.id };
  return {
    task,
    own: { account: party.address, recipient, token: tokenOf(request), amount: String(amount) },
    version: 0,
    effect: () => {
      // More may have come back since the withdrawal was prepared.
      const left = (task.refunds.get(address) ?? 0n) - amount;
      if (left > 0n) task.refunds.set(address, left);
      else task.refunds.delete(address);
      tellWithdrawal(state, 'refund', subject, { amount, recipient, party });
    },
  };
}

export function tellDelivery(state: MarketState, node: FakeNode, to: string, reason?: unknown): void {
  const newest = state.deliveries.filter(({ record }) => record.node_id === node.record.id).at(-1)?.record;
  if (newest === undefined) return;
  if (to !== 'submitted') newest.status = to;
  if (typeof reason === 'string') newest.rejection_reason = reason;
  const { id, artifact_hash, revision = 1 } = newest;
  state.tell(
    `delivery.${to}` as 'delivery.submitted',
    { kind: 'delivery', id, task_id: node.task.record.id },
    { status: { to }, node_id: node.record.id, revision, artifact_hash },
    partiesOf(state, node),
  );
}
