// Figures that were measured once (docs/decisions/escrow.md#gas) and are not measured here: the first edition's, and
// those of public contracts.

/** Label in the snapshots -> gas of the same action in the first edition, where a selection had come before. */
export const FIRST_EDITION = {
  'abandonNode, child': 54_320,
  'abandonNode, root': 71_597,
  agreeSplit: 91_191,
  'claimNonDelivery, root, by the hirer': 71_799,
  createTree: 78_198,
  deliver: 71_628,
  'deliver, ERC-1271': 81_024,
  'deliver, again': 54_280,
  'deliver, direct': 66_310,
  disputeNode: 49_255,
  'finalize, silent acceptance': 34_493,
  'fundTask, EIP-3009': 123_193,
  'fundTask, allowance, direct': 87_211,
  'invalidateNonces, direct': 48_300,
  rejectTask: 50_341,
  resolveTask: 52_451,
  'resolveTask, direct': 47_145,
  'ruleDispute, half': 93_250,
  'subcontract, carve-out': 135_886,
  'subcontract, hirer-funded, EIP-3009': 188_141,
  withdrawEarnings: 68_729,
  'withdrawEarnings, level 3': 78_921,
  'withdrawEarnings, with silent acceptance': 74_438,
  withdrawRefund: 60_265,
};

/** The first edition's whole start: tree, task, selection and funding in one transaction. */
export const FIRST_EDITION_START = 306_819;

/**
 * Rows of action, label in the snapshots, and gas of public contracts: as measured beside the prototype, with the
 * figure of their own benchmark in brackets.
 */
export const ANCHORS = [
  ['open a job and pay in (EIP-3009)', 'fundTask, EIP-3009', 'commerce-payments `authorize`: 132,627 [155,657]'],
  [
    'open a job and pay in (allowance)',
    'fundTask, allowance, direct',
    'commerce-payments `authorize`: 96,768 (+ `preApprove` 55,254); ERC-8183 `fund`: 92,065; refund-protocol `pay`: 159,502',
  ],
  [
    'open a job and pay in, with a contract of its own',
    'createTree + fundTask',
    'ERC-8183 `createJob` 231,485 + `setProvider` 62,053 + `setBudget` 81,382 + `fund` 92,065',
  ],
  ['hand in', 'deliver', 'ERC-8183 `submit`: 61,817'],
  [
    'accept',
    'resolveTask',
    'ERC-8183 `complete`: 77,132; commerce-payments `capture`: 65,750, with 1 % fee 78,352 [69,915]',
  ],
  ['refuse', 'rejectTask', 'ERC-8183 `reject`: 72,404'],
  [
    'give back',
    'abandonNode, root',
    'commerce-payments `void`: 63,293 [55,079]; refund-protocol `refundByArbiter`: 90,829',
  ],
  [
    'take back after a deadline',
    'claimNonDelivery, root, by the hirer',
    'commerce-payments `reclaim`: 63,361 [55,217]; ERC-8183 `claimRefund`: 70,370',
  ],
  ['accept and be paid', 'resolveTask, pays out', 'ERC-8183 `complete`: 77,132'],
  ['take earnings out', 'withdrawEarnings', 'refund-protocol `withdraw`: 96,145; the others push at acceptance'],
];

/** Our own whole jobs: name in the snapshots, transactions, what it is. */
export const JOBS = [
  ['paid at acceptance', 3, "the acceptance pays the worker's own wallet"],
  ['silence', 3, 'nobody answers the delivery; a stranger writes that down, which pays the worker'],
  ['another recipient', 3, 'acceptance and a signed withdrawal to another address in one transaction'],
  ['withdrawn later', 4, 'acceptance, and a withdrawal as a transaction of its own'],
  ['ERC-1271 signers', 3, 'as the first, buyer and worker being contract wallets'],
];

/** Whole life of one job elsewhere: name, transactions, gas, what it includes. */
export const LIVES = [
  ['ERC-8183 reference', '6 (+ approve ≈ 46k)', 605_934, 'no signatures, no nonces, no relaying, push payout'],
  ['refund-protocol', '2', 255_647, 'payment and lock-up only'],
  ['commerce-payments', '2', 198_377, 'payment by an operator only: no delivery, acceptance or tree'],
];
