import { Controller, HttpCode, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MCP_PATH } from '../../platform/http/mcp-path.js';
import { OperationInput } from '../../platform/http/input/operation-input.js';
import { CurrentPrincipal, type Principal } from '../../platform/http/principal.js';
import { ProtectedResource } from '../credentials/credential-challenge.js';
import { ANY_SCOPE, RequiredScope } from '../credentials/scope.js';
import { McpEndpoint } from './serving/mcp-endpoint.js';

/**
 * The endpoint of the Model Context Protocol (Streamable HTTP). It is a route like the others: version, credential, limit
 * and body are checked by the same guards, and errors before the protocol have the one shape.
 */
@ApiExcludeController()
@Controller({ path: MCP_PATH, version: VERSION_NEUTRAL })
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  /** One message of the protocol. Batches are refused with the body: the newest revisions have none. */
  @Post()
  @HttpCode(200)
  @RequiredScope(ANY_SCOPE)
  @ProtectedResource(MCP_PATH)
  @OperationInput({ readsBody: true })
  answerMessage(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.endpoint.answer(principal, request, response);
  }
}
