import type { Request, Response } from 'express';
import type { Principal } from '../../../platform/http/principal.js';

/** Headers that prove who is calling; they are sent along with each operation of a tool, and prove it there anew. */
const CREDENTIALS = ['x-api-key', 'authorization', 'service-version'] as const;

/** Who called the MCP endpoint, and the request in which that was done. */
export class McpCaller {
  constructor(
    readonly principal: Principal,
    readonly request: Request,
    readonly response: Response,
  ) {}

  get credentials(): Record<string, string> {
    const { headers } = this.request;
    return Object.fromEntries(
      CREDENTIALS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
    );
  }

  get address(): string | undefined {
    return this.request.ip;
  }
}
