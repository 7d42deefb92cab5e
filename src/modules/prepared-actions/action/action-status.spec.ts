import { type EscrowFact, nodeNonce } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { actionStatusOf, FINAL_AFTER_BLOCKS, HINT_MS, type IndexedFact, type StatusInput } from './action-status.js';

const WALLET: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const ID: Hex = `0x${'a1'.repeat(32)}`;
const NOW = Date.UTC(2026, 10, 20, 12);

const action = {
  actionIdHash: ID,
  walletAddress: WALLET,
  nonce: 300n,
  expiresAt: new Date(NOW + 1000),
  validUntil: new Date(NOW + 61_000),
  signature: null,
  transactionHash: null,
  submittedAt: null,
  secondHash: null,
  secondAt: null,
  openedAt: null,
  declinedAt: null,
};
const SENT = `0x${'55'.repeat(32)}`;
const signed = { ...action, signature: '0x01' };
const sent = { ...action, transactionHash: SENT, submittedAt: new Date(NOW) };
const tipAt = (number: number, timeMs = NOW): StatusInput['tip'] => ({ number, timeMs });

function indexed(fact: EscrowFact, blockNumber = 100): IndexedFact {
  return { fact, blockNumber, transactionHash: `0x${'77'.repeat(32)}` };
}

function consumed(change: Partial<Extract<EscrowFact, { type: 'ActionConsumed' }>> = {}): IndexedFact {
  return indexed({ type: 'ActionConsumed', actionId: ID, signer: WALLET, nonce: 300n, requestDigest: ID, ...change });
}

function statusOf(change: Partial<StatusInput>) {
  const nothing = { facts: [], isPaidBy: null, transaction: null, nodeVersion: null, stateMovedOn: false };
  const quiet = { action, tip: tipAt(100), ...nothing };
  return actionStatusOf({ ...quiet, nowMs: NOW, ...change });
}

