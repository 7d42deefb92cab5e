import { Injectable } from '@nestjs/common';
import type { ActionStatus } from '#libs/prepared-action';
import { ReadConnections } from '../../../platform/database/reads/read-connections.js';
import type { Principal } from '../../../platform/http/principal.js';
import type { Page } from '../../../platform/operations/page.dto.js';
import { Cursors } from '../../../platform/pagination/cursor.js';
import { SigningLinks } from '../action/signing-links.js';
import type { ListActionsQuery } from '../dto/list-actions.query.js';
import { ListedActionDto } from '../dto/listed-action.dto.js';
import { actionListStatement, AFTER_ALL_ACTIONS, type ListedPart } from './action-list.sql.js';
import { listedAction, type ListedActionRow } from './listed-action.js';
import { ListedStatuses } from './listed-statuses.js';

/** Most actions that a page of one status examines, so that a page of a rare status costs no more. */
export const LOOKED_AT = 100;

/**
 * Statuses of executed actions, which may be marked as kept. All others are among the few that are not: an action is marked
 * once the index has passed both its execution and its last second, and only a reorganisation as deep as that could take the
 * execution back.
 */
const EXECUTED: readonly ActionStatus[] = ['confirmed', 'final'];

/** Lists the prepared actions of an account. */
@Injectable()
export class ActionListService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly cursors: Cursors,
    private readonly statuses: ListedStatuses,
    private readonly links: SigningLinks,
  ) {}

  /**
   * One page of the caller's own actions, newest first. A status follows from the chain and from the time, and is in no
   * column: a page of one status is what is found among the next `LOOKED_AT` actions, so it may be short, or empty, without
   * being the last. The link is there under the condition of `ActionsService.get`.
   * @throws ApiError `invalid_cursor`.
   */
  async list(
    { accountId, scopes }: Pick<Principal, 'accountId' | 'scopes'>,
    { cursor, limit, status }: ListActionsQuery,
  ): Promise<Page<ListedActionDto>> {
    const binding = { accountId, operationId: 'listActions', filters: { status } };
    const [below] = cursor === undefined ? [AFTER_ALL_ACTIONS] : this.cursors.open(binding, cursor);
    const looked = status === undefined ? limit : LOOKED_AT;
    const { name, text } = actionListStatement(looked + 1, partOf(status));
    const rows = await this.reads.queryParsed<ListedActionRow>(name, text, [accountId, below]);
    const examined = rows.slice(0, looked).map(listedAction);
    const standings = await this.statuses.of(examined);
    const found = examined.flatMap((action, place) => {
      const standing = standings[place];
      return standing && (status === undefined || standing.status === status) ? [{ action, standing }] : [];
    });
    const shown = found.slice(0, limit);
    // After the last one shown when more were found; otherwise after the last one examined.
    const last = found.length > limit ? shown.at(-1)?.action : rows.length > looked ? examined.at(-1) : undefined;
    return {
      data: shown.map(({ action, standing }) => {
        const link = scopes.includes(action.scope) ? this.links.reopen(action) : null;
        return ListedActionDto.from(action, standing, link);
      }),
      next_page: last === undefined ? null : this.cursors.seal(binding, [last.id]),
    };
  }
}

function partOf(status: ActionStatus | undefined): ListedPart {
  return status === undefined || EXECUTED.includes(status) ? 'all' : 'open';
}
