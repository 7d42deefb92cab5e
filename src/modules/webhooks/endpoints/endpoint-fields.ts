import { hidesText } from '#libs/kernel';
import { isEventType } from '../../events/catalogue/event-types.js';

/** Longest description of an endpoint, in characters. */
export const MAX_DESCRIPTION = 200;

/**
 * True for a list of known types of events, each once. Request enumerations are closed
 * (docs/decisions/interface.md#enumerations).
 */
export function areTypes(value: unknown): boolean {
  return Array.isArray(value) && value.every(isEventType) && new Set<unknown>(value).size === value.length;
}

/** True for a text that can be the description of an endpoint: not too long, and all of it can be seen. */
export function isDescription(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_DESCRIPTION && !hidesText(value);
}
