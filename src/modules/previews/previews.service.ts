import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { Environment } from '../../platform/config/environment.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Custody } from '../artifacts/custody/custody.service.js';
import { LinkOpenings } from '../artifacts/download/link-openings.js';
import { TaskAccess } from '../tasks/visibility/task-access.js';
import type { TaskEntity } from '../tasks/task/task.entity.js';
import { PreviewDocumentDto } from './dto/preview-document.dto.js';
import type { TaskPreviewDto } from './dto/task-preview.dto.js';
import { type DeliveredWork, PreviewFacts } from './delivered-work/preview-facts.js';
import { type PreviewGrant, PreviewLinks } from './preview-links.js';
import { renderBrief, renderDelivery } from './preview-page.js';
import type { PreviewedArtifact } from './delivered-work/previewed-artifact.js';
import { previewSubjectOf, type PreviewSubject } from './preview-subject.js';

/** Issues and opens previews of a task's brief and its deliveries (docs/decisions/interface.md#visibility). */
@Injectable()
export class PreviewsService {
  constructor(
    private readonly tasks: TaskAccess,
    private readonly facts: PreviewFacts,
    private readonly links: PreviewLinks,
    private readonly custody: Custody,
    private readonly openings: LinkOpenings,
    private readonly environment: Environment,
  ) {}

  /**
   * Issues a link to the preview that the account may see. @throws ApiError `not_found` when the task is not visible,
   * `preview_not_permitted` when it is but the account may see no preview.
   */
  async issue(accountId: string, taskId: string): Promise<TaskPreviewDto> {
    const task = await this.tasks.find(accountId, taskId);
    const subject = await this.subjectFor(accountId, task);
    if (!subject) {
      throw new ApiError(
        'preview_not_permitted',
        'A preview is for the payer of a delivered node and for owners of agents that may see the brief.',
      );
    }
    const { url, expiresAt } = this.links.issue({ accountId, taskId, subject });
    return { url, expires_at: expiresAt.toISOString() };
  }

  /**
   * Issues a link to the preview of one delivery, for the account that pays for it.
   * @throws ApiError `not_found` for any other account, and once the delivery was replaced or the money went back.
   */
  async issueDelivery(
    accountId: string,
    delivered: { taskId: string; nodeId: string; artifactHash: Hex },
  ): Promise<{ url: string; expiresAt: Date }> {
    const work = await this.facts.deliveryOf(accountId, delivered);
    if (!work) throw new ApiError('not_found', 'This delivery cannot be looked at any more.');
    const subject = { kind: 'delivery', deliveryId: work.deliveryId } as const;
    return this.links.issue({ accountId, taskId: delivered.taskId, subject });
  }

  /**
   * Opens the preview of a link. Checks the account's right again, so a link stops working when that right ends.
   * @param clientAddress address of the reader; a link that is not valid counts against its network.
   * @throws ApiError `not_found`, with the same body whatever is wrong with the link; `rate_limited`.
   */
  async open(token: string, clientAddress?: string): Promise<{ document: string; json: PreviewDocumentDto }> {
    const grant = await this.openings.admit(this.links.open(token), subjectKey, clientAddress);
    const page = grant && (await this.pageFor(grant));
    if (!page) throw new ApiError('not_found', 'This link is not valid.', 'Ask for a new preview.');
    return page;
  }

  private async subjectFor(accountId: string, task: TaskEntity): Promise<PreviewSubject | null> {
    const [work, standing] = await Promise.all([
      this.facts.newestFor(accountId, task.id),
      this.facts.standingOf(accountId, task.id),
    ]);
    return previewSubjectOf({
      ...standing,
      deliveryId: work?.deliveryId ?? null,
      isBuyer: task.buyerAccountId === accountId,
      isPublic: task.tier === 'public',
    });
  }

  private async pageFor(grant: PreviewGrant): Promise<{ document: string; json: PreviewDocumentDto } | null> {
    const { accountId, taskId, subject } = grant;
    const task = await this.visible(accountId, taskId);
    if (!task) return null;
    if (subject.kind === 'delivery') {
      const work = await this.facts.deliveryFor(accountId, taskId, subject.deliveryId);
      return work && this.deliveryPage(task, work);
    }
    const standing = await this.facts.standingOf(accountId, taskId);
    const isBuyer = task.buyerAccountId === accountId;
    const allowed = previewSubjectOf({ ...standing, deliveryId: null, isBuyer, isPublic: task.tier === 'public' });
    return allowed && { document: renderBrief(this.environment, task), json: PreviewDocumentDto.ofBrief(task) };
  }

  private async deliveryPage(
    task: TaskEntity,
    work: DeliveredWork,
  ): Promise<{ document: string; json: PreviewDocumentDto }> {
    const artifact = await this.artifactOf(work);
    return {
      document: renderDelivery(this.environment, { task, work, artifact }),
      json: PreviewDocumentDto.ofDelivery(task.id, work, artifact),
    };
  }

  private async artifactOf({ workerAccountId, artifactHash }: DeliveredWork): Promise<PreviewedArtifact | null> {
    const facts = workerAccountId === null ? null : await this.custody.statusOf(workerAccountId, artifactHash);
    return facts && { ...facts, excerpt: await this.custody.excerptOf(artifactHash, facts.bytes) };
  }

  private async visible(accountId: string, taskId: string): Promise<TaskEntity | null> {
    try {
      return await this.tasks.find(accountId, taskId);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return null;
      throw error;
    }
  }
}

function subjectKey({ taskId, subject }: PreviewGrant): string {
  return subject.kind === 'delivery' ? `preview/${subject.deliveryId}` : `preview/${taskId}`;
}
