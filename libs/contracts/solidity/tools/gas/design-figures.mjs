// Figures of a prototype, measured once (docs/decisions/escrow.md#gas). They are not measured here.

/** Label in the snapshots -> gas of the prototype with the plain token. */
export const DESIGN = {
  createTree: 78_479,
  "createTask, buyer's first nonce": 58_916,
  "selectAgent, worker's first nonce": 124_459,
  'fundTask, EIP-3009': 120_884,
  'fundTask, allowance, direct': 89_271,
  'createTree + createTask + selectAgent + fundTask': 304_505,
  'subcontract, carve-out': 135_578,
  'subcontract, hirer-funded, EIP-3009': 185_626,
  deliver: 71_185,
  'deliver, direct': 65_896,
  'deliver, ERC-1271': 80_770,
  'deliver, again': 54_185,
  resolveTask: 51_992,
  'resolveTask, direct': 46_679,
  rejectTask: 49_907,
  'abandonNode, root': 71_599,
  'abandonNode, child': 54_302,
  'claimNonDelivery, root, by the hirer': 72_187,
  withdrawEarnings: 71_066,
  'withdrawEarnings, with silent acceptance': 76_543,
  'withdrawEarnings, level 3': 80_968,
  withdrawRefund: 62_408,
  disputeNode: 49_238,
  'ruleDispute, half': 93_398,
  agreeSplit: 91_060,
  'finalize, silent acceptance': 34_452,
};

/**
 * Rows of action, label in the snapshots, and gas of public contracts: as measured beside the prototype, with the
 * figure of their own benchmark in brackets.
 */
export const ANCHORS = [
  ['pay in (EIP-3009)', 'fundTask, EIP-3009', 'commerce-payments `authorize`: 132,627 [155,657]'],
  [
    'pay in (allowance)',
    'fundTask, allowance, direct',
    'commerce-payments `authorize`: 96,768 (+ `preApprove` 55,254); ERC-8183 `fund`: 92,065; refund-protocol `pay`: 159,502',
  ],
  [
    'open a job',
    "selectAgent, worker's first nonce",
    'ERC-8183 `createJob` 231,485 + `setProvider` 62,053 + `setBudget` 81,382',
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
  ['take earnings out', 'withdrawEarnings', 'refund-protocol `withdraw`: 96,145; the others push at acceptance'],
];

/** Whole life of one job: name, transactions, gas, what it includes. */
export const LIVES = [
  ['ERC-8183 reference', '6 (+ approve ≈ 46k)', 605_934, 'no signatures, no nonces, no relaying, push payout'],
  ['refund-protocol', '2', 255_647, 'payment and lock-up only'],
  ['commerce-payments', '2', 198_377, 'payment by an operator only: no delivery, acceptance or tree'],
];
