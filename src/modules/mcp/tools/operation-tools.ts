import { Injectable } from '@nestjs/common';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { ActionKind } from '#libs/prepared-action';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { ActionsService } from '../../prepared-actions/lifecycle/actions.service.js';
import type { DescribedOperation } from '../operations/described-operation.js';
import { InnerOperations, type OperationAnswer } from '../operations/inner-operations.js';
import type { McpCaller } from '../operations/mcp-caller.js';
import { isObject, type JsonObject, textIn } from '../operations/json-value.js';
import { ENVELOPE_SCHEMA, envelopeResult } from '../results/signing-envelope.js';
import { SigningEnvelopes } from '../results/signing-envelopes.js';
import { answerResult } from '../results/tool-results.js';
import { AWAITING, ENDED } from './action-waits.js';
import { keyedArguments, sendKeyed } from './write-key.js';
import { definitionOf, type McpTool, type ToolCall } from './mcp-tool.js';
import { linkRequest } from './sign-link.js';
import type { OperationTool } from './tool-table.js';

/** The answer of a prepare operation. */
interface PreparedAnswer extends OperationAnswer {
  /** What has become of the action of an earlier call; absent: it has just been prepared, or there is none. */
  status?: string;
}

/** Makes a tool of one operation, described and checked by the operation itself. */
@Injectable()
export class OperationTools {
  constructor(
    private readonly operations: InnerOperations,
    private readonly envelopes: SigningEnvelopes,
    private readonly actions: ActionsService,
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
    const keyed = keyedArguments(name, operation, call, this.clock.nowMs());
    const send = (idempotencyKey: string) =>
      this.operations.call(call.caller, operation, keyed.own, { idempotencyKey });
    return answerResult((await sendKeyed(keyed, send)).answer);
  }

  private async prepare(
    { name, kind, operation }: { name: string; kind: ActionKind; operation: DescribedOperation },
    call: ToolCall,
  ): Promise<CallToolResult | InputRequiredResult> {
    const keyed = keyedArguments(name, operation, call, this.clock.nowMs());
    const { own } = keyed;
    const send = async (idempotencyKey: string) =>
      this.withStatus(call.caller, await this.operations.call(call.caller, operation, own, { idempotencyKey }));
    const { answer, usedKey } = await sendKeyed(keyed, send, isOver);
    if (answer.isError) return answerResult(answer);
    const action = actionIn(answer.body);
    if (answer.status !== undefined && !AWAITING.has(answer.status)) throw notAwaited(action, answer.status);
    const { principal } = call.caller;
    const inPath = membersOf(own, (member) => operation.pathNames.includes(member));
    const envelope = await this.envelopes.of(action, {
      kind,
      accountId: principal.accountId,
      // A worker's agent may be paid to a wallet of its own, which only the service knows.
      ...(operation.scope === 'buyer' && principal.walletAddress !== null ? { wallet: principal.walletAddress } : {}),
      inPath,
      ...(operation.body === 'json' ? { body: membersOf(own, (member) => !operation.pathNames.includes(member)) } : {}),
    });
    return linkRequest(envelope, usedKey, call.context) ?? envelopeResult(envelope);
  }

  /**
   * An answer of an earlier call, with what has become of its action since. It is read for the account and not by an
   * operation, because a key that prepares need not have the scope that reads; nothing but this word of it is told.
   */
  private async withStatus({ principal: { accountId } }: McpCaller, answer: OperationAnswer): Promise<PreparedAnswer> {
    const id = textIn(actionIn(answer.body), 'action_id');
    if (!answer.isReplayed || answer.isError || id === undefined) return answer;
    const { status } = await this.actions.get({ accountId, scopes: [] }, id);
    return { ...answer, status };
  }
}

/** True when the answer of an earlier call asks nobody for a signature any more, and may be replaced by a new one. */
function isOver({ isError, status = 'unknown' }: PreparedAnswer): boolean {
  return isError || status === 'confirmed' || ENDED.has(status);
}

/** Refuses to show the link of an action again that waits for no signature. */
function notAwaited(action: JsonObject, status: string): ApiError {
  return new ApiError(
    'state_conflict',
    `This call has prepared ${textIn(action, 'action_id') ?? 'an action'} before, whose status is ${status}.`,
    'get_action says what has become of it. Another one needs an idempotency_key of its own.',
  );
}

/** A delivery answers with its action inside. */
function actionIn(answer: JsonObject): JsonObject {
  const inner = answer['prepared_action'];
  return isObject(inner) ? inner : answer;
}

function membersOf(given: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([name]) => isWanted(name)));
}
