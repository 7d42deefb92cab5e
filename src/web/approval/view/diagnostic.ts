import type { Screen } from '../flow/screen.js';
import type { ApprovalState } from '../flow/state.js';

/**
 * A report for somebody who looks for the cause of a failure: what was asked, and which checks failed. It holds neither
 * the link, which is a credential, nor a signature, nor the words of other people.
 */
export function diagnosticOf({ facts, document, verdict, nowMs, connection }: ApprovalState, screen: Screen): string {
  const report = {
    page: 'approval',
    screen,
    at: nowMs === 0 ? null : new Date(nowMs).toISOString(),
    action_id: facts.actionId,
    asked_kind: facts.kind,
    received_kind: document?.action.kind.slice(0, 64) ?? null,
    chain_id: facts.deployment.chainId,
    escrow: facts.escrow,
    digest_on_the_page: facts.digest,
    wallet: connection.at === 'none' ? null : (connection.wallet.rdns ?? connection.wallet.name),
    failed_checks: (verdict?.checks ?? [])
      .filter(({ status }) => status === 'failed')
      .map(({ number, name }) => ({ number, name })),
  };
  return JSON.stringify(report, null, 2);
}
