import { Controller, HttpCode, Post, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment.js';
import { ApiError } from '../../http/api-error.js';
import { readJsonBody } from '../../http/input/json-body.js';
import { requireOwnOrigin } from '../../http/own-origin.js';
import { Public } from '../../http/public-route.decorator.js';

/** Longer than a local chain takes to mine. */
const ANSWER_MS = 15_000;

/**
 * Passes requests of the test wallet's script on to the process of the local market that has its keys, which this
 * process never has. They pass through here because pages may talk to their own origin alone.
 */
@ApiExcludeController()
@Controller({ path: 'test-wallet', version: VERSION_NEUTRAL })
export class TestWalletController {
  constructor(private readonly environment: Environment) {}

  /** @throws ApiError `not_found` wherever there is no test wallet, `invalid_request` for pages of other sites. */
  @Post()
  @HttpCode(200)
  @Public('the wallet of the local market holds test money alone')
  async ask(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { testWalletUrl, baseUrl } = this.environment;
    if (testWalletUrl === null) throw new ApiError('not_found', 'There is no such resource.');
    requireOwnOrigin(request, baseUrl);
    const { value } = await readJsonBody(request, response);
    const answer = await fetch(testWalletUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(value ?? {}),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Cache-Control', 'no-store');
    response.status(200).end(await answer.text());
  }
}
