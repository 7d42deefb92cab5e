import type { Check, Description } from '#libs/prepared-action';
import { type ApprovalDocument, type LinkAnswer, screenTexts, type SimulationAnswer } from '#libs/approval-wire';
import type { PageFacts } from '../approval/service/page-facts.js';
import type { Account, Verdict, WalletFindings } from '../approval/flow/state.js';
import type { Wallet } from '../wallets/discovery.js';

/** The present moment of every sample. */
export const NOW_MS = Date.UTC(2026, 10, 24, 12, 0, 0);

/** The signing origin of the samples. */
export const ORIGIN = 'https://market.example';

const ACTION_ID = 'act_01k9q2m4t8v6w0y2z4a6c8e0g2';
const BUYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const WORKER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const ESCROW = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const USDC = '0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9';
const DIGEST = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const FACTORY = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
export const TRANSACTION = '0x8f2b1c0d9e3a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4';

const deployment = {
  chainId: 31_337,
  factory: FACTORY,
  implementation: WORKER,
  usdc: USDC,
  usdcName: 'USD Coin',
  usdcVersion: '2',
  maxActionSeconds: 3_600,
  signingOrigin: ORIGIN,
} as const;

export const facts: PageFacts = {
  actionId: ACTION_ID,
  kind: 'fund_task',
  principal: 'acct_01k9q2m4t8v6w0y2z4a6c8e0g2',
  wallet: BUYER,
  taskId: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
  nodeId: null,
  escrow: ESCROW,
  tree: null,
  digest: DIGEST,
  matchCode: 'OLIVE TIGER 42',
  words: screenTexts('Tasktree'),
  deployment,
  paths: {
    document: '/',
    submission: '/',
    decline: '/',
    renew: '/',
    link: '/',
    progress: '/',
    simulation: '/',
    challenge: '/',
    paymaster: `${ORIGIN}/paymaster/act_sample`,
  },
};

const payload = {
  domain: { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: USDC },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    ReceiveWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  primaryType: 'ReceiveWithAuthorization',
  message: {
    from: BUYER,
    to: ESCROW,
    value: '250000000',
    validAfter: '0',
    validBefore: String(NOW_MS / 1000 + 703),
    nonce: DIGEST,
  },
  transaction: { to: ESCROW, data: '0x', value: '0x0' },
};

export const document: ApprovalDocument = {
  action: {
    action_id: ACTION_ID,
    kind: 'fund_task',
    principal: facts.principal,
    wallet_address: BUYER,
    task_id: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
    chain_id: 31_337,
    escrow_address: ESCROW,
    nonce: '256',
    request_digest: DIGEST,
    payload,
    signing_url: `${ORIGIN}/sign/sample`,
    expires_at: new Date(NOW_MS + 702_000).toISOString(),
  },
  status: 'opened',
  request: null,
  deployment: {
    ...deployment,
    chainName: 'Local chain',
    isTestNetwork: true,
    explorerTransactionUrl: null,
    rpcUrlForWallet: null,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  },
  facts: { nowMs: NOW_MS, taskTitle: 'Translate 40 pages', agentName: 'Lingua-7' },
  requester: { kind: 'application', name: 'Claude', documentHost: 'claude.example', isKnown: false },
  asked_at: new Date(NOW_MS - 180_000).toISOString(),
  service_reading: { source: 'service' },
};

export const description: Description = {
  sentence: 'Put 250.00 USDC in escrow for “Translate 40 pages”.',
  tone: 'outgoing',
  next: [
    'Agent “Lingua-7” has 3 days from the payment on to deliver.',
    'Then you have 3 days to accept or reject.',
    'If nothing is delivered in time, you can take all 250.00 USDC back.',
    'If you do nothing after a delivery, the agent is paid.',
  ],
  mustConfirm: null,
  worstCase:
    'Worst case for you: the arbiter rules that you pay all 250.00 USDC. Without a ruling you pay at most 125.00 USDC for work that you reject in time.',
};

export const irreversible: Description = {
  sentence: 'Accept the work on “Translate 40 pages”. 250.00 USDC goes to agent “Lingua-7”. This cannot be undone.',
  tone: 'irreversible',
  next: ['Agent “Lingua-7” can withdraw the money at once.', 'If you do nothing, the delivery counts as accepted.'],
  mustConfirm: 'I have looked at the delivery, and I accept it',
  worstCase: 'Worst case for you: the work is not what you needed. 250.00 USDC cannot be taken back.',
};

const NAMES = [
  'It is the kind of action that the app asked for',
  'It is for your account',
  'It is for the wallet that signs',
  'It is for the right task and job',
  'It is for the right network',
  'Only the escrow and its token can use it',
  'The escrow is this market’s own, for this task',
  'The data has exactly the known form',
  'The data belongs to this request',
  'The request is the one that was sent',
  'It has not expired, and does not last too long',
  'It can still be carried out',
  'Amounts, addresses and times are as asked for',
  'This page is the market’s own',
  'The digest to sign is the one shown',
];

/** The fifteen checks. Those whose number is in `failing` have failed, with its text as the detail. */
export function checks(failing: Readonly<Record<number, string>> = {}): Check[] {
  return NAMES.map((title, at) => {
    const number = NUMBERS[at] ?? 1;
    const detail = failing[number];
    return {
      number,
      name: `check_${number}`,
      title,
      status: detail === undefined ? 'passed' : 'failed',
      detail: detail ?? '',
    };
  });
}

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;

export const verdict: Verdict = { checks: checks(), isSignable: true, description };

export const wallet: Wallet = {
  key: 'sample',
  name: 'Sample Wallet',
  icon: null,
  rdns: 'example.sample',
  provider: { request: () => Promise.reject(new Error('This wallet is a sample')) },
};

export const account: Account = {
  address: BUYER,
  chainId: 31_337,
  isContract: false,
  canBundle: false,
  takesPaymaster: false,
};
export const stranger: Account = { ...account, address: WORKER };

export const findings: WalletFindings = {
  reading: { source: 'wallet', chainId: 31_337, escrow: 'clone', usdcBalance: 1_180_000_000n, blockNumber: 31_442 },
  gasBalance: 10n ** 18n,
};

export const simulation: SimulationAnswer = {
  source: 'eth_simulateV1',
  balances: [
    { wallet: BUYER, label: 'wallet', before: '1180000000', after: '930000000', change: '-250000000' },
    { wallet: ESCROW, label: 'escrow', before: '0', after: '250000000', change: '250000000' },
  ],
  would_revert: null,
  gas: { units: '182000', eth: '10500000000000' },
  block: 31_442,
};

/** A link for another device; its QR picture stands for nothing. */
export const link: LinkAnswer = {
  signing_url: `${ORIGIN}/sign/${'s'.repeat(43)}`,
  expires_at: document.action.expires_at,
  qr: { viewBox: '-4 -4 29 29', path: 'M0 0h7v1h-7zM14 0h7v1h-7zM0 6h7v1h-7z' },
};
