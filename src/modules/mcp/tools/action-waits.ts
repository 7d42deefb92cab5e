import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ActionStatus } from '#libs/prepared-action';
import { ApiError } from '../../../platform/http/api-error.js';
import { ProgressWaits } from '../../signing/approval/progress-waits.js';
import type { DescribedOperation } from '../operations/described-operation.js';
import { InnerOperations, type OperationAnswer } from '../operations/inner-operations.js';
import { textIn } from '../operations/json-value.js';
import { answerResult } from '../results/tool-results.js';
import type { ToolCall } from './mcp-tool.js';

/** Longest wait of one call, in seconds: hosts give a call a minute, and proxies often only thirty seconds. */
export const LONGEST_WAIT_SECONDS = 25;
const PROGRESS_MS = 5_000;

/** Words of a status that waits for a person, as prepare tools say it. */
export const AWAITING: ReadonlySet<string> = new Set<ActionStatus>(['prepared', 'opened']);
/** Words of a status after which nothing happens to an action any more. */
export const ENDED: ReadonlySet<string> = new Set<ActionStatus>([
  'final',
  'declined',
  'expired',
  'superseded',
  'failed',
]);

/** What has become of an action, told at its next event rather than at once (docs/decisions/events.md#the-service-listens-too). */
@Injectable()
export class ActionWaits {
  constructor(
    private readonly operations: InnerOperations,
    private readonly waits: ProgressWaits,
  ) {}

  /** Answers at once, or with `wait_seconds` when something happens to an action that has not ended. */
  async answer(operation: DescribedOperation, call: ToolCall): Promise<CallToolResult> {
    const { wait_seconds: seconds = 0, ...given } = call.given;
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0 || seconds > LONGEST_WAIT_SECONDS) {
      throw new ApiError('invalid_parameter', `wait_seconds is not a whole number from 0 to ${LONGEST_WAIT_SECONDS}.`);
    }
    const read = () => this.operations.call(call.caller, operation, given);
    if (seconds === 0) return actionResult(await read());
    // Begun before the action is read, so that nothing that happens in between is missed.
    const id = textIn(given, 'action_id') ?? '';
    const { principal, response } = call.caller;
    const wait = await this.waits.begin({ id, accountId: principal.accountId }, response, seconds * 1000);
    if (wait === null) return actionResult(await read());
    try {
      const now = await read();
      if (now.isError || ENDED.has(textIn(now.body, 'status') ?? '')) return actionResult(now);
      await withProgress(wait.over, seconds, call);
      // Nobody reads what another reading would cost.
      if (response.destroyed) return actionResult(now);
      return actionResult(await read());
    } finally {
      wait.end();
    }
  }
}

/** Waits, and tells a client that asked for progress that it still does. */
async function withProgress(over: Promise<void>, total: number, { context: { mcpReq } }: ToolCall): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return over;
  let progress = 0;
  const tell = (): void => {
    progress += PROGRESS_MS / 1000;
    const message = 'Waiting for the wallet or the chain';
    const params = { progressToken, progress, total, message };
    // A client that is gone ends the wait by itself.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    await over;
  } finally {
    clearInterval(timer);
  }
}

function actionResult({ isError, body }: OperationAnswer): CallToolResult {
  const status = textIn(body, 'status');
  if (isError || status === undefined || !AWAITING.has(status)) return answerResult({ isError, body });
  return answerResult({ isError, body: { ...body, status: 'awaiting_signature' } });
}
