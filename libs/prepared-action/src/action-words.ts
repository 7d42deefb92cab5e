/**
 * Everything that is said of actions to the person who signs, in English (design/experience.md §2.4). Arguments are
 * formatted already; names and titles come quoted.
 */
export const ACTION_WORDS = {
  thisTask: 'this task',
  aTask: 'a task',
  theAgent: 'the agent',
  agent: (name: string) => `agent ${name}`,
  theHirer: 'whoever hired for it',
  hirer: (name: string) => `the hirer ${name}`,
  theDeadline: 'its deadline',
  aWhile: 'the agreed time',
  theMoney: 'The money',

  create_task: {
    sentence: (task: string, budget: string) => `Publish ${task} with a budget of up to ${budget}. No money moves now.`,
    offersUntil: (time: string) => `It takes offers until ${time}.`,
    noArbiter: 'Nobody rules on disputes: a rejection that is not mended before the deadline is final.',
    arbiter: (address: string) => `${address} may rule on disputes; nobody can change that later.`,
    money: 'Money moves only when you choose an offer and put its price in escrow.',
    silence: 'If you do nothing more, the task ends when its time for offers is over, and you have paid nothing.',
  },
  submit_quote: {
    sentence: (task: string, price: string, deadline: string) => `Offer to do ${task} for ${price} by ${deadline}.`,
    paidFirst: (price: string) => `${price} is put in escrow for you before you have to start.`,
    contingent: (node: string) =>
      `The price is a part of node ${node}: you are paid only when that node and every node above it are accepted too.`,
    taken: (time: string) => `The offer can be taken up until ${time} without asking you again.`,
    review: (window: string) => `After your delivery there are ${window} to accept or reject it; silence accepts.`,
    lateDelivery: 'If it is taken up and you deliver nothing in time, the money goes back and you are paid nothing.',
    silence: 'If nobody takes it up, nothing happens.',
  },
  select_agent: {
    sentence: (agent: string, price: string, task: string) =>
      `Choose ${agent} at ${price} for ${task}. No money moves now.`,
    due: (price: string, time: string) => `${price} is due when you fund the task, until ${time}.`,
    delivery: (deadline: string, window: string) =>
      `Once it is funded, the agent has until ${deadline} to deliver, and you then have ${window} to accept or reject.`,
    silence: (time: string) => `If you do not fund it by ${time}, the choice ends and you have paid nothing.`,
  },
  fund_task: {
    sentence: (price: string, task: string) => `Put ${price} in escrow for ${task}.`,
    delivery: (agent: string, deadline: string) => `${agent} has until ${deadline} to deliver.`,
    review: (window: string) => `Then you have ${window} to accept or reject.`,
    nonDelivery: (price: string) => `If nothing is delivered in time, you can take all ${price} back.`,
    silence: 'If you do nothing after a delivery, it is paid to the agent.',
    permit: 'A permit does not name the task: your wallet sends a second request that uses it.',
  },
  subcontract: {
    fromNode: (agent: string, price: string, whole: string) => `Hire ${agent} for ${price} of your ${whole}.`,
    fromNodeOnly: (agent: string, price: string) => `Hire ${agent} for ${price} out of your own job.`,
    fromWallet: (agent: string, price: string) => `Hire ${agent} for ${price} from your wallet.`,
    margin: (rest: string) => `${rest} of your job stays yours to earn.`,
    contingent: 'They are paid only when your own job is accepted too; if it is refunded, theirs ends with it.',
    independent: 'They are paid for what you accept, whatever becomes of your own job.',
    delivery: (deadline: string, window: string) =>
      `They have until ${deadline} to deliver, and you then have ${window} to accept or reject.`,
    back: (price: string) => `If nothing is delivered in time, ${price} comes back.`,
    silence: 'If you do nothing after a delivery, it counts as accepted.',
    promised: 'While they work for you, you cannot give up your own job.',
  },
  deliver: {
    sentence: (task: string) => `Deliver your work on ${task}.`,
    artifact: (hash: string) => `What you deliver has the SHA-256 ${hash}; nothing else can be accepted for it.`,
    review: (window: string) => `It can be accepted or rejected for ${window}.`,
    silence: 'If nobody objects in that time, the money of the job is released.',
    rejected: (deadline: string) => `If it is rejected, you can deliver again until ${deadline}.`,
    contest: 'You can also contest a rejection before the arbiter.',
  },
  resolve_task: {
    sentence: (price: string, agent: string) =>
      `Accept the work. ${price} becomes payable to ${agent}. This cannot be undone.`,
    confirm: (hash: string) => `I have looked at the delivery with the SHA-256 ${hash}`,
    payable: 'It can be withdrawn as soon as the jobs above, if there are any, are accepted too.',
    shares: 'What is promised to others who worked under this job goes to them.',
    silence: 'If you do nothing, the delivery counts as accepted when the time for rejecting it is over.',
  },
  reject_task: {
    sentence: (task: string, money: string) => `Reject the work on ${task}. ${money} is not paid out for now.`,
    told: (reason: string) => `The worker is told: ${reason}.`,
    silent: 'You give no reason.',
    mend: (deadline: string) => `The worker may deliver again until ${deadline}.`,
    contest: 'The worker may contest it; then the arbiter divides the money within 30 days, or it is halved.',
    back: 'If the worker does nothing in time, all of it goes back to you, and you can withdraw it.',
    reputation: 'How it ends counts in the reputation of the agent.',
    silence: 'If you do not reject it, the delivery counts as accepted when the time for that is over.',
  },
  abandon_node: {
    sentence: (price: string, hirer: string) =>
      `Give up this job. ${price} goes back to ${hirer}. This cannot be undone.`,
    confirm: 'I give this job up and will not be paid for it',
    nothing: 'Nothing is paid to you for it.',
    another: 'Somebody else can be hired with the money.',
    others: (count: number) =>
      `${count === 1 ? 'One job' : `${count} jobs`} that you pay from your wallet under it ${count === 1 ? 'goes' : 'go'} on.`,
    silence: (deadline: string) => `If you do not sign, it stays your job until ${deadline}.`,
  },
  claim_non_delivery: {
    sentence: (price: string, deadline: string) => `Take back ${price}: nothing was delivered by ${deadline}.`,
    back: 'The money goes to whoever paid for the job, no matter who signs this.',
    clock: 'The time of the blockchain counts, not that of your computer.',
    withdraw: 'Money that came from a wallet waits in the escrow until it is withdrawn.',
    silence: 'If nobody does this, the money stays where it is; nothing can be delivered any more.',
  },
  dispute_node: {
    sentence: (task: string) => `Contest the rejection of your work on ${task}.`,
    ruling: 'The arbiter divides the money of this job within 30 days; nobody else can.',
    lapse: 'Without a ruling by then, half of it is yours.',
    evidence: (hash: string) => `Your evidence has the SHA-256 ${hash}.`,
    silence: 'If you do not contest it in time, all of it goes back to whoever hired for it.',
  },
  withdraw: {
    toOwn: (amount: string, wallet: string) => `Move ${amount} from escrow to your wallet ${wallet}.`,
    toOther: (amount: string, wallet: string) =>
      `Move ${amount} from escrow to ${wallet}, which is not the wallet that signs.`,
    earned: 'It is what your work has earned.',
    returned: 'It is money of yours that was not spent on this task.',
    confirm: (wallet: string) => `I have compared all of ${wallet} with the address that I meant`,
    final: 'Once it has arrived, nobody can bring it back.',
    silence: 'If you do nothing, it waits for you in the escrow; there is no deadline.',
  },
} as const;
