import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AccountEntity } from '../account.entity.js';
import { AccountsService } from '../accounts.service.js';
import { lockAccount } from '../locked-account.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { accessEvent } from '../audit/access-event.js';
import { AuditLog } from '../audit/audit-log.js';
import { announceCredentialChange } from '../credential-changes.js';
import { AccountWalletEntity } from './account-wallet.entity.js';
import { lockWallet, walletOwner } from '../wallet-owner.sql.js';
import type { WalletProof } from './wallet-proof.js';
import { WalletRemovals } from './wallet-removals.js';

/** A wallet of an account. */
export interface LinkedWallet {
  /** EIP-55. */
  address: string;
  /** EIP-155 of a contract wallet; 0 for a key, and for a wallet that was not proved. */
  chainId: number;
  /** Null: an operator named it, and it has not signed in yet. */
  linkedAt: Date | null;
  /** True for the one that signs the account's actions. */
  signs: boolean;
  /** When the wallet is removed; null = it stays. */
  unlinkAt: Date | null;
}

const MAX_WALLETS = 20;

/**
 * The wallets that have proved to belong to an account. Each of them can sign in; one of them,
 * `accounts.wallet_address`, signs the account's actions. A wallet belongs to at most one account.
 */
@Injectable()
export class AccountWallets {
  constructor(
    private readonly transactions: Transactions,
    private readonly accounts: AccountsService,
    private readonly removals: WalletRemovals,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the account of a wallet; creates the account when the wallet is new. @throws ApiError `account_suspended`.
   */
  async signIn(proof: WalletProof, auditId: string | null): Promise<AccountEntity> {
    await this.removals.completeOf(proof.address);
    const account = await this.transactions.run(async (manager) => {
      await lockWallet(manager, proof.address);
      const accountId = await walletOwner(manager, proof.address);
      const found = accountId === null ? await this.newAccount(proof) : await this.accounts.find(accountId);
      if (found.status === 'active') await this.keep(manager, found.id, proof, auditId);
      return found;
    });
    if (account.status === 'active') return account;
    const detail = { reason: 'account_suspended', wallet: proof.address };
    await this.audit.record({ event: 'session_refused', requestId: auditId, accountId: account.id, detail });
    throw suspended();
  }

  /** True while the wallet belongs to the account. @param address EIP-55. */
  async isOf(accountId: string, address: string): Promise<boolean> {
    return (await walletOwner(this.transactions.manager, address)) === accountId;
  }

  /**
   * Adds a wallet to the account. Adding a wallet that the account already has is no error, and cancels its removal.
   * @throws ApiError as `assertFree`.
   */
  async link(accountId: string, proof: WalletProof, auditId: string | null): Promise<void> {
    // Of a removal that has become due since the page was asked for.
    await this.removals.completeOf(proof.address);
    const refusal = await this.transactions.run(async (manager) => {
      const reason = await refusalOf(manager, accountId, proof);
      if (reason === null) await this.keep(manager, accountId, proof, auditId);
      if (reason === null) await this.removals.undo(accountId, proof.address, auditId);
      return reason;
    });
    if (refusal !== null) await this.refuse(accountId, proof, refusal, auditId);
  }

  /**
   * Passes when the account could add the wallet now.
   * @throws ApiError `account_suspended`, or `state_conflict` when the wallet belongs to another account or the account
   *   has too many.
   */
  async assertFree(accountId: string, proof: WalletProof, auditId: string | null): Promise<void> {
    await this.removals.completeOf(proof.address);
    const refusal = await this.transactions.run((manager) => refusalOf(manager, accountId, proof));
    if (refusal !== null) await this.refuse(accountId, proof, refusal, auditId);
  }

  private async refuse(accountId: string, proof: WalletProof, refusal: string, auditId: string | null): Promise<never> {
    const detail = { purpose: 'link_wallet', reason: refusal, wallet: proof.address };
    await this.audit.record({ event: 'session_refused', requestId: auditId, accountId, detail });
    throw new ApiError('state_conflict', refusal);
  }

  /** The account's wallets: the signing wallet first, then in the order of linking. @throws ApiError `not_found`. */
  async list(accountId: string): Promise<LinkedWallet[]> {
    const { walletAddress } = await this.accounts.find(accountId);
    const rows = await this.transactions.manager.find(AccountWalletEntity, {
      where: [IsNull(), MoreThan(this.clock.wall())].map((unlinkAt) => ({ accountId, unlinkAt })),
      order: { linkedAt: 'ASC', address: 'ASC', chainId: 'ASC' },
    });
    const wallets: LinkedWallet[] = rows.map(({ address, chainId, linkedAt, unlinkAt }) => {
      return { address, chainId: Number(chainId), linkedAt, signs: address === walletAddress, unlinkAt };
    });
    if (walletAddress !== null && !wallets.some(({ signs }) => signs)) {
      wallets.push({ address: walletAddress, chainId: 0, linkedAt: null, signs: true, unlinkAt: null });
    }
    return wallets.sort((one, other) => Number(other.signs) - Number(one.signs));
  }

  /**
   * Lets a linked wallet sign the account's actions from now on.
   * @throws ApiError `not_found`, or `state_conflict` for a wallet that will be removed.
   */
  useForSigning(accountId: string, address: string, auditId: string | null): Promise<void> {
    return this.transactions.run(async (manager) => {
      const { walletAddress } = await lockAccount(manager, accountId);
      const wallet = await this.removals.ownWallet(manager, accountId, address);
      if (wallet === walletAddress) return;
      await assertStays(manager, accountId, wallet);
      await manager.update(AccountEntity, { id: accountId }, { walletAddress: wallet });
      const detail = { from: walletAddress, to: wallet };
      await this.audit.record({ event: 'signing_wallet_changed', requestId: auditId, accountId, detail });
      await announceCredentialChange(this.transactions, accountId);
    });
  }

  /**
   * Passes unless the wallet will be removed, for which `useForSigning` refuses it. @param address EIP-55. @throws
   * ApiError `state_conflict`.
   */
  assertUsable(accountId: string, address: string): Promise<void> {
    return assertStays(this.transactions.manager, accountId, address);
  }

  private newAccount({ address }: WalletProof): Promise<AccountEntity> {
    return this.accounts.create({ name: `${address.slice(0, 6)}…${address.slice(-4)}`, walletAddress: address });
  }

  private async keep(manager: EntityManager, accountId: string, proof: WalletProof, auditId: string | null) {
    const { address } = proof;
    const row = { address, chainId: String(proof.chainId), accountId, linkedAt: this.clock.wall(), unlinkAt: null };
    const { raw } = await manager
      .createQueryBuilder()
      .insert()
      .into(AccountWalletEntity)
      .values(row)
      .orIgnore()
      .returning('address')
      .execute();
    if (Array.isArray(raw) && raw.length === 0) return;
    const detail = { wallet: address, chain_id: proof.chainId };
    await this.audit.record({ event: 'wallet_linked', requestId: auditId, accountId, detail });
    await recordEvents(manager, [accessEvent('wallet.linked', { accountId, id: address, at: row.linkedAt })]);
  }
}

async function assertStays(manager: EntityManager, accountId: string, address: string): Promise<void> {
  const leaving = { accountId, address, unlinkAt: Not(IsNull()) };
  if (!(await manager.existsBy(AccountWalletEntity, leaving))) return;
  throw new ApiError('state_conflict', 'This wallet is about to be removed.', 'Keep it first.');
}

/**
 * The reason why the account cannot have the wallet; null when it can. Locks the wallet and the account until the
 * transaction ends.
 */
async function refusalOf(manager: EntityManager, accountId: string, { address }: WalletProof): Promise<string | null> {
  await lockWallet(manager, address);
  const { status } = await lockAccount(manager, accountId);
  if (status !== 'active') throw suspended();
  const owner = await walletOwner(manager, address);
  if (owner !== null && owner !== accountId) return 'The wallet belongs to another account.';
  const linked = await manager.countBy(AccountWalletEntity, { accountId });
  return owner === null && linked >= MAX_WALLETS ? `An account has at most ${MAX_WALLETS} wallets.` : null;
}

function suspended(): ApiError {
  return new ApiError('account_suspended', 'The account is suspended.');
}
