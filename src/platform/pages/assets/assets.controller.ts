import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Environment, LOCAL_CHAIN_ID } from '../../config/environment.js';
import { ApiError } from '../../http/api-error.js';
import { Public } from '../../http/public-route.decorator.js';
import { StaticAnswer } from '../../http/static-answer.js';
import { type Asset, findAsset } from './assets.js';

/** The style and the scripts of the pages. */
@ApiExcludeController()
@Controller({ path: 'assets', version: VERSION_NEUTRAL })
export class AssetsController {
  private readonly answers = new Map<string, StaticAnswer>();

  constructor(private readonly environment: Environment) {}

  @Get(':hash/:name')
  @Public('style and script of the pages are no secret')
  async readAsset(
    @Param('hash') hash: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const found = findAsset(hash, name, { isLocalChain: this.environment.chainId === LOCAL_CHAIN_ID });
    if (!found) throw new ApiError('not_found', 'There is no such file.');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    await this.answerOf(found).send(request, response);
  }

  private answerOf({ bytes, mediaType, hash }: Asset): StaticAnswer {
    const before = this.answers.get(hash);
    if (before) return before;
    const encodings = this.environment.compressAnswers ? undefined : [];
    const answer = new StaticAnswer(mediaType, bytes, encodings, 'public, max-age=31536000, immutable');
    this.answers.set(hash, answer);
    return answer;
  }
}
