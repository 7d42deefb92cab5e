import type { DataSource } from 'typeorm';
import { AccountsService } from '../modules/accounts/accounts.service.js';
import { AuditLog } from '../modules/accounts/audit/audit-log.js';
import { Transactions } from '../platform/database/transactions.js';
import { Clock } from '../platform/time/clock.js';
import { AccountLookup } from './account-lookup.js';

/** The service's own rules on a tool's connection: what every command that is about accounts works with. */
export class OperatorServices {
  readonly clock = new Clock();
  readonly transactions: Transactions;
  readonly audit: AuditLog;
  readonly accounts: AccountsService;
  readonly lookup: AccountLookup;

  constructor(dataSource: DataSource) {
    this.transactions = new Transactions(dataSource);
    this.audit = new AuditLog(this.transactions, this.clock);
    this.accounts = new AccountsService(this.transactions, this.clock, this.audit);
    this.lookup = new AccountLookup(this.accounts);
  }
}
