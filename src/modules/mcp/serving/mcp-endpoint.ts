import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { McpCaller } from '../operations/mcp-caller.js';
import { authInfoOf, McpServerFactory } from './mcp-server-factory.js';

/** Serves requests of the Model Context Protocol, of both eras and without sessions: any process can answer any of them. */
@Injectable()
export class McpEndpoint implements OnModuleDestroy {
  private readonly logger = new Logger('mcp');
  private readonly handler;
  private readonly serve;

  constructor(factory: McpServerFactory) {
    this.handler = createMcpHandler((context) => factory.serverFor(context), {
      onerror: (error) => this.logger.debug(error.message),
      // Nothing here is published, so that nobody need listen.
      maxSubscriptions: 0,
    });
    this.serve = toNodeHandler(this.handler);
  }

  async onModuleDestroy(): Promise<void> {
    await this.handler.close();
  }

  /**
   * Answers one request, whose body is parsed and checked.
   * @throws ApiError `invalid_token` for a token that is bound to a key: the proof that comes with it is for this URL, and
   * would not prove the operations behind a tool.
   */
  async answer(principal: Principal, request: Request, response: Response): Promise<void> {
    if (principal.provesKey === true) {
      throw new ApiError(
        'invalid_token',
        'A token that is bound to a key is for /v1 alone.',
        'Use a bearer token here.',
      );
    }
    const auth = authInfoOf(new McpCaller(principal, request, response));
    await this.serve(Object.assign(request, { auth }), response, request.body);
  }
}
