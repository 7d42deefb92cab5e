import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { readAddressText } from '#libs/contracts';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuditLog } from '../audit/audit-log.js';
import { announceCredentialChange } from '../credential-changes.js';
import { BrowserSessions } from '../sessions/browser-sessions.js';
import { AccountWalletEntity } from './account-wallet.entity.js';
import { lockWallet, walletOwner } from './wallet-owner.sql.js';
import type { WalletProof } from './wallet-proof.js';

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
}

const MAX_WALLETS = 20;

/**
 * The wallets that proved to be an account's. Any of them signs in; one of them, `accounts.wallet_address`, signs the
 * account's actions. A wallet is one account's at most.
 */
@Injectable()
export class AccountWallets {
  constructor(
    private readonly transactions: Transactions,
    private readonly accounts: AccountsService,
    private readonly sessions: BrowserSessions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** The account of a wallet, made now when the wallet is new. @throws ApiError `account_suspended`. */
  async signIn(proof: WalletProof, auditId: string | null): Promise<AccountEntity> {
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

  /**
   * Adds a wallet to the account; one that it has already is no error.
   * @throws ApiError `account_suspended`, or `state_conflict` when it is another account's or the account has too many.
   */
  async link(accountId: string, proof: WalletProof, auditId: string | null): Promise<void> {
    const refusal = await this.transactions.run(async (manager) => {
      await lockWallet(manager, proof.address);
      const { status } = await lockAccount(manager, accountId);
      if (status !== 'active') throw suspended();
      const owner = await walletOwner(manager, proof.address);
      if (owner !== null && owner !== accountId) return 'The wallet belongs to another account.';
      const linked = await manager.countBy(AccountWalletEntity, { accountId });
      if (owner === null && linked >= MAX_WALLETS) return `An account has at most ${MAX_WALLETS} wallets.`;
      await this.keep(manager, accountId, proof, auditId);
      return null;
    });
    if (refusal === null) return;
    const detail = { purpose: 'link_wallet', reason: refusal, wallet: proof.address };
    await this.audit.record({ event: 'session_refused', requestId: auditId, accountId, detail });
    throw new ApiError('state_conflict', refusal);
  }

  /** The one that signs first, then in the order of linking. @throws ApiError `not_found`. */
  async list(accountId: string): Promise<LinkedWallet[]> {
    const { walletAddress } = await this.accounts.find(accountId);
    const rows = await this.transactions.manager.find(AccountWalletEntity, {
      where: { accountId },
      order: { linkedAt: 'ASC', address: 'ASC', chainId: 'ASC' },
    });
    const wallets: LinkedWallet[] = rows.map(({ address, chainId, linkedAt }) => {
      return { address, chainId: Number(chainId), linkedAt, signs: address === walletAddress };
    });
    if (walletAddress !== null && !wallets.some(({ signs }) => signs)) {
      wallets.push({ address: walletAddress, chainId: 0, linkedAt: null, signs: true });
    }
    return wallets.sort((one, other) => Number(other.signs) - Number(one.signs));
  }

  /**
   * Takes a wallet away from the account, and ends the sessions that it signed in.
   * @throws ApiError `not_found`, or `state_conflict` for the last wallet and for the one that signs.
   */
  unlink(accountId: string, address: string, auditId: string | null): Promise<void> {
    return this.transactions.run(async (manager) => {
      const wallet = await this.ownWallet(manager, accountId, address);
      // A sign-in of the same moment is either before, and then undone, or after, and then somebody new.
      await lockWallet(manager, wallet);
      const { walletAddress } = await lockAccount(manager, accountId);
      if (wallet === walletAddress) {
        throw new ApiError(
          'state_conflict',
          'This wallet signs the actions of the account.',
          'Let another wallet sign first.',
        );
      }
      if ((await this.list(accountId)).every((one) => one.address === wallet)) {
        throw new ApiError('state_conflict', 'The last wallet of an account cannot be taken away from it.');
      }
      await manager.delete(AccountWalletEntity, { accountId, address: wallet });
      await this.sessions.endOfWallet(accountId, wallet, auditId);
      await this.audit.record({ event: 'wallet_unlinked', requestId: auditId, accountId, detail: { wallet } });
    });
  }

  /** Lets a linked wallet sign the account's actions from now on. @throws ApiError `not_found`. */
  useForSigning(accountId: string, address: string, auditId: string | null): Promise<void> {
    return this.transactions.run(async (manager) => {
      const { walletAddress } = await lockAccount(manager, accountId);
      const wallet = await this.ownWallet(manager, accountId, address);
      if (wallet === walletAddress) return;
      await manager.update(AccountEntity, { id: accountId }, { walletAddress: wallet });
      const detail = { from: walletAddress, to: wallet };
      await this.audit.record({ event: 'signing_wallet_changed', requestId: auditId, accountId, detail });
      await announceCredentialChange(this.transactions, accountId);
    });
  }

  private newAccount({ address }: WalletProof): Promise<AccountEntity> {
    return this.accounts.create({ name: `${address.slice(0, 6)}…${address.slice(-4)}`, walletAddress: address });
  }

  private async keep(manager: EntityManager, accountId: string, proof: WalletProof, auditId: string | null) {
    const { address } = proof;
    const row = { address, chainId: String(proof.chainId), accountId, linkedAt: this.clock.wall() };
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
  }

  /** The address as it is kept, when it is one of the account's proved wallets. */
  private async ownWallet(manager: EntityManager, accountId: string, text: string): Promise<string> {
    const address = readAddressText(text);
    const isOwn = address !== null && (await manager.existsBy(AccountWalletEntity, { accountId, address }));
    if (!isOwn) throw new ApiError('not_found', 'The account has no such wallet.');
    return address;
  }
}

async function lockAccount(manager: EntityManager, id: string): Promise<AccountEntity> {
  const account = await manager.findOne(AccountEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!account) throw new ApiError('not_found', 'There is no such account.');
  return account;
}

function suspended(): ApiError {
  return new ApiError('account_suspended', 'The account is suspended.');
}
