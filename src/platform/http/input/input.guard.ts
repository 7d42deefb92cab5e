import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { BYTES32_PATTERN, isIdentifier } from '#libs/kernel';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../api-error.js';
import { checkedInstance, declaredNames } from './input-shape.js';
import { readJsonBody } from './json-body.js';
import { OperationInput, type OperationShape } from './operation-input.js';
import { parseQueryString } from './query-string.js';

const NO_NAMES: ReadonlySet<string> = new Set();
/** Checked queries kept per class: the same first pages are asked for again and again. */
const QUERIES_KEPT = 1000;
const LONGEST_KEPT = 256;

interface QueryCheck {
  names: ReadonlySet<string>;
  checked: LRUCache<string, object>;
}

/**
 * Checks path, query, headers and body of an operation, in this order and before its idempotency: Nest's pipes would come after
 * the interceptor. The handler finds checked instances in `query` and `body`.
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly queries = new Map<Type<object>, QueryCheck>();

  constructor(private readonly reflector: Reflector) {}

  /** @throws ApiError `invalid_parameter`, `unknown_parameter`, one of the shape's headers, or of `readJsonBody`. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    checkPathParameters(request.params);
    const shape = this.reflector.get(OperationInput, context.getHandler());
    if (shape === undefined) return true;
    this.checkQuery(shape, request);
    shape.checkHeaders?.(request);
    return shape.readsBody ? checkBody(shape, request, http.getResponse<Response>()) : true;
  }

  private checkQuery({ query }: OperationShape, request: Request): void {
    const start = request.url.indexOf('?');
    const text = start === -1 ? '' : request.url.slice(start + 1);
    if (query === undefined) {
      parseQueryString(text, NO_NAMES);
      return;
    }
    // Express's `query` parses anew at every look; an own property replaces it for this request.
    Object.defineProperty(request, 'query', { value: this.checkedQuery(query, text) });
  }

  private checkedQuery(shape: Type<object>, text: string): object {
    let known = this.queries.get(shape);
    if (known === undefined) {
      known = { names: declaredNames(shape), checked: new LRUCache({ max: QUERIES_KEPT }) };
      this.queries.set(shape, known);
    }
    const before = known.checked.get(text);
    if (before) return before;
    // Frozen, because requests with the same query share it.
    const query = Object.freeze(checkedInstance(shape, parseQueryString(text, known.names), 'invalid_parameter'));
    if (text.length <= LONGEST_KEPT) known.checked.set(text, query);
    return query;
  }
}

/**
 * Path parameters are Identifiers, or a Bytes32 where they name a hash (docs/decisions/interface.md#types-on-the-wire).
 */
function checkPathParameters(parameters: Request['params']): void {
  for (const name in parameters) {
    const value = parameters[name];
    const text = typeof value === 'string' ? value : '';
    if (name.endsWith('_id') && !isIdentifier(text)) {
      throw new ApiError('invalid_parameter', `${name} is not an identifier: 1 to 128 letters, digits, "_" or "-".`);
    }
    if (name.endsWith('_hash') && !BYTES32_PATTERN.test(text)) {
      throw new ApiError('invalid_parameter', `${name} is not 32 bytes: "0x" and 64 hexadecimal digits.`);
    }
  }
}

async function checkBody({ body }: OperationShape, request: Request, response: Response): Promise<boolean> {
  const { value, digest } = await readJsonBody(request, response);
  request.context.requestDigest = digest;
  if (value !== undefined) request.context.requestBody = value;
  request.body = body === undefined ? value : checkedInstance(body, value ?? {}, 'invalid_body');
  return true;
}
