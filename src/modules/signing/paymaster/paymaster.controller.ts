import { Controller, HttpCode, Options, Param, Post, Req, Res, UseFilters, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { readJsonBody } from '../../../platform/http/input/json-body.js';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { ErrorFilter } from '../../../platform/http/server/error.filter.js';
import { PaymasterLimits } from './paymaster-limits.js';
import { PaymasterLinks } from './paymaster-links.js';
import { SponsoredOperations } from './sponsored-operations.js';

const ADDRESS_IS_THE_CREDENTIAL = 'the address names one action and cannot be guessed, and pays for that action alone';

/**
 * `/paymaster/{token}`: the paymaster service (ERC-7677) of one action, for wallets and their servers. They come from any
 * origin and send no cookie, so every origin may read the answers.
 */
@ApiExcludeController()
@Controller({ path: 'paymaster', version: VERSION_NEUTRAL })
@UseFilters(ErrorFilter)
export class PaymasterController {
  constructor(
    private readonly links: PaymasterLinks,
    private readonly limits: PaymasterLimits,
    private readonly operations: SponsoredOperations,
  ) {}

  @Post(':token')
  @HttpCode(200)
  @Public(ADDRESS_IS_THE_CREDENTIAL)
  async sponsor(
    @Param('token') token: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    openToAll(response);
    const action = await this.links.find(token);
    await this.limits.take(action, request);
    const { value = {} } = await readJsonBody(request, response);
    return this.operations.answer(action, value);
  }

  /** Lets a browser wallet's page ask. */
  @Options(':token')
  @HttpCode(204)
  @Public(ADDRESS_IS_THE_CREDENTIAL)
  allowSponsoring(@Res({ passthrough: true }) response: Response): void {
    openToAll(response);
    response.setHeader('Access-Control-Allow-Methods', 'POST');
    response.setHeader('Access-Control-Allow-Headers', 'Content-Type');
    response.setHeader('Access-Control-Max-Age', 600);
  }
}

function openToAll(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Cache-Control', 'no-store');
}
