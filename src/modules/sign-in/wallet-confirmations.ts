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

/** What a session wants to be done, and who may agree to it. */
export interface WantedAct {
  accountId: string;
  /** The wallet that signed the session in, EIP-55. */
  sessionWallet: string;
  /** The session's own secret: a signature is good in no other. */
  binding: string;
  act: ConfirmedAct;
  /** The wallet that the act is about, EIP-55; absent: it is about none. */
  wallet?: string;
  /** A wallet that may agree beside the one that signs, EIP-55. */
  orBy?: string;
  /** `request.ip`. */
  clientAddress: string | undefined;
  /** `X-Request-Id`, for the record. */
  auditId: string | null;
}

/** Wallets that may agree, EIP-55. */
type Signers = readonly [string, ...string[]];

/**
 * Acts that a session alone cannot do: whoever has a stolen cookie has the session. The wallet that signs the account's
 * actions must sign a message that was made for exactly this act, in this session; it is good once, for five minutes.
 */
@Injectable()
export class WalletConfirmations {
  constructor(
    private readonly transactions: Transactions,
    private readonly accounts: AccountsService,
    private readonly challenges: WalletChallenges,
  ) {}

  /** The wallets that may agree now, the usual one first. @throws ApiError `not_found`. */
  async signersOf(wanted: WantedAct): Promise<Signers> {
    return signersIn(await this.accounts.find(wanted.accountId), wanted);
  }

  /**
   * A message for the act.
   * @param by one of `signersOf`; any other text means the first of them.
   * @throws ApiError as `WalletChallenges.issue`.
   */
  async ask(wanted: WantedAct, by: string): Promise<OpenedChallenge> {
    const signers = await this.signersOf(wanted);
    const address = signers.find((signer) => signer === by) ?? signers[0];
    return this.challenges.issue({ ...useOf(wanted), act: wanted.act.words, address });
  }

  /** Asks the chain, so not within a transaction. @throws ApiError and ChainUnavailableError as `WalletChallenges.verify`. */
  verify(wanted: WantedAct, answer: { challengeId: string; signature: string }): Promise<VerifiedAnswer> {
    return this.challenges.verify({ ...useOf(wanted), ...answer });
  }

  /**
   * Does the act and uses the signature up, in one transaction: what fails leaves the signature good.
   * @throws ApiError `invalid_request` when the wallet may not agree any more or the signature was used; what `work` throws.
   */
  carryOut<T>(wanted: WantedAct, verified: VerifiedAnswer, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async (manager) => {
      // In the order in which signing in locks, so that neither waits for the other.
      if (wanted.wallet !== undefined) await lockWallet(manager, wanted.wallet);
      const account = await lockAccount(manager, wanted.accountId);
      await assertSigner(manager, account, wanted, verified.proof.address);
      await this.challenges.use(verified);
      return work();
    });
  }
}

/** An account without a signing wallet has only those that signed in: then it is the one of this session. */
function signersIn({ walletAddress }: AccountEntity, { sessionWallet, orBy }: WantedAct): Signers {
  const usual = walletAddress ?? sessionWallet;
  return orBy === undefined || orBy === usual ? [usual] : [usual, orBy];
}

/** Which wallet signs may have changed since the message was made. */
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
