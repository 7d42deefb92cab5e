import type { ReadyCall } from '#libs/approval-wire';
import type { Screen } from '../approval/flow/screen.js';
import type { ApprovalEvent } from '../approval/flow/state.js';
import { KIND_FIXTURES } from './kinds.js';
import * as sample from './sample.js';

/** The events by which a page comes to a screen, from the moment it is opened. */
type Scenario = readonly ApprovalEvent[];

const { document, verdict, wallet, account, findings, simulation, NOW_MS } = sample;
const call: ReadyCall = {
  to: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  data: '0x',
  value: '0x0',
  chainId: '0x7a69',
};

const validUntil = new Date(NOW_MS + 762_000).toISOString();

const arrived = (changes: Partial<typeof document> = {}): ApprovalEvent => ({
  type: 'document_arrived',
  document: { ...document, ...changes },
  nowMs: NOW_MS,
  skewMs: 0,
});
const verified = (changes: Partial<typeof verdict> = {}): ApprovalEvent => ({
  type: 'verified',
  verdict: { ...verdict, ...changes },
});
const failing = (failed: Readonly<Record<number, string>>): ApprovalEvent =>
  verified({ checks: sample.checks(failed), isSignable: false });
const simulated = (changes: Partial<typeof simulation> = {}): ApprovalEvent => ({
  type: 'simulation_arrived',
  simulation: { ...simulation, ...changes },
});
const found = (changes: Partial<typeof findings> = {}): ApprovalEvent => ({
  type: 'findings_arrived',
  findings: { ...findings, ...changes },
});
const walletFailed = (
  during: 'connect' | 'sign' | 'send',
  kind: 'rejected' | 'pending' | 'dropped' | 'other',
  code: number | null,
): ApprovalEvent => ({ type: 'wallet_failed', during, failure: { kind, code } });
const progressed = (status: 'submitted' | 'confirmed' | 'final' | 'failed' | 'unknown'): ApprovalEvent => ({
  type: 'progress_arrived',
  progress: {
    status,
    transaction_hash: sample.TRANSACTION,
    ...(status === 'confirmed' || status === 'final'
      ? { block: 31_443, final_at_block: 33_243, head_block: 31_450, receipt_path: '/account/receipts' }
      : {}),
  },
});

const loaded: Scenario = [{ type: 'wallet_found', wallet }, arrived(), verified()];
const connected: Scenario = [...loaded, { type: 'connected', wallet, account }, verified()];
const ready: Scenario = [...connected, found(), simulated()];
const asked: Scenario = [...ready, { type: 'wallet_asked', call: null }];
const submitting: Scenario = [...asked, { type: 'signature_made', signature: '0xaa' }];
const signed: Scenario = [...submitting, { type: 'signature_taken', call }];
const sent: Scenario = [...signed, { type: 'wallet_asked', call }, { type: 'sent', hash: sample.TRANSACTION }];

