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

/** The hirer by its name, or "the hirer". */
export function hirerText({ hirerName }: DescriptionFacts): string {
  return hirerName === undefined ? ACTION_WORDS.theHirer : ACTION_WORDS.hirer(quoted(hirerName));
}

/** The node's deadline, or "its deadline" when it is not known. */
export function deadlineText({ deliverBy }: DescriptionFacts): string {
  return deliverBy === undefined ? ACTION_WORDS.theDeadline : timeText(deliverBy);
}

/** The time for accepting, or "the agreed time" when it is not known. */
export function windowText({ acceptWindowSeconds }: DescriptionFacts): string {
  return acceptWindowSeconds === undefined ? ACTION_WORDS.aWhile : durationText(acceptWindowSeconds);
}

/** Base units out of a fact; null when it is absent or no amount. */
export function amountOf(fact: string | undefined): bigint | null {
  return uintOf(fact);
}

/** Base units of the node's money that are promised to those who work under it; null when that is not known. */
export function promisedOf({ nodeAmount, unallocated }: DescriptionFacts): bigint | null {
  const [whole, free] = [amountOf(nodeAmount), amountOf(unallocated)];
  return whole === null || free === null ? null : free < whole ? whole - free : 0n;
}

/** The node's money, or "The money" when it is not known. */
export function moneyText({ nodeAmount }: DescriptionFacts): string {
  const amount = amountOf(nodeAmount);
  return amount === null ? ACTION_WORDS.theMoney : usdcText(amount);
}

/** As `moneyText`, inside a sentence: "the money" when it is not known. */
export function heldText(facts: DescriptionFacts): string {
  const text = moneyText(facts);
  return text === ACTION_WORDS.theMoney ? text.toLowerCase() : text;
}

/** The text with a capital first letter, as a sentence begins. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
