import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { InnerRequest } from '../../../platform/http/server/inner-request.js';
import { TasktreeExpressAdapter } from '../../../platform/http/server/tasktree-express-adapter.js';
import type { DescribedOperation } from './described-operation.js';
import { isObject, type JsonObject } from './json-value.js';
import type { McpCaller } from './mcp-caller.js';
import { operationRequest } from './operation-request.js';

/** What an operation has answered: a JSON object, and whether it is an error. */
export interface OperationAnswer {
  isError: boolean;
  /** True: it was answered so to an earlier call with the same key. */
  isReplayed: boolean;
  body: JsonObject;
}

/** What a write is sent with beside its arguments. */
export interface WriteExtras {
  idempotencyKey: string;
  /** Bytes of the body, for an operation that takes no JSON. */
  bytes?: Buffer;
}

/**
 * Calls operations of the interface for a caller of the MCP endpoint, as requests of their own: with the caller's own
 * credential, through the same guards, limits, validation and idempotency as requests of the network
 * (docs/decisions/http.md#mcp).
 */
@Injectable()
export class InnerOperations {
  constructor(private readonly host: HttpAdapterHost) {}

  /**
   * Calls one operation.
   * @throws ApiError for arguments that have no place in its request; everything else is in the answer.
   */
  async call(
    caller: McpCaller,
    operation: DescribedOperation,
    given: JsonObject,
    write?: WriteExtras,
  ): Promise<OperationAnswer> {
    const { method, target, body } = operationRequest(operation, given);
    const bytes = write?.bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body), 'utf8'));
    const isJson = write?.bytes === undefined && bytes !== undefined;
    const answer = await this.adapter.sendInside({
      method,
      target,
      headers: {
        ...caller.credentials,
        accept: 'application/json',
        ...(write === undefined ? {} : { 'idempotency-key': write.idempotencyKey }),
        ...(bytes === undefined ? {} : { 'content-type': isJson ? 'application/json' : 'application/octet-stream' }),
      },
      ...(bytes === undefined ? {} : { body: bytes }),
      clientAddress: caller.address,
    } satisfies InnerRequest);
    const read: unknown = JSON.parse(answer.body.toString('utf8'));
    return { isError: answer.status >= 400, isReplayed: answer.isReplayed, body: isObject(read) ? read : {} };
  }

  private get adapter(): TasktreeExpressAdapter {
    const { httpAdapter } = this.host;
    if (httpAdapter instanceof TasktreeExpressAdapter) return httpAdapter;
    throw new Error('The MCP endpoint needs the HTTP side of the service');
  }
}
