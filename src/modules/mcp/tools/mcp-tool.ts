import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server';
import type { Scope } from '../../credentials/scope.js';
import type { JsonObject } from '../operations/json-value.js';
import type { McpCaller } from '../operations/mcp-caller.js';

/** One call of a tool. */
export interface ToolCall {
  given: JsonObject;
  caller: McpCaller;
  context: ServerContext;
}

/** A tool of the MCP endpoint. */
export interface McpTool {
  /** As `tools/list` states it. */
  readonly definition: Tool;
  /** The scope with which a caller sees it. Whether it may be called, the operations behind it decide. */
  readonly scope: Scope;
  run(call: ToolCall): Promise<CallToolResult | InputRequiredResult>;
}

/** Name of the argument by which a caller names its own idempotency key. */
export const KEY_ARGUMENT = 'idempotency_key';

interface DefinitionParts {
  name: string;
  description: string;
  properties: JsonObject;
  required?: readonly string[];
  /** Absent: it only reads. */
  writes?: { isDestructive: boolean };
  outputSchema?: Tool['outputSchema'];
}

/** A tool's definition, with every annotation. What is written is written once for a key, so a repetition changes nothing. */
export function definitionOf(parts: DefinitionParts): Tool {
  const { name, description, properties, required = [], writes, outputSchema } = parts;
  const all = writes === undefined ? properties : { ...properties, [KEY_ARGUMENT]: { type: 'string' } };
  return {
    name,
    title: titleOf(name),
    description,
    inputSchema: {
      type: 'object',
      properties: all,
      ...(required.length === 0 ? {} : { required: [...required] }),
    } as Tool['inputSchema'],
    ...(outputSchema === undefined ? {} : { outputSchema }),
    annotations: {
      readOnlyHint: writes === undefined,
      destructiveHint: writes?.isDestructive ?? false,
      idempotentHint: true,
    },
  };
}

/** `list_tasks` as "List tasks". */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
