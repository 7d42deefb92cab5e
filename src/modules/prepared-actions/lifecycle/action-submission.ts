import type { Hex } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import { checkedInstance } from '../../../platform/http/input/input-shape.js';
import { ActionSubmissionBody } from '../dto/action-submission.body.js';

/** What a wallet has made of an action: its signature, or the transaction it has sent. */
export type ActionSubmission = { readonly signature: Hex } | { readonly transactionHash: Hex };

/** The submission in a checked body. @throws ApiError `invalid_body` unless exactly one of its members is present. */
export function submissionIn({ signature, transaction_hash: transactionHash }: ActionSubmissionBody): ActionSubmission {
  if (signature !== undefined && transactionHash === undefined) return { signature };
  if (transactionHash !== undefined && signature === undefined) return { transactionHash };
  throw new ApiError('invalid_body', 'Exactly one of signature and transaction_hash is handed in.');
}

/** As `submissionIn`, for a body that nobody has checked yet. @throws ApiError `invalid_body`. */
export function readSubmission(body: object): ActionSubmission {
  const checked = checkedInstance(ActionSubmissionBody, body, 'invalid_body');
  if (!(checked instanceof ActionSubmissionBody)) throw new TypeError('A checked body is of its class');
  return submissionIn(checked);
}