describe('the status of an action', () => {
  it('is prepared while nothing has happened', () => {
    expect(statusOf({})).toEqual({ status: 'prepared', transactionHash: null });
  });

  it('is opened once a person has opened it, and declined once they have said no', () => {
    const openedAt = new Date(NOW);
    const opened = { ...action, openedAt };
    expect(statusOf({ action: opened }).status).toBe('opened');
    expect(statusOf({ action: { ...opened, signature: '0x01' } }).status).toBe('signed');
    const declined = { ...opened, declinedAt: openedAt };
    expect(statusOf({ action: declined }).status).toBe('declined');
    expect(statusOf({ action: declined, nowMs: NOW + 5000, stateMovedOn: true }).status).toBe('declined');
    expect(statusOf({ action: declined, facts: [consumed()] }).status).toBe('confirmed');
  });

  it('is confirmed with its transaction once its own wallet has used its own nonce for it', () => {
    expect(statusOf({ facts: [consumed()] })).toEqual({ status: 'confirmed', transactionHash: `0x${'77'.repeat(32)}` });
  });

  it('is final exactly when enough blocks lie above it', () => {
    const facts = [consumed()];
    expect(statusOf({ facts, tip: tipAt(100 + FINAL_AFTER_BLOCKS - 1) }).status).toBe('confirmed');
    expect(statusOf({ facts, tip: tipAt(100 + FINAL_AFTER_BLOCKS) }).status).toBe('final');
  });

  it('stays confirmed after it expired and after the state moved on', () => {
    expect(statusOf({ facts: [consumed()], nowMs: NOW + 5000, stateMovedOn: true }).status).toBe('confirmed');
  });

  it('cannot be confirmed by another wallet that writes its id into an action of its own', () => {
    expect(statusOf({ facts: [consumed({ signer: OTHER })] }).status).toBe('prepared');
    expect(statusOf({ facts: [consumed({ nonce: 301n })] }).status).toBe('prepared');
  });

  it('is confirmed by the payment that it was signed for, where it has no call, and only once it was signed', () => {
    const payment = (nodeId: bigint): IndexedFact => indexed({ type: 'NodeFunded', nodeId } as EscrowFact);
    const isPaidBy = ({ nodeId }: { nodeId: bigint }) => nodeId === 1n;
    const paid = {
      facts: [consumed({ actionId: `0x${'b2'.repeat(32)}` }), payment(1n)],
      isPaidBy,
      nodeVersion: 3,
      stateMovedOn: true,
    };
    expect(statusOf({ ...paid, action: signed })).toEqual({
      status: 'confirmed',
      transactionHash: `0x${'77'.repeat(32)}`,
    });
    expect(statusOf({ ...paid, action: signed, tip: tipAt(100 + FINAL_AFTER_BLOCKS) }).status).toBe('final');
    expect(statusOf(paid).status).toBe('superseded');
    expect(statusOf({ ...paid, action: signed, facts: [payment(2n)] }).status).toBe('superseded');
    expect(statusOf({ action: signed, isPaidBy, facts: [payment(2n)] }).status).toBe('signed');
  });

  it('is superseded when its wallet used the nonce for something else', () => {
    expect(statusOf({ facts: [consumed({ actionId: `0x${'b2'.repeat(32)}` })] }).status).toBe('superseded');
  });

  it.each([
    ['its own bit', 1n, 1n << 44n, WALLET, 'superseded'],
    ['another bit', 1n, 1n << 45n, WALLET, 'prepared'],
    ['another word', 0n, 1n << 44n, WALLET, 'prepared'],
    ['another wallet', 1n, 1n << 44n, OTHER, 'prepared'],
  ] as const)('follows cancelled nonces of %s', (_what, word, mask, signer, status) => {
    expect(statusOf({ facts: [indexed({ type: 'NoncesInvalidated', signer, word, mask })] }).status).toBe(status);
  });

  it('is superseded once its node is past the version that its nonce names, whoever moved it on', () => {
    const third = { ...action, nonce: nodeNonce(7n, 3) };
    const at = (nodeVersion: number | null, change = {}) => statusOf({ action: { ...third, ...change }, nodeVersion });
    expect([at(null), at(2), at(3)].map(({ status }) => status)).toEqual(['prepared', 'prepared', 'prepared']);
    expect(at(4).status).toBe('superseded');
    expect(at(4, { declinedAt: new Date(NOW) }).status).toBe('superseded');
    const late = { action: third, nodeVersion: 4, nowMs: NOW + 61_001, tip: tipAt(100, NOW + 62_000) };
    expect(statusOf(late).status).toBe('superseded');
  });

  it('is confirmed at a later version when it is what moved the node on', () => {
    const nonce = nodeNonce(7n, 3);
    const facts = [consumed({ nonce })];
    expect(statusOf({ action: { ...action, nonce }, facts, nodeVersion: 4 }).status).toBe('confirmed');
    expect(statusOf({ action: { ...action, nonce: nodeNonce(7n, 4) }, facts, nodeVersion: 4 }).status).toBe('prepared');
  });

  it('is superseded when the state of the node moved on', () => {
    expect(statusOf({ stateMovedOn: true }).status).toBe('superseded');
  });

  it('is expired from the millisecond after its time', () => {
    expect(statusOf({ nowMs: NOW + 1000 }).status).toBe('prepared');
    expect(statusOf({ nowMs: NOW + 1001, stateMovedOn: true }).status).toBe('expired');
  });

  it('is signed until the last second of its signature, which outlives the time to sign', () => {
    expect(statusOf({ action: signed, nowMs: NOW + 61_000 }).status).toBe('signed');
    expect(statusOf({ action: signed, nowMs: NOW + 61_001 }).status).toBe('expired');
    expect(statusOf({ action: signed, stateMovedOn: true }).status).toBe('superseded');
  });

  it.each<[string, StatusInput['transaction'], string]>([
    ['was not seen', { kind: 'unseen' }, 'unknown'],
    ['cannot be asked for', { kind: 'unreachable' }, 'unknown'],
    ['waits for a block', { kind: 'pending' }, 'submitted'],
    ['is in a block that the index has not reached', { kind: 'mined', blockNumber: 101 }, 'submitted'],
    ['failed in a block', { kind: 'reverted', blockNumber: 90 }, 'failed'],
    ['was about something else', { kind: 'mined', blockNumber: 100 }, 'prepared'],
  ])('follows the transaction that was handed in: %s', (_what, transaction, status) => {
    expect(statusOf({ action: sent, transaction })).toEqual({ status, transactionHash: SENT });
  });

  it('is never failed or expired while a transaction could still be mined and the chain cannot be asked about it', () => {
    const transaction = { kind: 'unreachable' as const };
    expect(statusOf({ action: sent, transaction, nowMs: NOW + 61_001 }).status).toBe('unknown');
    expect(statusOf({ action: sent, transaction, tip: tipAt(100, NOW + 61_000) }).status).toBe('unknown');
    expect(statusOf({ action: sent, transaction, tip: tipAt(100, NOW + 62_000) }).status).toBe('expired');
  });

  describe('with a transaction that the chain does not know', () => {
    const transaction = { kind: 'unseen' as const };
    const lasting = { ...sent, expiresAt: new Date(NOW + 2 * HINT_MS), validUntil: new Date(NOW + 3 * HINT_MS) };

    it('is unknown for two minutes, and then the status that it has without the transaction', () => {
      const at = (nowMs: number, change = {}) => statusOf({ action: { ...lasting, ...change }, transaction, nowMs });
      expect(at(NOW + HINT_MS - 1)).toEqual({ status: 'unknown', transactionHash: SENT });
      expect(at(NOW + HINT_MS)).toEqual({ status: 'prepared', transactionHash: null });
      expect(at(NOW + HINT_MS, { signature: '0x01' })).toEqual({ status: 'signed', transactionHash: null });
      expect(at(NOW + HINT_MS, { openedAt: new Date(NOW) }).status).toBe('opened');
    });

    it('ends as it would without the transaction', () => {
      const short = { ...lasting, expiresAt: new Date(NOW + 1000) };
      expect(statusOf({ action: short, transaction, nowMs: NOW + 1001 }).status).toBe('expired');
      expect(statusOf({ action: lasting, transaction, stateMovedOn: true }).status).toBe('superseded');
      expect(statusOf({ action: { ...lasting, declinedAt: new Date(NOW) }, transaction }).status).toBe('declined');
      expect(statusOf({ action: lasting, transaction, facts: [consumed()] }).status).toBe('confirmed');
    });

    it('is the status without the transaction when the time of its submission is not known', () => {
      expect(statusOf({ action: { ...lasting, submittedAt: null }, transaction }).status).toBe('prepared');
    });
  });
});
