import { randomUUID } from 'node:crypto';
import { requestDigest } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import type { DescribedOperation } from '../operations/described-operation.js';
import type { OperationAnswer } from '../operations/inner-operations.js';
import type { JsonObject } from '../operations/json-value.js';
import { KEY_ARGUMENT, type ToolCall } from './mcp-tool.js';

const HOUR_MS = 3_600_000;
/** Keys that are made of one call before a random one: a call that is repeated once more is still the same action. */
const DERIVED_KEYS = 4;

/** The arguments of a write without its key, and the key. */
export interface KeyedArguments {
  own: JsonObject;
  idempotencyKey: string;
  /** False: the caller has named the key, or goes on with a call, so that it gets the answer of that key and no other. */
  isDerived: boolean;
}

/**
 * The key of a write: the one that is given, or for a POST the same one for the same client, tool and arguments within an
 * hour of UTC. A model that repeats its call then has the same action and not another one; what is meant to be a second one
 * needs a key of its own. PUT and PATCH say how something shall be, and are safe to repeat: with a key of before, what was
 * meant again would silently not happen (docs/decisions/http.md#mcp).
 * @param nowMs of the service's clock.
 */
export function keyedArguments(
  tool: string,
  { method }: Pick<DescribedOperation, 'method'>,
  { given, caller, context }: ToolCall,
  nowMs: number,
): KeyedArguments {
  const { [KEY_ARGUMENT]: asked, ...own } = given;
  if (asked !== undefined && typeof asked !== 'string') {
    throw new ApiError('idempotency_key_invalid', `${KEY_ARGUMENT} is not a text.`);
  }
  // What the client sends back after it has shown the link: the call then goes on where it was, whatever the hour is now.
  // Whoever changes it names a key, as everybody may.
  const resumed = context.mcpReq.requestState<string>();
  const { clientId, credentialId } = caller.principal;
  const derived = () => {
    if (method !== 'POST') return randomKey();
    const hour = Math.floor(nowMs / HOUR_MS);
    return `mcp-${requestDigest({ client: clientId ?? credentialId, tool, arguments: own, hour }).slice(2)}`;
  };
  return { own, idempotencyKey: asked ?? resumed ?? derived(), isDerived: (asked ?? resumed) === undefined };
}

/**
 * Sends a write with its key. Where nobody has named the key and it holds an answer of before that no longer answers the
 * call, as a refusal whose reason may be gone meanwhile, it is sent again with the next key.
 * @param isOutdated whether an answer of before is of no use any more; without it, when it is an error.
 */
export async function sendKeyed<T extends OperationAnswer>(
  { idempotencyKey, isDerived }: KeyedArguments,
  send: (key: string) => Promise<T>,
  isOutdated: (answer: T) => boolean = ({ isError }) => isError,
): Promise<{ answer: T; usedKey: string }> {
  let usedKey = idempotencyKey;
  let answer = await send(usedKey);
  for (let count = 2; isDerived && answer.isReplayed && isOutdated(answer); count += 1) {
    usedKey = count <= DERIVED_KEYS ? `${idempotencyKey}-${count}` : randomKey();
    answer = await send(usedKey);
  }
  return { answer, usedKey };
}

function randomKey(): string {
  return `mcp-${randomUUID()}`;
}
