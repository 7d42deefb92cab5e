import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { TaskStore } from '../tasks/task-store.js';
import { ActionHistory } from './action-history.js';
import { isPreparableKind } from './action-kind.js';
import { shownMembers, SigningPageDto } from './dto/signing-page.dto.js';
import { KindRegistry } from './kind-registry.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';
import { SigningLinks } from './signing-links.js';
import { howToSign, NOTICE, renderSigningPage, type SigningPageContent, statusSentence } from './signing-page.js';
import { messageOf } from './typed-message.js';

/** What a signing link shows. Reading it changes nothing: link previews and scanners open links too. */
@Injectable()
export class SigningPagesService {
  constructor(
    private readonly links: SigningLinks,
    private readonly history: ActionHistory,
    private readonly kinds: KindRegistry,
    private readonly tasks: TaskStore,
    private readonly transactions: Transactions,
    private readonly environment: Environment,
  ) {}

  /** @throws ApiError `not_found` for an unknown or expired link, see `SigningLinks.find`. */
  async open(token: string): Promise<{ document: string; json: SigningPageDto }> {
    const action = await this.links.find(token);
    const content = await this.contentOf(action);
    return { document: renderSigningPage(content), json: jsonOf(content) };
  }

  private async contentOf(action: PreparedActionEntity): Promise<SigningPageContent> {
    if (!isPreparableKind(action.kind)) throw new ApiError('not_found', 'This page does not know this kind of action.');
    const { taskId } = action;
    const task = taskId === null ? null : await this.tasks.load(this.transactions.manager, taskId);
    return {
      displayName: this.environment.displayName,
      sentence: this.kinds.of(action.kind).sentence(messageOf(action.payload)),
      taskTitle: task?.title ?? null,
      expiresAt: action.expiresAt,
      members: shownMembers(action),
      payload: action.payload,
      ...(await this.history.statusOf(action)),
    };
  }
}

function jsonOf(content: SigningPageContent): SigningPageDto {
  const { members, transactionHash } = content;
  return {
    summary: content.sentence,
    status: content.status,
    status_text: statusSentence(content),
    notice: NOTICE,
    how_to_sign: howToSign({ walletAddress: members['wallet_address'] ?? '', chainId: members['chain_id'] ?? '' }),
    ...(transactionHash === null ? {} : { transaction_hash: transactionHash }),
    action: { ...members },
    payload: { ...content.payload },
  };
}
