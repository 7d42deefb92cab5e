import { pipeline } from 'node:stream/promises';
import { Controller, Get, Param, Req, Res, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../../platform/http/public-route.decorator.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { DeliveryArtifacts, type OpenArtifact } from './delivery-artifacts.service.js';
import { DOWNLOAD_POLICY } from '../../../platform/http/headers/content-security-policies.js';
import { servedMediaType } from '../custody/media-type.js';

/** A reader that takes no bytes for longer is disconnected. */
const IDLE_MS = 60_000;

/** Serves the `url` of a delivery's artifact. The token in the path is the credential and is never logged. */
@ApiExcludeController()
@Controller({ path: 'artifacts', version: VERSION_NEUTRAL })
export class ArtifactDownloadController {
  constructor(
    private readonly artifacts: DeliveryArtifacts,
    private readonly metrics: Metrics,
  ) {}

  @Get(':token')
  @Public('the token in the path is the credential')
  async downloadArtifact(
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const artifact = await this.artifacts.open(token, request.ip);
    describe(artifact, response);
    if (request.method === 'HEAD') {
      artifact.stream.destroy();
      response.end();
      return;
    }
    artifact.stream.on('data', (chunk: Buffer) => this.metrics.countDownloadBytes('artifact', chunk.length));
    this.metrics.countDownload('artifact');
    response.setTimeout(IDLE_MS, () => response.destroy());
    // The answer has begun, so a failure can only be shown by cutting the connection.
    await pipeline(artifact.stream, response).catch(() => response.destroy());
  }
}

function describe({ artifactHash, bytes, mediaType }: OpenArtifact, response: Response): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', servedMediaType(mediaType));
  response.setHeader('Content-Length', bytes);
  response.setHeader('Content-Disposition', `attachment; filename="artifact-${artifactHash.slice(2, 18)}"`);
  response.setHeader('Content-Security-Policy', DOWNLOAD_POLICY);
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
  // RFC 9530: the digest with which the reader can check the bytes.
  response.setHeader('Repr-Digest', `sha-256=:${Buffer.from(artifactHash.slice(2), 'hex').toString('base64')}:`);
  response.setHeader('X-Robots-Tag', 'noindex, nofollow');
}
