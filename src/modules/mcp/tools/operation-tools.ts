import { Injectable } from '@nestjs/common';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { ActionKind } from '#libs/prepared-action';
import { Clock } from '../../../platform/time/clock.js';
import type { DescribedOperation } from '../operations/described-operation.js';
import { InnerOperations } from '../operations/inner-operations.js';
import { isObject, type JsonObject } from '../operations/json-value.js';
import { ENVELOPE_SCHEMA, envelopeResult } from '../results/signing-envelope.js';
import { SigningEnvelopes } from '../results/signing-envelopes.js';
import { answerResult } from '../results/tool-results.js';
import { keyedArguments } from './write-key.js';
import { definitionOf, type McpTool, type ToolCall } from './mcp-tool.js';
import { linkRequest } from './sign-link.js';
import type { OperationTool } from './tool-table.js';

/** Makes a tool of one operation, described and checked by the operation itself. */
@Injectable()
export class OperationTools {
  constructor(
    private readonly operations: InnerOperations,
    private readonly envelopes: SigningEnvelopes,
    private readonly clock: Clock,
  ) {}

  toolOf({ name, prepares, isDestructive }: OperationTool, operation: DescribedOperation): McpTool {
    const { scope, summary: description, properties, required } = operation;
    const isRead = operation.method === 'GET';
    const definition = definitionOf({
      name,
      description,
      properties,
      required,
      ...(isRead ? {} : { writes: { isDestructive: isDestructive === true } }),
      ...(prepares === undefined ? {} : { outputSchema: ENVELOPE_SCHEMA }),
    });
    if (isRead) return { definition, scope, run: (call) => this.read(operation, call) };
    if (prepares === undefined) return { definition, scope, run: (call) => this.write(name, operation, call) };
    return { definition, scope, run: (call) => this.prepare({ name, kind: prepares, operation }, call) };
  }

  private async read(operation: DescribedOperation, { caller, given }: ToolCall): Promise<CallToolResult> {
    return answerResult(await this.operations.call(caller, operation, given));
  }

  private async write(name: string, operation: DescribedOperation, call: ToolCall): Promise<CallToolResult> {
    const { own, idempotencyKey } = keyedArguments(name, call, this.clock.nowMs());
    return answerResult(await this.operations.call(call.caller, operation, own, { idempotencyKey }));
  }

  private async prepare(
    { name, kind, operation }: { name: string; kind: ActionKind; operation: DescribedOperation },
    call: ToolCall,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { own, idempotencyKey } = keyedArguments(name, call, this.clock.nowMs());
    const answer = await this.operations.call(call.caller, operation, own, { idempotencyKey });
    if (answer.isError) return answerResult(answer);
    const { principal } = call.caller;
    const inPath = membersOf(own, (member) => operation.pathNames.includes(member));
    const envelope = await this.envelopes.of(actionIn(answer.body), {
      kind,
      accountId: principal.accountId,
      // A worker's agent may be paid to a wallet of its own, which only the service knows.
      ...(operation.scope === 'buyer' && principal.walletAddress !== null ? { wallet: principal.walletAddress } : {}),
      inPath,
      ...(operation.body === 'json' ? { body: membersOf(own, (member) => !operation.pathNames.includes(member)) } : {}),
    });
    return linkRequest(envelope, idempotencyKey, call.context) ?? envelopeResult(envelope);
  }
}

/** A delivery answers with its action inside. */
function actionIn(answer: JsonObject): JsonObject {
  const inner = answer['prepared_action'];
  return isObject(inner) ? inner : answer;
}

function membersOf(given: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([name]) => isWanted(name)));
}
