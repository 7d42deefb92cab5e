import { type ActionStatus, isActionKind } from '#libs/prepared-action';

/** What is asked for, without a word of what it is about: all that a link alone may tell. */
const KINDS: Readonly<Record<string, string>> = {
  create_task: 'Publish a task',
  submit_quote: 'Make an offer',
  select_agent: 'Choose an agent',
  fund_task: 'Put money in escrow',
  subcontract: 'Hire an agent for a part of a job',
  deliver: 'Deliver work',
  resolve_task: 'Accept work',
  reject_task: 'Reject work',
  dispute_node: 'Contest a rejection',
  abandon_node: 'Give up a job',
  claim_non_delivery: 'Take back money: nothing was delivered',
  withdraw_earnings: 'Withdraw earnings',
  withdraw_refund: 'Withdraw money that came back',
};

/** Ends after which the same may be asked for again. */
const NOTHING_SIGNED: readonly ActionStatus[] = ['declined', 'expired', 'failed', 'superseded'];

/** The kind in words. */
export function kindWords(kind: string): string {
  return (isActionKind(kind) ? KINDS[kind] : undefined) ?? 'A kind of action that this page does not know';
}

/** True while the action waits to be signed. */
export function isOpen(status: ActionStatus): boolean {
  return status === 'prepared' || status === 'opened';
}

/** Heading of a request that is not to be signed any more (design/experience.md §2.6); never of one that is. */
export function endedHeading(
  status: ActionStatus,
  { expiresAt, signature, renewedBy }: { expiresAt: Date; signature: string | null; renewedBy: string | null },
): string {
  switch (status) {
    case 'declined':
      return 'This request was declined. Nothing was signed.';
    case 'expired':
      return `This request expired at ${utcTime(expiresAt)}. ${signature === null ? 'Nothing was signed.' : 'What was signed can no longer be used.'}`;
    case 'superseded':
      return renewedBy === null ? 'This request is no longer possible' : 'A newer request replaced this';
    case 'failed':
      return 'The transaction failed on the chain; nothing moved';
    case 'signed':
      return 'Already signed';
    case 'submitted':
    case 'unknown':
      return 'Already signed and sent';
    case 'confirmed':
    case 'final':
      return 'Already signed and done';
    case 'prepared':
    case 'opened':
      throw new TypeError('The request is still open');
  }
}

/** What can be done about it, by whom it may concern. */
export function endedAdvice(status: ActionStatus): string {
  return NOTHING_SIGNED.includes(status)
    ? 'Ask the app that sent you here for a new one.'
    : 'There is nothing left to sign here.';
}

/** `14:05 UTC`. */
export function utcTime(date: Date): string {
  return `${date.toISOString().slice(11, 16)} UTC`;
}
