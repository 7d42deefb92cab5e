import type { Request, Response } from 'express';
import type { Principal } from '../../../platform/http/principal.js';

/** Headers that prove who is calling; they are sent along with each operation of a tool, and prove it there anew. */
const CREDENTIALS = ['x-api-key', 'authorization', 'service-version'] as const;

/** Who called the MCP endpoint, and the request in which that was done. */
export class McpCaller {
  /** Read at once, because a socket that is closed has no address any more. */
  readonly address: string | undefined;

  constructor(
    readonly principal: Principal,
    readonly request: Request,
    readonly response: Response,
  ) {
    this.address = request.ip;
  }

  get credentials(): Record<string, string> {
    const { headers } = this.request;
    return Object.fromEntries(
      CREDENTIALS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
    );
  }
}
