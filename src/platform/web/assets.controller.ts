import { Controller, Get, Param, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Environment, LOCAL_CHAIN_ID } from '../config/environment.js';
import { ApiError } from '../http/api-error.js';
import { Public } from '../http/public-route.decorator.js';
import { findAsset } from './assets.js';

/** The style and the scripts of the pages. */
@ApiExcludeController()
@Controller({ path: 'assets', version: VERSION_NEUTRAL })
export class AssetsController {
  constructor(private readonly environment: Environment) {}

  @Get(':hash/:name')
  @Public('style and script of the pages are no secret')
  readAsset(@Param('hash') hash: string, @Param('name') name: string, @Res() response: Response): void {
    const found = findAsset(hash, name, { isLocalChain: this.environment.chainId === LOCAL_CHAIN_ID });
    if (!found) throw new ApiError('not_found', 'There is no such file.');
    response.setHeader('Content-Type', found.mediaType);
    response.setHeader('Content-Length', found.bytes.length);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.end(response.req.method === 'HEAD' ? undefined : found.bytes);
  }
}
