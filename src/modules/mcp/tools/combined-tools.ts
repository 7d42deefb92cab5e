import { Injectable } from '@nestjs/common';
import { sha256 } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import type { DescribedOperation } from '../operations/described-operation.js';
import { InnerOperations } from '../operations/inner-operations.js';
import type { JsonObject } from '../operations/json-value.js';
import { answerResult, resultOf } from '../results/tool-results.js';
import { ActionWaits, LONGEST_WAIT_SECONDS } from './action-waits.js';
import { keyedArguments } from './write-key.js';
import { definitionOf, type McpTool, type ToolCall } from './mcp-tool.js';
import { RECORDS } from './tool-table.js';

/** Finds an operation by its id. */
export type OperationOf = (id: string) => DescribedOperation;

const ID = { type: 'string' };

/** Nodes of a task that the overview shows; a tree with more is read page by page with `list_inbox` or the interface. */
const MOST_NODES = 100;

/** The tools that are more than one operation, so that few tools are enough to read everything. */
@Injectable()
export class CombinedTools {
  constructor(
    private readonly operations: InnerOperations,
    private readonly waits: ActionWaits,
    private readonly clock: Clock,
  ) {}

  toolsOf(operationOf: OperationOf): McpTool[] {
    return [
      this.taskOverview(operationOf('getTask'), operationOf('listTaskNodes')),
      this.agent(operationOf('getAgent'), operationOf('getAgentReputation')),
      this.records(operationOf),
      this.workLink(operationOf('getDeliveryArtifact'), operationOf('getTaskPreview')),
      this.action(operationOf('getAction')),
      this.upload(operationOf('uploadArtifact')),
    ];
  }

  private taskOverview(task: DescribedOperation, nodes: DescribedOperation): McpTool {
    return {
      scope: task.scope,
      definition: definitionOf({
        name: 'get_task_overview',
        description: `${task.summary}; with its escrow nodes`,
        properties: { task_id: ID },
        required: ['task_id'],
      }),
      run: (call) => this.both(call, { task, nodes }, { nodes: { limit: MOST_NODES } }),
    };
  }

  private agent(agent: DescribedOperation, reputation: DescribedOperation): McpTool {
    return {
      scope: agent.scope,
      definition: definitionOf({
        name: 'get_agent',
        description: `${agent.summary}; with its reputation`,
        properties: { agent_id: ID },
        required: ['agent_id'],
      }),
      run: (call) => this.both(call, { agent, reputation }),
    };
  }

  private records(operationOf: OperationOf): McpTool {
    const lists = Object.entries(RECORDS).map(([of, id]) => [of, operationOf(id)] as const);
    return {
      scope: 'read',
      definition: definitionOf({
        name: 'list_records',
        description: lists.map(([of, { summary }]) => `${of}: ${summary}`).join('. '),
        properties: {
          of: { type: 'string', enum: lists.map(([of]) => of) },
          // The operation refuses what it does not take.
          ...Object.assign({}, ...lists.map(([, { properties }]) => properties)),
        },
        required: ['of'],
      }),
      run: async ({ caller, given: { of, ...given } }) => {
        const [, operation] = lists.find(([name]) => name === of) ?? [];
        if (operation === undefined) {
          throw new ApiError('invalid_parameter', `of is one of ${Object.keys(RECORDS).join(', ')}.`);
        }
        return answerResult(await this.operations.call(caller, operation, given));
      },
    };
  }

  private workLink(artifact: DescribedOperation, preview: DescribedOperation): McpTool {
    return {
      scope: artifact.scope,
      definition: definitionOf({
        name: 'get_work_link',
        description: `With delivery_id: ${artifact.summary}. With task_id: ${preview.summary}`,
        properties: { delivery_id: ID, task_id: ID },
      }),
      run: async ({ caller, given }) =>
        answerResult(await this.operations.call(caller, 'delivery_id' in given ? artifact : preview, given)),
    };
  }

  private action(action: DescribedOperation): McpTool {
    return {
      scope: action.scope,
      definition: definitionOf({
        name: 'get_action',
        description: action.summary,
        properties: {
          action_id: ID,
          wait_seconds: {
            type: 'integer',
            maximum: LONGEST_WAIT_SECONDS,
            description: 'Answer at its next change, at the latest after so long',
          },
        },
        required: ['action_id'],
      }),
      run: (call) => this.waits.answer(action, call),
    };
  }

  /** An artifact that is a text: what a model has written. Larger and binary ones are uploaded over the interface. */
  private upload(upload: DescribedOperation): McpTool {
    const name = 'upload_artifact';
    return {
      scope: upload.scope,
      definition: definitionOf({
        name,
        description: `${upload.summary}: a text, as UTF-8`,
        properties: { text: { type: 'string' } },
        required: ['text'],
        writes: { isDestructive: false },
      }),
      run: async (call) => {
        const { own, idempotencyKey } = keyedArguments(name, upload, call, this.clock.nowMs());
        const { text, ...others } = own;
        if (typeof text !== 'string' || text === '')
          throw new ApiError('invalid_parameter', 'text is missing or no text.');
        const bytes = Buffer.from(text, 'utf8');
        const given = { ...others, artifact_hash: `0x${sha256(bytes).toString('hex')}` };
        return answerResult(await this.operations.call(call.caller, upload, given, { idempotencyKey, bytes }));
      },
    };
  }

  /** The answers of two reads under their names; the first of them decides whether there is an answer. */
  private async both(
    { caller, given }: ToolCall,
    reads: Readonly<Record<string, DescribedOperation>>,
    extras: Readonly<Record<string, JsonObject>> = {},
  ) {
    const answers = await Promise.all(
      Object.entries(reads).map(async ([name, operation]) => {
        const answer = await this.operations.call(caller, operation, { ...given, ...extras[name] });
        return [name, answer] as const;
      }),
    );
    const refused = answers.find(([, { isError }]) => isError);
    if (refused !== undefined) return answerResult(refused[1]);
    return resultOf(Object.fromEntries(answers.map(([name, { body }]) => [name, body])));
  }
}
