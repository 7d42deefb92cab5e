import { type ActionKind, type ActionStatus, holdsOnceSigned, isActionKind, timeText } from '#libs/prepared-action';
import type { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { DeclinedBy } from '../../prepared-actions/action/prepared-action.entity.js';

/** Names of the kinds of action, without any details: a link alone may show no more. */
const KIND_TEXTS: Readonly<Record<ActionKind, string>> = {
  create_task: 'Publish a task',
  submit_quote: 'Make an offer',
  select_agent: 'Choose an agent',
  fund_task: 'Put money in escrow',
  subcontract: 'Hire an agent for part of a job',
  deliver: 'Deliver work',
  resolve_task: 'Accept work',
  reject_task: 'Reject work',
  dispute_node: 'Contest a rejection',
  abandon_node: 'Give up a job',
  claim_non_delivery: 'Return money for work that was not delivered',
  withdraw_earnings: 'Withdraw earnings',
  withdraw_refund: 'Withdraw a refund',
};

/** Final statuses after which the app can request the action again. */
const NOTHING_SIGNED: readonly ActionStatus[] = ['declined', 'expired', 'failed', 'superseded'];

/** The name of a kind, for people. */
export function kindWords(kind: string): string {
  return isActionKind(kind) ? KIND_TEXTS[kind] : 'A kind of action that this page does not know';
}

/** Says what a withdrawal leaves for the next one. */
export function leftText({ amount, currency }: MoneyDto): string {
  return `Another ${amount} ${currency} waits in the escrow. You can withdraw it after this.`;
}

/** Members of an action that decide what remains to be done. */
interface Signable {
  kind: string;
  signature: string | null;
}

/**
 * What the action waits for: its signature, or after that the sending of its transaction; null when nothing remains to
 * be done here. A reported transaction that the chain does not know (`unknown`) does not change this.
 */
export function waitsFor(status: ActionStatus, { kind, signature }: Signable): 'signature' | 'sending' | null {
  if (signature !== null) {
    return (status === 'signed' || status === 'unknown') && !holdsOnceSigned(kind) ? 'sending' : null;
  }
  return status === 'prepared' || status === 'opened' || status === 'unknown' ? 'signature' : null;
}

const DECLINED_WHERE: Readonly<Record<DeclinedBy, string>> = {
  link: 'It was declined in the browser that opened its link.',
  wallet: 'It was declined in a browser that had proved the wallet.',
  account: 'It was declined by somebody who was signed in to the account.',
  credential: 'It was declined by a program, with a credential of the account.',
};

/** Sentence about who declined the action; empty when unknown or when nobody did. */
export function declinedLine(declinedBy: DeclinedBy | null): string {
  return declinedBy === null ? '' : DECLINED_WHERE[declinedBy];
}

/** Heading of a request that waits for nothing. Throws TypeError for a request that is still open. */
export function endedHeading(
  status: ActionStatus,
  { expiresAt, signature, renewedBy }: { expiresAt: Date; signature: string | null; renewedBy: string | null },
): string {
  switch (status) {
    case 'declined':
      return 'This request was declined. Nothing was signed.';
    case 'expired':
      return `This request expired at ${dateTime(expiresAt)}. ${signature === null ? 'Nothing was signed.' : 'What was signed can no longer be used.'}`;
    case 'superseded':
      return renewedBy === null ? 'This request is no longer possible' : 'A newer request replaced this one';
    case 'failed':
      return 'The transaction failed on the chain. No money moved.';
    case 'signed':
    case 'unknown':
      return 'Already signed';
    case 'submitted':
      return 'Already signed and sent';
    case 'confirmed':
    case 'final':
      return 'Already signed and done';
    case 'prepared':
    case 'opened':
      throw new TypeError('The request is still open');
  }
}

/** Advice for a person with an ended request. */
export function endedAdvice(status: ActionStatus): string {
  return NOTHING_SIGNED.includes(status)
    ? 'Ask the app that sent you here for a new request.'
    : 'There is nothing left to sign here.';
}

/** `24 Nov 2026, 14:05 UTC`, as every time on these pages. */
export function dateTime(date: Date): string {
  return timeText(date.getTime() / 1000);
}
