import { requestDigest } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import type { JsonObject } from '../operations/json-value.js';
import { KEY_ARGUMENT, type ToolCall } from './mcp-tool.js';

const HOUR_MS = 3_600_000;

/** The arguments of a write without its key, and the key. */
export interface KeyedArguments {
  own: JsonObject;
  idempotencyKey: string;
}

/**
 * The key of a write: the one that is given, or the same one for the same client, tool and arguments within an hour of
 * UTC. A model that repeats its call then has the same action and not another one; what is meant to be a second one needs
 * a key of its own (docs/decisions/http.md#mcp).
 * @param nowMs of the service's clock.
 */
export function keyedArguments(tool: string, { given, caller, context }: ToolCall, nowMs: number): KeyedArguments {
  const { [KEY_ARGUMENT]: asked, ...own } = given;
  if (asked !== undefined && typeof asked !== 'string') {
    throw new ApiError('idempotency_key_invalid', `${KEY_ARGUMENT} is not a text.`);
  }
  // What the client sends back after it has shown the link: the call then goes on where it was, whatever the hour is now.
  // Whoever changes it names a key, as everybody may.
  const resumed = context.mcpReq.requestState<string>();
  const { clientId, credentialId } = caller.principal;
  const derived = () => {
    const hour = Math.floor(nowMs / HOUR_MS);
    return `mcp-${requestDigest({ client: clientId ?? credentialId, tool, arguments: own, hour }).slice(2)}`;
  };
  return { own, idempotencyKey: asked ?? resumed ?? derived() };
}
