import type { ActionStatus } from '#libs/prepared-action';
import { type ActionMembers, actionMembers } from '../prepared-actions/action/action-envelope.js';
import type { PreparedActionEntity } from '../prepared-actions/action/prepared-action.entity.js';
import type { ApprovalPageContent } from './pages/approval-page-content.js';
import { endedHeading, kindWords, waitsFor } from './pages/approval-copy.js';

/** What a link tells a program whose action is not open in its browser: as much as the page tells. */
export interface ClosedSummary {
  status: ActionStatus;
  summary: string;
  chain_id: number;
  wallet_ending: string;
  expires_at: string;
  notice: string;
}

/** The page for programs (`Accept: application/json`) that have the action open. */
export interface SigningSummary {
  status: ActionStatus;
  status_text: string;
  summary: string;
  match_code: string;
  how_to_sign: readonly string[];
  transaction_hash?: string;
  action: ActionMembers;
  payload: Record<string, unknown>;
}

const CLOSED_NOTICE =
  'Only the wallet that is to sign sees what this is about: open the link in a browser. Programs of the principal read ' +
  'the action with getAction.';

/** As the closed pages say it. */
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

/** As the whole page says it. */
export function signingSummary(content: ApprovalPageContent): SigningSummary {
  const { action, status, transactionHash, description, matchCode } = content;
  return {
    status,
    status_text: statusText(status, action),
    summary: description?.sentence ?? 'This page does not know this kind of action.',
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

/** What to do with the typed data, in sentences. */
function howToSign({ walletAddress, chainId }: PreparedActionEntity): string[] {
  return [
    `Use the wallet ${walletAddress} on chain ${chainId}; no other signature is accepted.`,
    'Either send `payload.transaction` from that wallet: eth_sendTransaction with the object as it stands.',
    'Or sign with eth_signTypedData_v4(wallet, payload) and let anyone send the same call with the signature put into ' +
      'its authorisation.',
    'Compare what the wallet shows with this page before confirming.',
  ];
}
