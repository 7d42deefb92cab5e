import { holdsOnceSigned, type KeptKind } from '../typed-data/action-kinds.js';

/**
 * Every text about actions that the person who signs reads, in English (docs/decisions/interface.md#sentences).
 * Arguments are formatted already; names and titles come quoted.
 */
export const ACTION_WORDS = {
  thisTask: 'this task',
  aTask: 'a task',
  theAgent: 'the agent',
  agent: (name: string) => `agent ${name}`,
  theHirer: 'the hirer',
  hirer: (name: string) => `the hirer ${name}`,
  theDeadline: 'its deadline',
  aWhile: 'the agreed time',
  theFloor: 'the agreed floor',
  /** If the arbiter is silent. Out of the floor come also those whom the worker has promised money. */
  lapse: (gets: string) => `Without a ruling in time, ${gets}.`,
  youGet: (rest: string) => `you get ${rest}`,
  allGet: (who: 'you' | 'the worker', floor: string) => `${who} and any helpers get ${floor}`,
  /** The terms, to the worker (`you`) or to its hirer (`they`). */
  terms: {
    work: (agent: string, work: string, window: string) =>
      `${agent} has ${work} from the payment on to deliver. Then you have ${window} to accept or reject.`,
    revisions: (who: string, count: number) =>
      count === 0
        ? `After a rejection ${who} cannot deliver again.`
        : `After a rejection ${who} can deliver again, ${count === 1 ? 'once' : `${count} times`} at most.`,
    floor: (who: string, floor: string, hasArbiter: boolean) =>
      `The floor is ${floor}: ${hasArbiter ? `the least ${who} and any helpers get if the arbiter stays silent, and ` : ''}the most that may be promised to helpers.`,
  },
  theMoney: 'The money',

  create_task: {
    sentence: (task: string, budget: string) => `Publish ${task} with a budget of up to ${budget}. No money moves now.`,
    offersUntil: (time: string) => `Agents can make offers until ${time}.`,
    noArbiter: 'Nobody rules on disputes: a rejection that is not fixed in time is final.',
    arbiter: (address: string) => `${address} rules on disputes. Nobody can change that later.`,
    silence: 'If you do nothing more, the task ends when the time for offers is over.',
  },
  submit_quote: {
    sentence: (task: string, price: string, work: string) =>
      `Offer to do ${task} for ${price}, within ${work} of the payment.`,
    paidFirst: (price: string) => `Your hirer puts ${price} in escrow for you before you have to start.`,
    contingent: (node: string) =>
      `This is a part of job ${node}: you are paid only when that job and all above it are accepted too.`,
    taken: (time: string) => `Until ${time} you can be hired for this without being asked again.`,
    review: (window: string) => `Your hirer then has ${window} to accept or reject your delivery. Silence accepts it.`,
    lateDelivery: 'If you deliver nothing in time, you are paid nothing.',
    silence: 'If nobody hires you, nothing happens.',
  },
  select_agent: {
    sentence: (agent: string, price: string, task: string) =>
      `Choose ${agent} at ${price} for ${task}. No money moves now.`,
    silence: (time: string) => `If you do not fund it by ${time}, the choice ends and you pay nothing.`,
  },
  fund_task: {
    sentence: (price: string, task: string) => `Put ${price} in escrow for ${task}.`,
    nonDelivery: (price: string) => `If nothing is delivered in time, you can take all ${price} back.`,
    silence: 'If you do nothing after a delivery, it counts as accepted.',
    permit: 'A permit does not name the task. Your wallet asks you again to use it.',
    paidTo: (wallet: string) => `The work is paid to the wallet ${wallet}.`,
  },
  subcontract: {
    sentence: (agent: string, task: string, price: string, source: string) =>
      `Hire ${agent} for part of ${task}: ${price} ${source}.`,
    ofPay: (whole: string) => `of your ${whole}`,
    ownPay: 'own pay',
    fromWallet: 'from your wallet',
    settles: (price: string, agent: string) => `${price} of your pay in escrow is set aside for ${agent}.`,
    margin: (rest: string) => `You can still earn ${rest} yourself.`,
    contingent: 'They are paid only when your own job is accepted too.',
    independent: 'They are paid for what you accept, even if your own job is not.',
    promised: 'While they work, you cannot give up your own job.',
  },
  deliver: {
    sentence: (task: string) => `Deliver your work on ${task}.`,
    stays: (money: string) => `No money moves now: ${money} in escrow waits for the answer.`,
    artifact: (hash: string) => `Your delivery has the SHA-256 ${hash}. Nothing else can be accepted in its place.`,
    review: (window: string) => `Your hirer has ${window} to accept or reject it.`,
    silence: 'If nobody objects in that time, it counts as accepted.',
    paidOut: 'If it is accepted, the money goes straight to your wallet. After silence, anybody can send it there.',
    paidOutLater: 'Once this job and those it is paid from are settled, anybody can send the money to your wallet.',
    notPaidOut: 'Once the money is yours, you withdraw it yourself.',
    rejected: (deadline: string) => `If it is rejected, you can deliver again until ${deadline}.`,
    lastRevision: 'If it is rejected, you cannot deliver again.',
    contest: 'You can also contest a rejection before the arbiter.',
  },
  resolve_task: {
    sentence: (task: string, price: string, agent: string) =>
      `Accept the work on ${task}. ${price} goes to ${agent}. This cannot be undone.`,
    confirm: 'I have looked at the delivery, and I accept it',
    settles: (price: string, agent: string) => `The ${price} in escrow will belong to ${agent}.`,
    artifact: (hash: string) => `The delivery has the SHA-256 ${hash}.`,
    paidOut: (agent: string) => `The money goes straight to the wallet of ${agent}.`,
    payable: (agent: string) => `${agent} can withdraw the money at once.`,
    waits: (agent: string) => `${agent} gets the money once the job that this one is part of is accepted too.`,
    shares: (amount: string) => `${amount} of it goes to those who worked under this job.`,
    silence: 'If you do nothing, the delivery counts as accepted when your time is over.',
  },
  reject_task: {
    sentence: (task: string, money: string) => `Reject the work on ${task}. ${money} stays in escrow for now.`,
    finalSentence: (task: string, money: string) =>
      `Reject the work on ${task}. ${money} goes back to you. This cannot be undone.`,
    confirm: 'I have looked at the delivery, and I reject it for good',
    stays: (money: string) => `No money moves now: ${money} stays in escrow.`,
    returns: (money: string) => `The job ends: ${money} in escrow goes back to you.`,
    told: (reason: string) => `Reason sent to the worker: ${reason}`,
    silent: 'You give no reason.',
    mend: (deadline: string) => `The worker can deliver again until ${deadline}.`,
    lastRevision: 'The worker cannot deliver again.',
    contest: 'The worker can contest it.',
    back: 'If the worker does nothing in time, all the money goes back to you.',
    reputation: 'The outcome counts in the agent’s reputation.',
  },
  abandon_node: {
    sentence: (task: string, price: string, hirer: string) =>
      `Give up your job on ${task}. ${price} goes back to ${hirer}. This cannot be undone.`,
    confirm: 'I give up this job and will not be paid for it',
    settles: (price: string, hirer: string) => `The ${price} in escrow go back to ${hirer}.`,
    another: 'The money can then be used to hire somebody else.',
    others: 'Jobs paid from your wallet go on.',
    silence: (deadline: string) => `If you do not sign, it stays your job until ${deadline}.`,
  },
  claim_non_delivery: {
    sentence: (price: string, task: string, deadline: string) =>
      `Return ${price} to whoever paid for ${task}: nothing was delivered by ${deadline}.`,
    settles: (price: string) => `The ${price} in escrow go back to whoever paid for the job.`,
    clock: 'The clock of the blockchain counts, not yours.',
    withdraw: 'Money from a wallet waits in the escrow until it is withdrawn.',
    silence: 'If nobody does this, the money stays in escrow.',
  },
  dispute_node: {
    sentence: (task: string) => `Contest the rejection of your work on ${task}.`,
    stays: (money: string) => `No money moves now: ${money} in escrow waits for the arbiter.`,
    ruling: 'The arbiter then divides the money within 30 days.',
    evidence: (hash: string) => `Your evidence has the SHA-256 ${hash}.`,
    silence: 'If you do nothing in time, all the money goes back to your hirer.',
  },
  withdraw: {
    toOwn: (amount: string, source: string, wallet: string) => `Move ${amount}${source} to your wallet ${wallet}.`,
    toOther: (amount: string, source: string, wallet: string) =>
      `Move ${amount}${source} to ${wallet}, which is not the wallet that signs.`,
    earnedOn: (task: string) => ` earned on ${task}`,
    leftOf: (task: string) => ` left over from ${task}`,
    earned: 'Your work has earned this money.',
    returned: 'This is your money that was not spent on the task.',
    confirm: (wallet: string) => `I have compared all of ${wallet} with the address that I meant`,
    final: 'Once it has arrived, nobody can bring it back.',
    silence: 'If you do nothing, it waits in the escrow. There is no deadline.',
  },
  noMoney: 'No money moves now.',

  worst: {
    nothing: 'nothing is lost. You pay only when you put money in escrow.',
    resolve_task: (price: string) => `the work is not what you needed. ${price} cannot be taken back.`,
    finalRejection: 'the job ends without a result.',
    abandon_node: 'what you have done so far is not paid.',
    claim_non_delivery: 'somebody else does this first. The money goes the same way.',
    toOwn: 'the transfer fails. The money stays yours.',
    toOther: 'the address is wrong, and the money is lost.',
    payer: (price: string) => `you pay ${price}.`,
    payerAlone: (price: string) =>
      `you do not answer a delivery in time, and pay ${price}. Else you pay only for what you accept.`,
    payerRuled: (price: string, floor: string) =>
      `the arbiter rules that you pay ${price}. Without a ruling you pay at most ${floor} for work that you reject in time.`,
    worker: 'your work is rejected for good, and you are paid nothing.',
    workerBelow: 'a job above this one is refunded. Then you are paid nothing, even for accepted work.',
    workerAlone: 'every delivery is rejected, and you are paid nothing. Nobody can overrule a rejection.',
    workerRuled: (gets: string) =>
      `the arbiter rules that you get nothing. Without a ruling ${gets} for work that you deliver and contest in time.`,
  },
} as const;

const WITHOUT_TRANSACTION: Readonly<Record<KeptKind, string>> = {
  create_task: 'This publishes your task. No transaction, no fee.',
  submit_quote: 'This is an offer. No transaction, no fee.',
  select_agent: 'This chooses the agent. No transaction, no fee. You pay in the next step.',
};

/** The text shown in place of a fee for a kind that ends with its signature; null for every other kind. */
export function withoutTransaction(kind: string): string | null {
  return holdsOnceSigned(kind) ? WITHOUT_TRANSACTION[kind] : null;
}
