import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError } from '../../../platform/http/api-error.js';
import type { OperationAnswer } from '../operations/inner-operations.js';
import type { JsonObject } from '../operations/json-value.js';
import { forModel } from './untrusted-text.js';

/** An object as a tool's result. */
export function resultOf(value: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(forModel(value)) }] };
}

/** What an operation has answered, or refused in the one shape of errors, as a tool's result. */
export function answerResult({ isError, body }: Pick<OperationAnswer, 'isError' | 'body'>): CallToolResult {
  return isError ? refusal(body) : resultOf(body);
}

/** An error of the interface as a tool's result: the model reads it and can do something about it. */
export function refusal(body: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

/** Runs a tool; a refusal that is thrown becomes its result. */
export async function refusable<T>(run: () => Promise<T>): Promise<T | CallToolResult> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiError) return refusal(error.body());
    throw error;
  }
}
