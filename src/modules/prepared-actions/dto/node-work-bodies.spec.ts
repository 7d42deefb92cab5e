import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { DeliverySubmissionBody, deliveryIn } from './delivery-submission.body.js';
import { DisputeBody, evidenceIn } from './dispute.body.js';
import { RejectionBody, TaskRejectionBody } from './rejection.body.js';
import { ResolutionBody, TaskResolutionBody } from './resolution.body.js';

const HASH = `0x${'aB'.repeat(32)}`;
const delivery = { task_id: 'task_1', artifact_hash: HASH, custody_receipt: 'receipt' };

it.each([
  [ResolutionBody, { resolution: 'accept' }],
  [ResolutionBody, { resolution: 'accept', reason: 'Über\t資料\n' }],
  [TaskResolutionBody, { resolution: 'accept', node_id: 'node_1' }],
  [TaskResolutionBody, { resolution: 'accept' }],
  [RejectionBody, {}],
  [RejectionBody, { reason: 'x'.repeat(2_000) }],
  [TaskRejectionBody, {}],
  [TaskRejectionBody, { reason: 'Short.', node_id: 'node_1' }],
  [DisputeBody, {}],
  [DisputeBody, { evidence_hash: HASH }],
  [DeliverySubmissionBody, delivery],
  [DeliverySubmissionBody, { ...delivery, node_id: 'node_1' }],
  [DeliverySubmissionBody, { ...delivery, pay_out: false }],
])('%p takes %j', (shape, body) => {
  expect(checkedInstance(shape, body, 'invalid_body')).toEqual(Object.assign(new shape(), body));
});

it.each([
  [ResolutionBody, {}],
  [ResolutionBody, { resolution: 'reject' }],
  [ResolutionBody, { resolution: ['accept'] }],
  [ResolutionBody, { resolution: 'accept', reason: '' }],
  [ResolutionBody, { resolution: 'accept', amount: '1' }],
  // The path names the node.
  [ResolutionBody, { resolution: 'accept', node_id: 'node_1' }],
  [RejectionBody, { node_id: 'node_1' }],
  [TaskResolutionBody, { node_id: 'node_1' }],
  [TaskResolutionBody, { resolution: 'accept', node_id: null }],
  [TaskRejectionBody, { node_id: 'a/b' }],
  [TaskRejectionBody, { node_id: 1 }],
  [RejectionBody, { reason: null }],
  [RejectionBody, { reason: 7 }],
  [RejectionBody, { reason: ['no'] }],
  [RejectionBody, { reason: '' }],
  [RejectionBody, { reason: 'x'.repeat(2_001) }],
  [RejectionBody, { reason: 'pay\u202Eee' }],
  [RejectionBody, { reason: 'pay\u0000ee' }],
  [RejectionBody, { reasons: 'x' }],
  [DisputeBody, { evidence_hash: null }],
  [DisputeBody, { evidence_hash: '0x12' }],
  [DisputeBody, { evidence: HASH }],
  [DeliverySubmissionBody, { ...delivery, task_id: 'a/b' }],
  [DeliverySubmissionBody, { ...delivery, artifact_hash: HASH.slice(2) }],
  [DeliverySubmissionBody, { ...delivery, custody_receipt: '' }],
  [DeliverySubmissionBody, { ...delivery, custody_receipt: 'x'.repeat(513) }],
  [DeliverySubmissionBody, { ...delivery, node_id: null }],
  [DeliverySubmissionBody, { ...delivery, pay_out: null }],
  [DeliverySubmissionBody, { ...delivery, pay_out: 'false' }],
  [DeliverySubmissionBody, { task_id: 'task_1', artifact_hash: HASH }],
  [DeliverySubmissionBody, { ...delivery, principal: 'acct_1' }],
])('%p refuses %j', (shape, body) => {
  expect(() => checkedInstance(shape, body, 'invalid_body')).toThrow(expect.objectContaining({ code: 'invalid_body' }));
});

it('digests are taken in lower case, as custody keeps them', () => {
  expect(deliveryIn(Object.assign(new DeliverySubmissionBody(), delivery))).toEqual({
    taskId: 'task_1',
    artifactHash: HASH.toLowerCase(),
    custodyReceipt: 'receipt',
    payOut: true,
  });
  expect(deliveryIn(Object.assign(new DeliverySubmissionBody(), delivery, { pay_out: false })).payOut).toBe(false);
  expect(evidenceIn({ evidence_hash: HASH as never })).toEqual({ evidenceHash: HASH.toLowerCase() });
  expect(evidenceIn({})).toEqual({});
});