/** For every screen the events that lead to it, and variants of some screens. */
export const FIXTURES: Readonly<Record<Screen, Scenario>> & Readonly<Record<string, Scenario>> = {
  loading: [],
  offline: [...connected, { type: 'online_changed', isOnline: false }],
  service_away: [{ type: 'document_missing', why: 'away' }],
  opened_elsewhere: [{ type: 'document_missing', why: 'lost' }],
  unreadable: [{ type: 'document_missing', why: 'unreadable' }],
  expired: [...loaded, { type: 'tick', nowMs: NOW_MS + 702_000 }],
  declined: [...loaded, { type: 'declined' }],
  superseded: [arrived({ status: 'superseded' }), verified()],
  already_signed: [arrived({ status: 'signed', action: { ...document.action, kind: 'create_task' } }), verified()],
  unknown_kind: [arrived(), verified({ description: null, isSignable: false })],
  check_failed: [
    ...loaded,
    failing({
      6: 'The contract is 0x5FbDB2315678afecb367f032d93F642f64180bb3, not the escrow.',
      13: 'The amount is “2500.00 USDC”.',
    }),
  ],
  state_moved: [...loaded, failing({ 12: 'The job is no longer “funded”: it is “delivered” now.' })],
  no_wallet: [{ type: 'wallet_search_ended' }, arrived(), verified()],
  choose_wallet: loaded,
  choose_wallet_declined: [...loaded, walletFailed('connect', 'rejected', 4001)],
  connecting: [...loaded, { type: 'connect_asked', wallet }],
  wallet_locked: [...loaded, { type: 'connect_asked', wallet }, { type: 'wallet_is_slow' }],
  wrong_wallet: [...loaded, { type: 'connected', wallet, account: sample.stranger }, verified()],
  wrong_chain: [...loaded, { type: 'connected', wallet, account: { ...account, chainId: 1 } }, verified()],
  checking: connected,
  node_away: [...connected, found({ reading: null }), simulated(), verified({ isSignable: false })],
  sources_differ: [...connected, found({ reading: { ...sampleReading(), usdcBalance: 1_000_000_000n } }), simulated()],
  insufficient_usdc: [
    ...connected,
    found({ reading: { ...sampleReading(), usdcBalance: 180_000_000n } }),
    simulated({ balances: [] }),
  ],
  would_revert: [...ready, simulated({ would_revert: { reason: 'The escrow is paused.' } })],
  insufficient_gas: [...ready, found({ gasBalance: 0n })],
  not_previewed: [...ready, simulated({ source: 'unavailable', balances: [], gas: null, block: null })],
  ready,
  ready_irreversible: [...ready, verified({ description: sample.irreversible })],
  ready_confirmed: [
    ...ready,
    verified({ description: sample.irreversible }),
    { type: 'confirmed_changed', isConfirmed: true },
  ],
  ready_smart_wallet: [
    ...loaded,
    { type: 'connected', wallet, account: { ...account, isContract: true } },
    verified(),
    found(),
    simulated(),
  ],
  ready_fee_paid: [
    ...loaded,
    { type: 'connected', wallet, account: { ...account, canBundle: true, takesPaymaster: true } },
    found({ gasBalance: 0n }),
    simulated(),
    verified(),
  ],
  ready_device_link: [...ready, { type: 'link_made', link: sample.link }],
  ready_hostile: hostile(),
  waiting: asked,
  waiting_slow: [...asked, { type: 'wallet_is_slow' }],
  rejected: [...asked, walletFailed('sign', 'rejected', 4001)],
  pending_in_wallet: [...asked, walletFailed('sign', 'pending', -32002)],
  wallet_error: [...asked, walletFailed('sign', 'other', -32603)],
  wallet_dropped: [...asked, { type: 'sent', hash: null }, walletFailed('sign', 'dropped', null)],
  submitting,
  unsent: [...submitting, { type: 'submission_away', signature: '0xaa' }],
  submission_refused: [
    ...submitting,
    { type: 'service_refused', during: 'submit', reason: 'The chain no longer allows this action.' },
  ],
  signature_invalid: [...submitting, { type: 'signature_refused', reason: 'invalid', detail: '' }],
  smart_wallet_inactive: [...submitting, { type: 'signature_refused', reason: 'inactive', detail: '' }],
  foreign_call: [...submitting, { type: 'signature_refused', reason: 'foreign_call', detail: '' }],
  signed: [...submitting, { type: 'signature_taken', call: null }],
  send_ready: signed,
  send_ready_again: [
    ...connected,
    arrived({ status: 'signed', signed: { signature: '0xaa', transaction: call, valid_until: validUntil } }),
    verified(),
    found(),
    simulated(),
  ],
  ready_hint: [...ready, arrived({ status: 'unknown', transaction_hash: sample.TRANSACTION })],
  send_ready_declined: [...signed, { type: 'wallet_asked', call }, walletFailed('send', 'rejected', 4001)],
  send_ready_dropped: [
    ...signed,
    { type: 'wallet_asked', call },
    { type: 'sent', hash: null },
    walletFailed('send', 'dropped', null),
  ],
  opened_elsewhere_later: [...ready, { type: 'document_missing', why: 'lost' }],
  sending: [...sent, progressed('submitted')],
  unseen: [...sent, progressed('unknown')],
  confirmed: [...sent, progressed('confirmed')],
  final: [...sent, progressed('final')],
  reverted: [...sent, progressed('failed')],
  ...KIND_FIXTURES,
};

function sampleReading() {
  return { source: 'wallet', chainId: 31_337, escrow: 'clone', blockNumber: 31_442 } as const;
}

/** Names and a sentence that are hostile and must be shown as mere text. */
function hostile(): Scenario {
  const words = '</h1><script>window.owned=1</script>\u202Egnp.exe\u200B'.repeat(40);
  const wallet = { ...sample.wallet, name: '<img src=x onerror="window.owned=1">' };
  return [
    { type: 'wallet_found', wallet },
    arrived({ requester: { kind: 'application', name: words } }),
    { type: 'connected', wallet, account },
    verified({ description: { ...sample.description, sentence: words } }),
    found(),
    simulated(),
  ];
}
