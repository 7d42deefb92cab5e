import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BYTES32_PATTERN, type Hex, isHex } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { receivingLongBody } from '../../../platform/http/long-body.js';
import { ObjectStore } from '../../../platform/storage/object-store.js';
import { CustodyQuota } from '../custody/custody-quota.js';
import { objectKeyOf } from '../custody/object-key.js';
import { ReceivedArtifact } from '../custody/received-artifact.js';
import { UnheldObjectsSweeper } from '../custody/unheld-objects.sweeper.js';
import { declaredMediaType } from '../custody/media-type.js';
import { linger, tooLarge, UploadBytes } from './upload-bytes.js';
import { UploadSlots } from './upload-slots.js';

/**
 * Receives the body of an upload into the store, where nobody can read it until the handler takes it into custody. This
 * is a guard, because the body is checked before idempotency and because no transaction may wait for a slow sender.
 * Bytes that the handler did not take are discarded when the response ends.
 */
@Injectable()
export class ArtifactUploadGuard implements CanActivate {
  private readonly logger = new Logger('artifacts');

  constructor(
    private readonly store: ObjectStore,
    private readonly slots: UploadSlots,
    private readonly quota: CustodyQuota,
    private readonly unheld: UnheldObjectsSweeper,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws ApiError `unsupported_media_type`, `payload_too_large`, `invalid_request`, `invalid_body`, `rate_limited`,
   * `quota_exceeded`;
   * StorageUnavailableError.
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { principal } = request.context;
    if (!principal) throw new Error('ArtifactUploadGuard is used on a route without authentication');
    const artifact = await this.receive(request, principal.accountId);
    const response = http.getResponse<Response>();
    if (response.closed) {
      await artifact.staged.discard();
      throw new ApiError('invalid_request', 'The connection ended before there was an answer.');
    }
    response.once('close', () => void this.end(artifact, response.statusCode >= 500));
    request.context.requestDigest = artifact.artifactHash;
    request.body = artifact;
    return true;
  }

  /** Discards what was not taken. Never rejects. @param hasFailed whether the write did, after whatever step. */
  private async end({ staged, artifactHash, isBrought }: ReceivedArtifact, hasFailed: boolean): Promise<void> {
    await staged.discard();
    if (!isBrought || !hasFailed) return;
    try {
      await this.unheld.removeUnheld(artifactHash);
    } catch (error) {
      this.logger.warn(`The object of a failed upload stays until it is swept: ${String(error)}`);
    }
  }

  private async receive(request: Request, accountId: string): Promise<ReceivedArtifact> {
    const hash = artifactHashOf(request.params['artifact_hash']);
    try {
      this.checkHeaders(request);
      return await this.slots.run(accountId, async () => {
        const room = await this.quota.roomFor(accountId, hash, declaredBytes(request));
        return receivingLongBody(request.socket, () => this.stage(request, hash, { accountId, room }));
      });
    } catch (error) {
      await linger(request);
      throw error;
    }
  }

  private checkHeaders({ headers }: Request): void {
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new ApiError('unsupported_media_type', 'The body must be sent without a content encoding.');
    }
    // RFC 9110 §14.5: a partial body must not be stored as the whole.
    if (headers['content-range'] !== undefined) {
      throw new ApiError('invalid_request', 'An artifact is sent whole: Content-Range is not supported.');
    }
    if (Number(headers['content-length'] ?? 0) > this.environment.artifactMaxBytes) {
      throw tooLarge(this.environment.artifactMaxBytes);
    }
  }

  /** @param room bytes that the account's quota still allows; null: no limit by the quota. */
  private async stage(
    request: Request,
    hash: Hex,
    { accountId, room }: { accountId: string; room: number | null },
  ): Promise<ReceivedArtifact> {
    const { artifactMaxBytes } = this.environment;
    const body = new UploadBytes(request, Math.min(artifactMaxBytes, room ?? artifactMaxBytes));
    const staged = await this.store.stage(objectKeyOf(hash), body).catch(async (error: unknown): Promise<never> => {
      const isQuota = room !== null && room < artifactMaxBytes && body.bytes > room;
      throw isQuota ? await this.quota.outgrown(accountId) : error;
    });
    const fault = faultOf(body, hash);
    if (fault === null) {
      return new ReceivedArtifact(staged, hash, body.bytes, declaredMediaType(request.headers['content-type']));
    }
    await staged.discard();
    throw fault;
  }
}

/** The Content-Length of the request; null for a chunked body. */
function declaredBytes({ headers }: Request): number | null {
  const declared = headers['content-length'];
  return declared === undefined ? null : Number(declared);
}

function faultOf(body: UploadBytes, hash: Hex): ApiError | null {
  if (body.bytes === 0) return new ApiError('invalid_body', 'The body has no bytes.');
  if (body.digest() === hash) return null;
  return new ApiError(
    'invalid_body',
    'The SHA-256 of the body is not the artifact_hash of the path.',
    'Compute the hash over exactly the bytes that you send.',
  );
}

/** The hash of the path in lower case, as it is stored and compared; `InputGuard` has checked its form. */
function artifactHashOf(value: unknown): Hex {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (!BYTES32_PATTERN.test(text) || !isHex(text)) throw new Error('The route has no artifact_hash');
  return text;
}
