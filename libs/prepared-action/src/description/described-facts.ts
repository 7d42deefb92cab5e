import { ACTION_WORDS } from './action-sentences.js';
import type { DescriptionFacts } from '../document/prepared-action.js';
import { durationText, quoted, timeText, usdcText } from '../document/shown-text.js';
import { uintOf } from '../checks/verification-input.js';

/** The task by its title, or as "this task". */
export function taskText({ taskTitle }: DescriptionFacts, unnamed: string = ACTION_WORDS.thisTask): string {
  return taskTitle === undefined ? unnamed : quoted(taskTitle);
}

/** The agent by its name, or by the wallet that the message names. */
export function agentText({ agentName }: DescriptionFacts, wallet?: string): string {
  return agentName === undefined ? (wallet ?? ACTION_WORDS.theAgent) : ACTION_WORDS.agent(quoted(agentName));
}

/** Who hired, by its name or in general. */
export function hirerText({ hirerName }: DescriptionFacts): string {
  return hirerName === undefined ? ACTION_WORDS.theHirer : ACTION_WORDS.hirer(quoted(hirerName));
}

/** The node's deadline, as far as it is known. */
export function deadlineText({ deliverBy }: DescriptionFacts): string {
  return deliverBy === undefined ? ACTION_WORDS.theDeadline : timeText(deliverBy);
}

/** The time for accepting, as far as it is known. */
export function windowText({ acceptWindowSeconds }: DescriptionFacts): string {
  return acceptWindowSeconds === undefined ? ACTION_WORDS.aWhile : durationText(acceptWindowSeconds);
}

/** Base units out of a fact; null when it is absent or no amount. */
export function amountOf(fact: string | undefined): bigint | null {
  return uintOf(fact);
}

/** What of the node's money is promised to those who worked under it, base units; null when that is nothing or not known. */
export function promisedOf({ nodeAmount, unallocated }: DescriptionFacts): bigint | null {
  const [whole, free] = [amountOf(nodeAmount), amountOf(unallocated)];
  return whole === null || free === null || free >= whole ? null : whole - free;
}

/** What the node holds, or "The money". */
export function moneyText({ nodeAmount }: DescriptionFacts): string {
  const amount = amountOf(nodeAmount);
  return amount === null ? ACTION_WORDS.theMoney : usdcText(amount);
}

/** What the node holds inside a sentence, or "the money". */
export function heldText(facts: DescriptionFacts): string {
  const text = moneyText(facts);
  return text === ACTION_WORDS.theMoney ? text.toLowerCase() : text;
}

/** The first letter of a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
