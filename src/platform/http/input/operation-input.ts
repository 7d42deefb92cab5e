import type { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';

/** What an operation accepts; `InputGuard` checks it before anything else of the operation runs. */
export interface OperationShape {
  /** Class of the query parameters; absent: the operation takes none. */
  query?: Type<object>;
  /** Refuses, with an ApiError, a request whose own headers are not as the operation needs them. */
  checkHeaders?: (request: Request) => void;
  /** True: the operation reads a JSON body. */
  readsBody: boolean;
  /** Class of the body; absent on an operation that reads one: any JSON object, bound to the digest and not used. */
  body?: Type<object>;
}

/** Set by the operation decorators. Routes without it (pages) state their input themselves. */
export const OperationInput = Reflector.createDecorator<OperationShape>();
