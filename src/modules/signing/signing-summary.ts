import { type ActionStatus, holdsOnceSigned } from '#libs/prepared-action';
import type { MoneyDto } from '../../platform/http/input/money.dto.js';
import { type ActionMembers, actionMembers, remainingOf } from '../prepared-actions/action/action-envelope.js';
import type { PreparedActionEntity } from '../prepared-actions/action/prepared-action.entity.js';
import type { ApprovalPageContent } from './pages/approval-page-content.js';
import { endedHeading, kindWords, waitsFor } from './pages/approval-copy.js';

/** JSON of a link for a program that does not have the action open; it says as much as the closed page. */
export interface ClosedSummary {
  status: ActionStatus;
  summary: string;
  chain_id: number;
  wallet_ending: string;
  expires_at: string;
  notice: string;
}

/** JSON of the approval page (`Accept: application/json`) for a program that has the action open. */
export interface SigningSummary {
  status: ActionStatus;
  status_text: string;
  summary: string;
  /** What a withdrawal leaves for the next one. */
  remaining?: MoneyDto;
  match_code: string;
  how_to_sign: readonly string[];
  transaction_hash?: string;
  action: ActionMembers;
  payload: Record<string, unknown>;
}

const CLOSED_NOTICE =
  'Only the wallet that is to sign sees what this is about: open the link in a browser. Programs of the principal read ' +
  'the action with getAction.';

const SIGN = 'Sign with eth_signTypedData_v4(wallet, payload)';

/** The content of the closed page as JSON. */
export function closedSummary(action: PreparedActionEntity, status: ActionStatus): ClosedSummary {
  return {
    status,
    summary: kindWords(action.kind),
    chain_id: Number(action.chainId),
    wallet_ending: action.walletAddress.slice(-4),
    expires_at: action.expiresAt.toISOString(),
    notice: CLOSED_NOTICE,
  };
}

/** The content of the full page as JSON. */
export function signingSummary(content: Omit<ApprovalPageContent, 'spending'>): SigningSummary {
  const { action, status, transactionHash, description, matchCode } = content;
  return {
    status,
    status_text: statusText(status, action),
    summary: description?.sentence ?? 'This page does not know this kind of action.',
    ...remainingOf(action),
    match_code: matchCode,
    how_to_sign: howToSign(action),
    ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
    action: actionMembers(action),
    payload: action.payload,
  };
}

function statusText(status: ActionStatus, action: PreparedActionEntity): string {
  switch (waitsFor(status, action)) {
    case 'signature':
      return 'Not signed yet.';
    case 'sending':
      return 'Signed, not sent yet.';
    case null:
      return endedHeading(status, action);
  }
}

/** Instructions for signing the typed data. */
function howToSign({ kind, walletAddress, chainId, payload }: PreparedActionEntity): string[] {
  return [
    `Use the wallet ${walletAddress} on chain ${chainId}; no other signature is accepted.`,
    ...waysToSign(kind, payload),
    'Compare what the wallet shows with this page before confirming.',
  ];
}

/** What can be done with a payload: not every one has calls to send, and a permit is of use to its wallet alone. */
function waysToSign(kind: string, payload: Readonly<Record<string, unknown>>): string[] {
  if (holdsOnceSigned(kind)) return [`${SIGN} and hand the signature in; there is nothing to send.`];
  const sent =
    payload['transaction'] !== undefined
      ? 'Either send `payload.transaction` from that wallet: eth_sendTransaction with the object as it stands.'
      : payload['calls'] !== undefined
        ? 'Either send all of `payload.calls` from that wallet, in their order: wallet_sendCalls, or one by one.'
        : null;
  const signed =
    payload['primaryType'] === 'Permit'
      ? `${SIGN} and hand the signature in. Only that wallet can then send the call that comes back.`
      : `${SIGN} and hand the signature in. Anyone can then send the call that comes back.`;
  return sent === null ? [signed] : [sent, `Or ${signed.charAt(0).toLowerCase()}${signed.slice(1)}`];
}
