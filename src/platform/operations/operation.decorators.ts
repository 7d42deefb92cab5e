import { applyDecorators, Delete, Get, Header, HttpCode, Patch, Post, Put, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  getSchemaPath,
  ApiOperation,
  ApiResponse,
} from '@nestjs/swagger';
import type { Request } from 'express';
import { idempotencyKeyOf } from '../idempotency/idempotency-key.js';
import { Idempotent } from '../idempotency/idempotent.decorator.js';
import { type Page, PageOf } from './page.dto.js';
import { PageQuery } from './page.query.js';
import { type POLL_SECONDS, polledHeaders } from '../http/headers/poll-interval.js';
import { ApiError } from '../http/api-error.js';
import type { ErrorCode } from '../http/error-codes.js';
import { errorResponses } from './error-responses.js';
import { OperationInput } from '../http/input/operation-input.js';

interface OperationText {
  /** One line; what the operation does. */
  summary: string;
  description?: string;
  /** Codes beyond those that every operation of its kind may answer. */
  errors?: readonly ErrorCode[];
}

export interface ListOptions extends OperationText {
  path?: string;
  /** Class of one record. */
  item: Type<object>;
  /** Query parameters; extends `PageQuery`. */
  query?: Type<PageQuery>;
  /** Class of the page, where it has members of its own; absent: that of `item`. */
  page?: Type<Page<unknown>>;
  /** True: a record may hold a link that opens something, so no cache may keep a page. */
  holdsLink?: boolean;
}

export interface ReadOptions extends OperationText {
  path?: string;
  response: Type<object>;
  /**
   * The answer holds a link that opens something, so no cache may keep it. `lasting`: the same one each time; `new`: each
   * answer has a link of its own, so that no two answers are equal, and there is neither an `ETag` nor a reason to poll.
   */
  holdsLink?: 'lasting' | 'new';
}

export interface StreamOptions extends OperationText {
  path: string;
  /** Query parameters. */
  query: Type<object>;
  /** What one frame holds. */
  frames: string;
  /** Some frames, as they are sent. */
  example: string;
}

export interface WriteOptions extends OperationText {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path?: string;
  response: Type<object>;
  /**
   * Class of the JSON body; absent: no body is declared, and an object that is sent is only bound to the digest. `bytes`:
   * the body is raw, and a guard of the route's own receives it and states its digest.
   */
  body?: Type<object> | 'bytes';
  /** What the document says instead of `body`, where the body has exactly one of several forms. */
  bodyForms?: readonly [Type<object>, ...Type<object>[]];
  /** The member whose value says which of the forms a body has, and the form of each value. */
  bodyFormBy?: { member: string; forms: Readonly<Record<string, Type<object>>> };
  /** True: a request without a body is one whose members are all absent. */
  bodyIsOptional?: boolean;
  /** True: the handler may begin while its key is looked up (`IdempotentOptions.readsFirst`). */
  readsFirst?: boolean;
}

const METHODS = { POST: Post, PUT: Put, PATCH: Patch, DELETE: Delete } as const;

/**
 * A GET that answers one page of records, or 304 to a caller that has this first page already. Its query is checked before
 * the handler runs.
 */
export function ListOperation(options: ListOptions): MethodDecorator {
  const { path = '', item, query = PageQuery, page = PageOf(item), holdsLink = false, ...text } = options;
  return applyDecorators(
    Get(path),
    ...polled('list', holdsLink),
    OperationInput({ query, readsBody: false }),
    ApiResponse({ status: 200, description: 'One page of records.', type: page }),
    ...documented('list', path, text),
  );
}

/** A GET that answers one record, or 304 to a caller that has it already. It takes no query parameter. */
export function ReadOperation({ path = '', response, holdsLink, ...text }: ReadOptions): MethodDecorator {
  return applyDecorators(
    Get(path),
    ...(holdsLink === 'new' ? [] : polled('record', holdsLink !== undefined)),
    OperationInput({ readsBody: false }),
    ApiResponse({ status: 200, description: text.summary, type: response }),
    ...documented(holdsLink === 'new' ? 'link' : 'read', path, text),
  );
}

