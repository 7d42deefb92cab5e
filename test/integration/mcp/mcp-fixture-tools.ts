import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { definitionOf, type McpTool, type ToolCall } from '../../../src/modules/mcp/tools/mcp-tool.js';
import { ToolCatalogue } from '../../../src/modules/mcp/tools/tool-catalogue.js';

/** Tools by whose names and answers the official conformance suite (0.2.0-alpha.12) looks at a server. */

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const IMAGE = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });
const resource = (name: string, mimeType: string, said: string) => ({
  type: 'resource' as const,
  resource: { uri: `test://${name}`, mimeType, text: said },
});

/** A question with one answer of this type. */
const asks = (message: string, name: string, type: 'string' | 'boolean') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } as any,
  });
const says = (said: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: said } }], maxTokens });

const NAME = () => asks('What is your name?', 'name', 'string');
const state = (round: string) => `${round}.${createHmac('sha256', 'fixture').update(round).digest('base64url')}`;

/** The round that a state was made for; refuses what was made elsewhere. */
function roundOf({ context: { mcpReq } }: ToolCall): string | undefined {
  const sent = mcpReq.requestState<string>();
  const [round] = sent?.split('.') ?? [];
  if (sent === undefined || round === undefined) return undefined;
  if (sent !== state(round)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state is not good.');
  return round;
}

const answers = ({ context: { mcpReq } }: ToolCall): Record<string, any> => mcpReq.inputResponses ?? {};

/** Asks for what is missing, and is complete once everything is there. */
function until(requests: () => Record<string, any>, done: (given: Record<string, any>) => string, withState = false) {
  return (call: ToolCall) => {
    const round = roundOf(call);
    const given = answers(call);
    const asked = requests();
    const isWhole = Object.keys(asked).every((key) => typeof given[key] === 'object' && given[key] !== null);
    if (isWhole && (!withState || round !== undefined)) return text(done(given));
    return inputRequired({ inputRequests: asked, ...(withState ? { requestState: state('one') } : {}) });
  };
}

async function progress({ context: { mcpReq } }: ToolCall) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const at of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: at, total: 100 } });
    }
    await sleep(20);
  }
  return text('done');
}

function rounds(call: ToolCall) {
  const round = roundOf(call);
  if (round === 'two' && answers(call)['step2'] !== undefined) return text('All rounds are over');
  if (round === 'one' && answers(call)['step1'] !== undefined) {
    const step2 = asks('Step 2: What is your favorite color?', 'color', 'string');
    return inputRequired({ inputRequests: { step2 }, requestState: state('two') });
  }
  const step1 = asks('Step 1: What is your name?', 'name', 'string');
  return inputRequired({ inputRequests: { step1 }, requestState: state('one') });
}

const ALL = () => ({
  user_name: NAME(),
  greeting: says('Generate a greeting', 50),
  client_roots: inputRequired.listRoots(),
});

/** Asks for a confirmation, by a state of its own. */
const confirmed = until(
  () => ({ confirm: asks('Please confirm', 'ok', 'boolean') }),
  () => 'state-ok',
  true,
);

const RUN: Record<string, (call: ToolCall) => any> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [IMAGE] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      ...text('Multiple content types test:').content,
      IMAGE,
      resource('mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_progress: progress,
  test_logging_tool: () => text('logged'),
  test_missing_capability: () => inputRequired({ inputRequests: { said: says('Hello', 10) } }),
  test_streaming_elicitation: until(
    () => ({ user_name: NAME() }),
    () => 'streamed',
  ),
  test_input_required_result_elicitation: until(
    () => ({ user_name: NAME() }),
    (given) => `Hello, ${given['user_name'].content?.name}!`,
  ),
  test_input_required_result_sampling: until(
    () => ({ capital_question: says('What is the capital of France?', 100) }),
    (given) => String(given['capital_question'].content?.text),
  ),
  test_input_required_result_list_roots: until(
    () => ({ client_roots: inputRequired.listRoots() }),
    (given) => JSON.stringify(given['client_roots'].roots),
  ),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs: until(ALL, () => 'everything is there', true),
  test_input_required_result_capabilities: ({ context: { mcpReq } }) => {
    const declared: any = { ...mcpReq.envelope }[CLIENT_CAPABILITIES_META_KEY as keyof typeof mcpReq.envelope] ?? {};
    const { user_name, greeting } = ALL();
    const inputRequests = {
      ...(declared.elicitation === undefined ? {} : { user_name }),
      ...(declared.sampling === undefined ? {} : { greeting }),
    };
    return Object.keys(inputRequests).length === 0 ? text('nothing to ask') : inputRequired({ inputRequests });
  },
  test_input_required_result_multi_round: rounds,
};

/** The vocabulary of JSON Schema 2020-12 that must come through as it is. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const SCHEMA_TOOL: McpTool = {
  scope: 'read',
  definition: { name: 'json_schema_2020_12_tool', description: 'A fixture', inputSchema: SCHEMA },
  run: async () => text('checked by nobody'),
};

const FIXTURES: readonly McpTool[] = [
  SCHEMA_TOOL,
  ...Object.entries(RUN).map(([name, run]): McpTool => ({
    scope: 'read',
    definition: definitionOf({ name, description: 'A fixture of the conformance suite', properties: {} }),
    run: async (call) => run(call),
  })),
];

/** The catalogue of the service with the fixtures beside its own tools. */
export class FixtureCatalogue extends ToolCatalogue {
  override listedFor(scopes: readonly string[]): McpTool[] {
    return [...super.listedFor(scopes), ...FIXTURES];
  }

  override named(name: string): McpTool | undefined {
    return FIXTURES.find(({ definition }) => definition.name === name) ?? super.named(name);
  }
}
