import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import type { AccountEntity } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { lockAccount } from '../accounts/locked-account.js';
import { AccountWalletEntity } from '../accounts/wallets/account-wallet.entity.js';
import { lockWallet } from '../accounts/wallet-owner.sql.js';
import { actRequestId, type ConfirmedAct } from './confirmed-act.js';
import { type ChallengeUse, type OpenedChallenge, type VerifiedAnswer, WalletChallenges } from './wallet-challenges.js';

/** An act that a session requests, and the wallets that may confirm it. */
export interface WantedAct {
  accountId: string;
  /** The wallet that signed the session in, EIP-55. */
  sessionWallet: string;
  /** Secret of the session; a signature is not valid in any other session. */
  binding: string;
  act: ConfirmedAct;
  /** The wallet that the act changes, EIP-55; absent: none. */
  wallet?: string;
  /** A wallet that may confirm instead of the signing wallet, EIP-55. */
  orBy?: string;
  /** `request.ip`. */
  clientAddress: string | undefined;
  /** `X-Request-Id`, for the audit record. */
  auditId: string | null;
}

/** Wallets that may confirm, EIP-55. */
type Signers = readonly [string, ...string[]];

/**
 * Confirms acts for which a session is not enough, because its cookie might be stolen. The account's signing wallet
 * must sign a message made for exactly this act in this session. The message is valid once, for five minutes.
 */
@Injectable()
export class WalletConfirmations {
  constructor(
    private readonly transactions: Transactions,
    private readonly accounts: AccountsService,
    private readonly challenges: WalletChallenges,
  ) {}

  /** The wallets that may confirm now, the usual one first. @throws ApiError `not_found`. */
  async signersOf(wanted: WantedAct): Promise<Signers> {
    return signersIn(await this.accounts.find(wanted.accountId), wanted);
  }

  /**
   * Issues a message for the act.
   * @param by one of `signersOf`; for any other text the first of them is used.
   * @throws ApiError as `WalletChallenges.issue`.
   */
  async ask(wanted: WantedAct, by: string): Promise<OpenedChallenge> {
    const signers = await this.signersOf(wanted);
    const address = signers.find((signer) => signer === by) ?? signers[0];
    return this.challenges.issue({ ...useOf(wanted), act: wanted.act.words, address });
  }

  /**
   * Verifies a signature. It may call the chain, so do not call it within a transaction. @throws ApiError and
   * ChainUnavailableError as `WalletChallenges.verify`.
   */
  verify(wanted: WantedAct, answer: { challengeId: string; signature: string }): Promise<VerifiedAnswer> {
    return this.challenges.verify({ ...useOf(wanted), ...answer });
  }

  /**
   * Runs `work` and consumes the signature in one transaction, so that the signature stays valid when the work fails.
   * @throws ApiError `invalid_request` when the wallet may no longer confirm or the signature was used; the errors of
   *   `work`.
   */
  carryOut<T>(wanted: WantedAct, verified: VerifiedAnswer, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async (manager) => {
      // Locks in the same order as signing in, so that they cannot deadlock.
      if (wanted.wallet !== undefined) await lockWallet(manager, wanted.wallet);
      const account = await lockAccount(manager, wanted.accountId);
      await assertSigner(manager, account, wanted, verified.proof.address);
      await this.challenges.use(verified);
      return work();
    });
  }
}

/** The wallets that may confirm. For an account without a signing wallet, the session's wallet takes its place. */
function signersIn({ walletAddress }: AccountEntity, { sessionWallet, orBy }: WantedAct): Signers {
  const usual = walletAddress ?? sessionWallet;
  return orBy === undefined || orBy === usual ? [usual] : [usual, orBy];
}

/** Checks that the wallet may still confirm, because the signing wallet may have changed since the message was made. */
async function assertSigner(
  manager: EntityManager,
  account: AccountEntity,
  wanted: WantedAct,
  address: string,
): Promise<void> {
  const isNamed = signersIn(account, wanted).includes(address);
  const isOwn =
    address === account.walletAddress ||
    (await manager.existsBy(AccountWalletEntity, { accountId: account.id, address }));
  if (isNamed && isOwn && account.status === 'active') return;
  throw new ApiError(
    'invalid_request',
    'This wallet cannot confirm this any more.',
    'Open the page again: it names the wallet that can.',
  );
}

function useOf({ accountId, binding, act, clientAddress, auditId }: WantedAct): ChallengeUse {
  const requestId = actRequestId(accountId, act);
  return { binding, purpose: 'confirm_act', requestId, clientAddress, auditId, accountId };
}
