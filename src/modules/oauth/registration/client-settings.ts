import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { ClientSettingsEntity } from './client-settings.entity.js';
import { IS_KNOWN_CLIENT } from './client-settings.sql.js';

/** Range of access-token lifetimes, in seconds. A token is a bearer secret, so it must not live longer than a day. */
export const ACCESS_TOKEN_SECONDS = { min: 60, max: 86_400 } as const;

/** The operator's settings for single applications. Running processes use them from the next token on. */
@Injectable()
export class ClientSettings {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Lifetime of an application's access tokens, in seconds; null: the default. */
  async accessTokenSeconds(clientId: string): Promise<number | null> {
    const found = await this.transactions.manager.findOneBy(ClientSettingsEntity, { clientId });
    return found?.accessTokenSeconds ?? null;
  }

  /** True when somebody has registered the application, or has given it consent. */
  async knows(clientId: string): Promise<boolean> {
    const known: unknown[] = await this.transactions.manager.query(IS_KNOWN_CLIENT, [clientId]);
    return known.length > 0;
  }

  /**
   * Sets the lifetime of an application's new access tokens. Tokens already issued keep their expiry.
   * @param seconds 60 to 86,400; null: the default. @param auditId request id; null for the operator's command.
   * @throws ApiError `not_found`, `invalid_parameter`.
   */
  setAccessTokenSeconds(clientId: string, seconds: number | null, auditId: string | null): Promise<void> {
    const { min, max } = ACCESS_TOKEN_SECONDS;
    return this.transactions.run(async (manager) => {
      if (seconds !== null && !(Number.isInteger(seconds) && seconds >= min && seconds <= max)) {
        throw new ApiError('invalid_parameter', `An access token lasts ${min} to ${max} seconds.`);
      }
      if (!(await this.knows(clientId))) throw new ApiError('not_found', 'There is no such application.');
      if (seconds === null) await manager.delete(ClientSettingsEntity, { clientId });
      else {
        const settings = { clientId, accessTokenSeconds: seconds, changedAt: this.clock.wall() };
        await manager.upsert(ClientSettingsEntity, settings, ['clientId']);
      }
      const detail = { by: 'operator', changed: 'access_token_seconds', access_token_seconds: seconds };
      await this.audit.record({ event: 'client_changed', requestId: auditId, clientId, detail });
    });
  }
}
