import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { type DataSource, MoreThan } from 'typeorm';
import { AuditEventEntity } from '../../modules/accounts/audit/audit-event.entity.js';
import { eventJson } from '../clients/clients-output.js';
import { OperatorServices } from '../operator-services.js';
import type { ToolResult } from '../operator-tool.js';
import type { ExportCommand } from './audit-arguments.js';

const PAGE = 1_000;

/** Writes the audit as lines of JSON, a page at a time and no faster than they are taken. */
export class AuditExport {
  private readonly services: OperatorServices;

  constructor(
    dataSource: DataSource,
    private readonly output: Writable,
  ) {
    this.services = new OperatorServices(dataSource);
  }

  /** The result has no lines: they are written already. @throws ApiError for an account that is not known. */
  async run({ after, account }: ExportCommand): Promise<ToolResult> {
    const accountId = account === null ? null : (await this.services.lookup.known(account)).id;
    const detail = { by: 'operator', after };
    // Recorded first, so that an export that is broken off is on record, too.
    await this.services.audit.record({ event: 'audit_exported', requestId: null, accountId, detail });
    let behind = after;
    for (;;) {
      const events = await this.page(behind, accountId);
      if (events.length > 0) await this.write(events);
      behind = events.at(-1)?.id ?? behind;
      if (events.length < PAGE) return { json: null, lines: [] };
    }
  }

  private page(after: string | null, accountId: string | null): Promise<AuditEventEntity[]> {
    const where = { ...(after !== null && { id: MoreThan(after) }), ...(accountId !== null && { accountId }) };
    return this.services.transactions.manager.find(AuditEventEntity, { where, order: { id: 'ASC' }, take: PAGE });
  }

  private async write(events: readonly AuditEventEntity[]): Promise<void> {
    const text = events.map((event) => `${JSON.stringify(eventJson(event))}\n`).join('');
    if (!this.output.write(text)) await once(this.output, 'drain');
  }
}
