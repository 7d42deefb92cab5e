import type { Type } from '@nestjs/common';
import { isIdentifier } from '#libs/kernel';
import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import type { KindInputs, PreparableKind } from '../registry/action-kind.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import { CreateTaskBody, draftIn } from '../dto/create-task.body.js';
import { deliveryIn, DeliverySubmissionBody } from '../dto/delivery-submission.body.js';
import { DisputeBody, evidenceIn } from '../dto/dispute.body.js';
import { FundingBody, fundingIn } from '../dto/funding.body.js';
import { QuoteBody, quoteIn } from '../dto/quote.body.js';
import { RejectionBody, rejectionIn } from '../dto/rejection.body.js';
import { SelectionBody, selectionIn } from '../dto/selection.body.js';
import { SubcontractBody, subcontractIn } from '../dto/subcontract.body.js';
import { earningsIn, EarningsWithdrawalBody, refundIn, RefundWithdrawalBody } from '../dto/withdrawal.body.js';

/** Reads what a kind takes out of a request that was stored. */
type Reader<Input> = (request: OriginatingRequest) => Input;

/** As the routes read it: what is stored passed their checks, and passes them again because rules may have changed. */
const READERS: { readonly [K in PreparableKind]: Reader<KindInputs[K]> } = {
  create_task: ({ body }) => ({ draft: draftIn(checked(CreateTaskBody, body)) }),
  submit_quote: ({ body }) => quoteIn(checked(QuoteBody, body)),
  select_agent: ({ params, body }) => ({
    taskId: idIn(params, 'task_id'),
    ...selectionIn(checked(SelectionBody, body)),
  }),
  fund_task: ({ params, body }) => ({ taskId: idIn(params, 'task_id'), ...fundingIn(checked(FundingBody, body)) }),
  subcontract: ({ params, body }) => ({ ...nodeIn(params), ...subcontractIn(checked(SubcontractBody, body)) }),
  abandon_node: ({ params }) => nodeIn(params),
  deliver: ({ body }) => deliveryIn(checked(DeliverySubmissionBody, body)),
  resolve_task: ({ params }) => reviewIn(params),
  reject_task: ({ params, body }) => ({ ...reviewIn(params), ...rejectionIn(checked(RejectionBody, body)) }),
  dispute_node: ({ params, body }) => ({ ...nodeIn(params), ...evidenceIn(checked(DisputeBody, body)) }),
  claim_non_delivery: ({ params }) => nodeIn(params),
  withdraw_earnings: ({ body }) => earningsIn(checked(EarningsWithdrawalBody, body)),
  withdraw_refund: ({ params, body }) => ({
    taskId: idIn(params, 'task_id'),
    ...refundIn(checked(RefundWithdrawalBody, body)),
  }),
};

/**
 * What the operation of the kind would take of a stored request.
 * @throws ApiError `invalid_body` when the body would not be taken today.
 */
export function inputOf<K extends PreparableKind>(kind: K, request: OriginatingRequest): KindInputs[K] {
  return READERS[kind](request);
}

function checked<Body extends object>(shape: Type<Body>, body: object = {}): Body {
  const instance = checkedInstance(shape, body, 'invalid_body');
  if (!(instance instanceof shape)) throw new TypeError('A checked body is of its class');
  return instance;
}

function nodeIn(params: OriginatingRequest['params']): { taskId: string; nodeId: string } {
  return { taskId: idIn(params, 'task_id'), nodeId: idIn(params, 'node_id') };
}

/** The task's own operations name no node. */
function reviewIn(params: OriginatingRequest['params']): { taskId: string; nodeId: string | null } {
  return { taskId: idIn(params, 'task_id'), nodeId: 'node_id' in params ? idIn(params, 'node_id') : null };
}

function idIn(params: OriginatingRequest['params'], name: string): string {
  const id = params[name];
  if (id === undefined || !isIdentifier(id)) throw new TypeError(`A stored request has no ${name}`);
  return id;
}
