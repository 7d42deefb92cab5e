import type { DataSource } from 'typeorm';
import { AuditLog } from '../../modules/accounts/audit/audit-log.js';
import { ClientSecrets } from '../../modules/oauth/registration/client-secrets.js';
import type { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Sealer } from '../../platform/secrets/sealer.js';
import { Clock } from '../../platform/time/clock.js';
import type { ToolResult } from '../operator-tool.js';
import { Resealing, type SealedCounts } from './resealing.js';
import type { SecretsCommand } from './secrets-arguments.js';
import { CLIENTS_OF_BEFORE, KEYS_OF_BEFORE, SEALED_COLUMNS } from './stored-secrets.sql.js';

/** Secrets that only their holders can make independent of a previous secret of the service, by using them. */
interface HeldByOthers {
  apiKeys: number;
  /** Their ids, at most 1,000. */
  clients: string[];
}

/** Runs commands with the service's own seals; running processes need not be told, because they open either seal. */
export class SecretsCommands {
  private readonly sealer: Sealer;
  private readonly clientSecrets: ClientSecrets;
  private readonly transactions: Transactions;
  private readonly audit: AuditLog;
  private readonly clock = new Clock();

  constructor(dataSource: DataSource, environment: Environment) {
    this.sealer = new Sealer(environment);
    this.clientSecrets = new ClientSecrets(this.sealer);
    this.transactions = new Transactions(dataSource);
    this.audit = new AuditLog(this.transactions, this.clock);
  }

  async run({ name }: SecretsCommand): Promise<ToolResult> {
    const resealing = new Resealing(this.transactions, this.sealer);
    const sealed = new Map<string, SealedCounts>();
    for (const column of SEALED_COLUMNS) sealed.set(column.name, await resealing.run(column, name === 'rotate'));
    const held = await this.heldByOthers();
    const counts = Object.fromEntries([...sealed].map(([kind, count]) => [kind.replaceAll(' ', '_'), count]));
    if (name === 'rotate') await this.record({ ...counts, api_keys: held.apiKeys, clients: held.clients.length });
    return {
      json: { sealed: counts, left: { api_keys: held.apiKeys, clients: held.clients }, done: isDone(sealed, held) },
      lines: [...[...sealed].map(sealedLine), ...heldLines(held), conclusion(sealed, held)],
    };
  }

  private async heldByOthers(): Promise<HeldByOthers> {
    const { manager } = this.transactions;
    const now = this.clock.wall();
    const [keys] = await manager.query<{ count: number }[]>(KEYS_OF_BEFORE, [
      now,
      this.sealer.keyNumber('api-key-pepper'),
    ]);
    const clients = await manager.query<{ id: string }[]>(CLIENTS_OF_BEFORE, [this.clientSecrets.currentPrefix, now]);
    return { apiKeys: keys?.count ?? 0, clients: clients.map(({ id }) => id) };
  }

  private record(detail: Readonly<Record<string, unknown>>): Promise<void> {
    return this.audit.record({ event: 'secrets_rotated', requestId: null, detail: { by: 'operator', ...detail } });
  }
}

function isDone(sealed: ReadonlyMap<string, SealedCounts>, { apiKeys, clients }: HeldByOthers): boolean {
  return apiKeys === 0 && clients.length === 0 && [...sealed.values()].every(({ previous }) => previous === 0);
}

function sealedLine([kind, { current, resealed, previous, unreadable }]: [string, SealedCounts]): string {
  const left = unreadable === 0 ? '' : `, ${unreadable} under no secret that was given`;
  return `${kind.padEnd(16)}${resealed} sealed anew, ${current} sealed under APP_SECRET before, ${previous} left${left}`;
}

function heldLines({ apiKeys, clients }: HeldByOthers): string[] {
  return [
    `${'API keys'.padEnd(16)}${apiKeys} left: each becomes independent when it is used, or replace it (npm run keys)`,
    `${'client secrets'.padEnd(16)}${clients.length} left: likewise (npm run clients)`,
    ...clients.map((id) => `  ${id}`),
  ];
}

function conclusion(sealed: ReadonlyMap<string, SealedCounts>, held: HeldByOthers): string {
  if (!isDone(sealed, held)) return 'APP_SECRET_PREVIOUS is still needed for what is left.';
  return (
    'Nothing stored needs APP_SECRET_PREVIOUS any more. Drop it 72 hours after the last process began to use the new ' +
    'APP_SECRET, when cursors, links and forms of before are over.'
  );
}
