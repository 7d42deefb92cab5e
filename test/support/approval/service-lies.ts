import { lookAlike } from './hostile-service.js';

/** What a service may lie about, in the answer that prepares an action or that takes its signature. */

const OTHER = '0x00000000000000000000000000000000000000aa';
const LATE = '2100-01-01T00:00:00.000Z';

/** A lie, the name of the check that finds it on the approval page, and what it changes of the answer. */
export type Lie = [what: string, check: string, change: (document: any) => void];

/** About a payment by the token's own message. */
export const FUNDING_LIES: Lie[] = [
  ['another kind', 'kind', ({ action }) => (action.kind = 'withdraw_refund')],
  ['another principal', 'principal', ({ action }) => (action.principal = 'acct_other')],
  ['another wallet', 'wallet', ({ action }) => (action.wallet_address = OTHER)],
  ['another task', 'target', ({ action }) => (action.task_id = 'task_01k90000000000000000000000')],
  ['another node', 'target', ({ action }) => (action.node_id = `${action.task_id.replace('task', 'node')}_2`)],
  ['another chain', 'chain', ({ action }) => (action.payload.domain.chainId = 1)],
  ['another chain in the envelope', 'chain', ({ action }) => (action.chain_id = 8453)],
  ['another token', 'contract', ({ action }) => (action.payload.domain.verifyingContract = OTHER)],
  ['another receiver', 'contract', ({ action }) => (action.payload.message.to = OTHER)],
  [
    'a receiver that looks alike',
    'contract',
    ({ action }) => (action.payload.message.to = lookAlike(action.payload.message.to)),
  ],
  ['another escrow', 'contract', ({ action }) => (action.escrow_address = OTHER)],
  [
    'an escrow that looks alike',
    'contract',
    ({ action }) => (action.escrow_address = lookAlike(action.escrow_address)),
  ],
  ['a struct more', 'schema', ({ action }) => (action.payload.types.Extra = [{ name: 'a', type: 'uint256' }])],
  ['a member more', 'schema', ({ action }) => (action.payload.message.extra = '1')],
  ['another primary type', 'schema', ({ action }) => (action.payload.primaryType = 'TransferWithAuthorization')],
  ['another amount', 'members', ({ action }) => (action.payload.message.value = '250000000')],
  ['a stale nonce', 'binding', ({ action }) => (action.nonce = String(BigInt(action.nonce) - 1n))],
  ['another floor', 'binding', ({ action }) => (action.payload.authorizes.message.terms.floor = '0')],
  ['fewer revisions', 'binding', ({ action }) => (action.payload.authorizes.message.terms.maxRevisions = '0')],
  ['less time to work', 'binding', ({ action }) => (action.payload.authorizes.message.terms.workSeconds = '86400')],
  ['another way to pay', 'schema', ({ action }) => (action.payload.authorizes.message.fundingMode = '0')],
  ['a payment that ends early', 'binding', ({ action }) => (action.payload.message.validBefore = '1')],
  ['a payment for another action', 'binding', ({ action }) => (action.payload.message.nonce = `0x${'7'.repeat(64)}`)],
  ['another digest of the request', 'request', ({ action }) => (action.request_digest = `0x${'7'.repeat(64)}`)],
  ['another request', 'request', (document) => (document.request.body = { funding_mode: 'permit' })],
  ['a far end', 'expiry', ({ action }) => (action.expires_at = LATE)],
  ['a page elsewhere', 'signing_url', ({ action }) => (action.signing_url = 'https://evil.example/sign/abc')],
];

/** About an action of the escrow itself. */
export const ABANDONMENT_LIES: Lie[] = [
  ['another amount', 'digest', ({ action }) => (action.payload.message.amount = '1')],
  ['another node', 'target', ({ action }) => (action.payload.message.nodeId = '2')],
  ['a stale nonce', 'binding', ({ action }) => (action.payload.message.nonce = '0')],
  ['the nonce of a later state', 'digest', ({ action }) => renumber(action, BigInt(action.nonce) + 1n)],
  ['the nonce of another node', 'binding', ({ action }) => renumber(action, (2n << 8n) | 1n)],
  ['another end', 'binding', ({ action }) => (action.payload.message.validUntil = '4000000000')],
  ['another contract', 'contract', ({ action }) => (action.payload.domain.verifyingContract = OTHER)],
  ['a struct of another kind', 'schema', ({ action }) => (action.payload.primaryType = 'Deliver')],
  ['a member of another type', 'schema', ({ action }) => (action.payload.types.AbandonNode[2].type = 'uint128')],
  ['a call to somebody else', 'contract', ({ action }) => (action.payload.transaction.to = OTHER)],
];

/** About the call that comes back for a signature. */
export const CALL_LIES: [what: string, change: (answer: any) => void][] = [
  ['to somebody else', ({ transaction }) => (transaction.to = OTHER)],
  ['with ether', ({ transaction }) => (transaction.value = '0xde0b6b3a7640000')],
  ['of another function', ({ transaction }) => (transaction.data = `0xa9059cbb${transaction.data.slice(10)}`)],
  ['of another node', ({ transaction }) => (transaction.data = transaction.data.replace(/(0{63})1/, '$12'))],
  ['with another signature', ({ transaction }) => (transaction.data = changedDigit(transaction.data))],
];

/** Gives envelope and message another nonce. */
function renumber(action: any, nonce: bigint): void {
  action.nonce = nonce.toString();
  action.payload.message.nonce = action.nonce;
}

/** Changes one digit inside the signature, which is the last argument, before the zero padding of its last word. */
function changedDigit(data: string): string {
  const at = data.replace(/0*$/, '').length - 12;
  return `${data.slice(0, at)}${data[at] === '1' ? '2' : '1'}${data.slice(at + 1)}`;
}