/**
 * A GET that answers `text/event-stream` for as long as it pleases; its handler writes the answer. A body is refused: one
 * that is announced and does not come would cut the stream when the time for a request to arrive is over.
 */
export function StreamOperation({ path, query, frames, example, ...text }: StreamOptions): MethodDecorator {
  return applyDecorators(
    Get(path),
    OperationInput({ query, checkHeaders: refuseBody, readsBody: false }),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description:
        'The last `id` of the stream before, which browsers send by themselves; this stream begins behind it.',
      schema: { type: 'string' },
    }),
    ApiResponse({
      status: 200,
      description: frames,
      content: { 'text/event-stream': { schema: { type: 'string' }, example } },
    }),
    ...documented('stream', path, text),
  );
}

/** An idempotent write that answers 200. Its key is checked before its body is read. */
export function WriteOperation(options: WriteOptions): MethodDecorator {
  const { method, path = '', response, body, readsFirst = false } = options;
  return applyDecorators(
    METHODS[method](path),
    HttpCode(200),
    OperationInput({ checkHeaders: requireIdempotencyKey, ...inputOf(body) }),
    Idempotent({ readsFirst }),
    ApiHeader({
      name: 'Idempotency-Key',
      required: true,
      description: 'Opaque key of this request; a retry with the same key and request has the same result.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: '7f9c24e8b1d04a36a5c1e0d2b3f48697',
    }),
    ...bodyDescription(options),
    ApiResponse({ status: 200, description: options.summary, type: response }),
    ...documented('write', path, options),
  );
}

function polled(what: keyof typeof POLL_SECONDS, holdsLink: boolean): MethodDecorator[] {
  return Object.entries(polledHeaders(what, holdsLink)).map(([name, value]) => Header(name, value));
}

function inputOf(body: WriteOptions['body']): { readsBody: boolean; body?: Type<object> } {
  if (body === 'bytes') return { readsBody: false };
  return body ? { readsBody: true, body } : { readsBody: true };
}

function bodyDescription({ body, bodyForms, bodyFormBy, bodyIsOptional = false }: WriteOptions): MethodDecorator[] {
  if (body === undefined) return [];
  const required = !bodyIsOptional;
  if (bodyForms) {
    const forms = bodyForms.map((form) => ({ $ref: getSchemaPath(form) }));
    return [
      ApiExtraModels(...bodyForms),
      ApiBody({ required, schema: { oneOf: forms, ...discriminator(bodyFormBy) } }),
    ];
  }
  if (body !== 'bytes') return [ApiBody({ type: body, required })];
  return [
    ApiConsumes('application/octet-stream'),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary' } }),
  ];
}

/**
 * The discriminator of the forms. Without it, some generated clients take the first form whose members are all there,
 * and send only those.
 */
function discriminator(by: WriteOptions['bodyFormBy']) {
  if (by === undefined) return {};
  const mapping = Object.fromEntries(Object.entries(by.forms).map(([value, form]) => [value, getSchemaPath(form)]));
  return { discriminator: { propertyName: by.member, mapping } };
}

function refuseBody({ headers }: Request): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  throw new ApiError('invalid_request', 'A stream is asked for without a body.');
}

function requireIdempotencyKey({ headersDistinct }: Request): void {
  idempotencyKeyOf(headersDistinct['idempotency-key']);
}

function documented(
  kind: 'list' | 'read' | 'link' | 'stream' | 'write',
  path: string,
  { summary, description, errors }: OperationText,
) {
  return [
    ApiOperation({ summary, ...(description === undefined ? {} : { description }) }),
    // Which headers its responses carry (openapi/complete-operations.ts).
    ApiExtension('x-operation-kind', kind),
    ...errorResponses({ kind, path, errors: errors ?? [] }),
  ];
}
