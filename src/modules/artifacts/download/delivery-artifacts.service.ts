import { Injectable } from '@nestjs/common';
import { type Hex, isHex } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { OpenObject } from '../../../platform/storage/object-store.js';
import { Clock } from '../../../platform/time/clock.js';
import { ArtifactLinks } from './artifact-links.js';
import { Custody, type CustodyFacts } from '../custody/custody.service.js';
import { type StandingRow, STANDING } from './delivery-artifact.sql.js';
import { LinkOpenings } from './link-openings.js';
import type { DeliveryArtifactDto } from '../dto/delivery-artifact.dto.js';

/** A whole artifact, opened for a permitted reader. */
export interface OpenArtifact extends CustodyFacts {
  readonly artifactHash: Hex;
  readonly stream: OpenObject['stream'];
}

interface Standing {
  readonly taskId: string;
  readonly artifactHash: Hex;
  readonly workerAccountId: string | null;
  readonly isPayer: boolean;
  readonly isWorker: boolean;
  readonly isReleased: boolean;
}

/** Gives out whole artifacts of deliveries: to the worker at any time, to the payer once the node is released. */
@Injectable()
export class DeliveryArtifacts {
  constructor(
    private readonly transactions: Transactions,
    private readonly custody: Custody,
    private readonly links: ArtifactLinks,
    private readonly openings: LinkOpenings,
    private readonly clock: Clock,
  ) {}

  /**
   * Issues a link to the whole artifact.
   * @throws ApiError `not_found` when the delivery is not visible, or its artifact is not in custody;
   * `preview_not_permitted` for a buyer who sees the delivery and does not pay for it; `state_conflict` for the payer
   * before the release. StorageUnavailableError.
   */
  async issue(accountId: string, deliveryId: string): Promise<DeliveryArtifactDto> {
    const standing = await this.standingOf(accountId, deliveryId);
    if (!standing) throw new ApiError('not_found', 'There is no such delivery.');
    const { taskId, artifactHash, isPayer, isWorker } = standing;
    if (!isPayer && !isWorker) {
      throw new ApiError('preview_not_permitted', 'The artifact is for the payer of the node and for its worker.');
    }
    const facts = await this.factsOf(standing);
    if (!facts) throw notInCustody();
    if (!mayHave(standing)) throw notReleased(taskId);
    const { url, expiresAt } = this.links.issue({ accountId, deliveryId });
    const { bytes, mediaType } = facts;
    return { url, expires_at: expiresAt.toISOString(), artifact_hash: artifactHash, bytes, media_type: mediaType };
  }

  /**
   * Opens the artifact of a link. Checks the reader's right again, because a reorganisation may have undone the
   * release, and the account may be suspended by now.
   * @param clientAddress address of the reader; a link that is not valid counts against its network.
   * @throws ApiError `not_found`, with the same body whatever is wrong with the link; `rate_limited`.
   *   StorageUnavailableError.
   */
  async open(token: string, clientAddress?: string): Promise<OpenArtifact> {
    const grant = await this.openings.admit(this.links.open(token), ({ deliveryId }) => deliveryId, clientAddress);
    const standing = grant && (await this.standingOf(grant.accountId, grant.deliveryId));
    const artifact = standing && mayHave(standing) ? await this.artifactOf(standing) : null;
    if (!artifact) throw new ApiError('not_found', 'This link is not valid.', 'Ask for a new one.');
    return artifact;
  }

  private async artifactOf(standing: Standing): Promise<OpenArtifact | null> {
    const { artifactHash } = standing;
    const facts = await this.factsOf(standing);
    const object = facts && (await this.custody.openArtifact(artifactHash));
    return object && { ...facts, bytes: object.bytes, artifactHash, stream: object.stream };
  }

  private async factsOf({ workerAccountId, artifactHash }: Standing): Promise<CustodyFacts | null> {
    return workerAccountId === null ? null : this.custody.statusOf(workerAccountId, artifactHash);
  }

  private async standingOf(accountId: string, deliveryId: string): Promise<Standing | null> {
    // Whole seconds, as the contract counts them: a right lasts until the end of its second.
    const now = this.clock.thisSecond();
    const [row] = await this.transactions.lookUp<StandingRow>(STANDING, [deliveryId, accountId, now]);
    if (!row || !isHex(row.artifact_hash)) return null;
    return {
      taskId: row.task_id,
      artifactHash: row.artifact_hash,
      workerAccountId: row.worker_account_id,
      isPayer: row.is_payer,
      isWorker: row.is_worker,
      isReleased: row.is_released,
    };
  }
}

/** A worker may always have its own work; the payer may have it once the node is released. */
function mayHave({ isWorker, isPayer, isReleased }: Standing): boolean {
  return isWorker || (isPayer && isReleased);
}

function notInCustody(): ApiError {
  return new ApiError(
    'not_found',
    'The artifact of this delivery is not in the custody of this service.',
    'Ask the worker for it, and compare its SHA-256 with the artifact hash of the delivery.',
  );
}

function notReleased(taskId: string): ApiError {
  return new ApiError(
    'state_conflict',
    'The whole artifact is handed over once the node is released.',
    `Until then, look at its preview: GET /v1/tasks/${taskId}/preview.`,
  );
}
