import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import type { DeliveredWork } from '../delivered-work/preview-facts.js';
import { custodySentence, type PreviewedArtifact } from '../delivered-work/previewed-artifact.js';

/** A preview for programs (`Accept: application/json`); not part of the described interface. */
export class PreviewDocumentDto {
  task_id!: string;
  brief?: { title?: string; brief: string; criteria: string[]; budget: MoneyDto } & Record<string, unknown>;
  delivery?: Record<string, unknown>;

  /** The document of a task's brief. */
  static ofBrief(task: TaskEntity): PreviewDocumentDto {
    return {
      task_id: task.id,
      brief: {
        ...(task.title === null ? {} : { title: task.title }),
        brief: task.brief,
        criteria: task.criteria,
        budget: MoneyDto.from(task.budget),
        accept_window_seconds: task.acceptWindowSeconds,
        delivery_window_seconds: task.deliveryWindowSeconds,
        terms_hash: task.termsHash,
      },
    };
  }

  /** The document of a delivery, for its payer. */
  static ofDelivery(taskId: string, work: DeliveredWork, artifact: PreviewedArtifact | null): PreviewDocumentDto {
    return {
      task_id: taskId,
      delivery: {
        delivery_id: work.deliveryId,
        node_id: work.nodeId,
        artifact_hash: work.artifactHash,
        revision: work.revision,
        delivered_at: work.deliveredAt.toISOString(),
        worker_agent_id: work.workerAgentId,
        node_state: work.nodeState,
        ...(work.reviewUntil === null ? {} : { review_until: work.reviewUntil.toISOString() }),
        custody: custodySentence(artifact),
        ...(artifact === null ? {} : { artifact: artifactMembers(artifact) }),
      },
    };
  }
}

function artifactMembers({ bytes, mediaType, excerpt }: PreviewedArtifact) {
  return { bytes, media_type: mediaType, ...(excerpt === null ? {} : { excerpt }) };
}
