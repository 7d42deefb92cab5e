import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashMessage } from 'ethers';
import { IsNull, MoreThan } from 'typeorm';
import { readAddressText } from '#libs/contracts';
import { type Hex, isHex, isIdentifier, newId, sha256 } from '#libs/kernel';
import { WalletSignatures } from '../../platform/chain/wallet-signatures.js';
import { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { clientNetwork } from '../../platform/rate-limit/client-network.js';
import { Clock } from '../../platform/time/clock.js';
import { AuditLog } from '../accounts/audit/audit-log.js';
import type { WalletProof } from '../accounts/wallets/wallet-proof.js';
import { isRequestId, signInMessage } from './sign-in-message.js';
import { SignInLimit } from './sign-in-limit.js';
import { type ChallengePurpose, WalletChallengeEntity } from './wallet-challenge.entity.js';

/** What a signature is bound to: the browser, the purpose and the page. */
export interface ChallengeUse {
  /** The browser's own secret (`BrowserCookies.bindingOf`). */
  binding: string;
  purpose: ChallengePurpose;
  /** Id of the interaction, action or act; for an account page it begins with `account`. */
  requestId: string;
  /** `request.ip`. Messages are limited per client network, and events without an account are recorded with it. */
  clientAddress: string | undefined;
  /** `X-Request-Id`, for the audit record. */
  auditId: string | null;
  /** The account concerned, for the audit record; absent when not known yet. */
  accountId?: string;
}

/** Input for a new challenge. */
interface NewChallenge extends ChallengeUse {
  /** 0x address, with a valid checksum or in one letter case. */
  address: string;
  /** What the signature confirms, in words; only for `confirm_act`. */
  act?: string;
}

/** A message to be signed with `personal_sign` (EIP-191). */
export interface OpenedChallenge {
  challengeId: string;
  message: string;
  expiresAt: Date;
  /** The wallet that must sign, EIP-55 as in the message. */
  address: string;
}

/** The browser's answer to a challenge. */
export interface ChallengeAnswer extends ChallengeUse {
  challengeId: string;
  /** 0x hex, as the wallet returned it. */
  signature: string;
}

/** A valid signature that was not used yet. */
export interface VerifiedAnswer {
  readonly answer: ChallengeAnswer;
  readonly challenge: WalletChallengeEntity;
  readonly proof: WalletProof;
}

type Refusal =
  | 'unknown_challenge'
  | 'other_browser'
  | 'other_purpose'
  | 'other_request'
  | 'expired'
  | 'already_used'
  | 'malformed_signature'
  | 'too_many_attempts'
  | 'wrong_signature';

const LIFE_MS = 5 * 60_000;
/** Time for which a used signature can be referred to again, in the same browser and for the same page. */
const REMEMBERED_MS = 15 * 60_000;
/** 128 bits. */
const NONCE_BYTES = 16;

/**
 * Verifies that somebody controls a wallet (EIP-4361). The service makes the message and stores its members; a browser
 * sends back only the challenge's id and a signature, so it cannot substitute another message. A challenge is valid
 * once, for five minutes, in the browser, for the purpose and for the page that it was made for.
 */
@Injectable()
export class WalletChallenges {
  constructor(
    private readonly transactions: Transactions,
    private readonly environment: Environment,
    private readonly signatures: WalletSignatures,
    private readonly limit: SignInLimit,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Issues a challenge. @throws ApiError `invalid_request` (no valid address or request id) or `rate_limited`. */
  async issue({
    binding,
    purpose,
    address,
    requestId,
    clientAddress,
    auditId,
    act,
  }: NewChallenge): Promise<OpenedChallenge> {
    await this.limit.take(clientAddress, { purpose, auditId });
    const wallet = readAddressText(address.trim());
    if (wallet === null) {
      throw new ApiError(
        'invalid_request',
        'This is not the address of a wallet.',
        'An address begins with 0x and has 40 more digits; copy it from the wallet.',
      );
    }
    if (!isRequestId(requestId)) throw new ApiError('invalid_request', 'The page has no id that a message can name.');
    const issuedAt = this.clock.wall();
    const challenge: WalletChallengeEntity = {
      id: newId('chal', issuedAt.getTime()),
      bindingHash: sha256(binding),
      purpose,
      address: wallet,
      chainId: String(this.environment.chainId),
      nonce: randomBytes(NONCE_BYTES).toString('hex'),
      requestId,
      act: act ?? null,
      issuedAt,
      expiresAt: new Date(issuedAt.getTime() + LIFE_MS),
      consumedAt: null,
      provedBy: null,
    };
    await this.transactions.manager.insert(WalletChallengeEntity, challenge);
    const message = signInMessage(challenge, this.environment);
    return { challengeId: challenge.id, message, expiresAt: challenge.expiresAt, address: wallet };
  }

  /**
   * Verifies a signature and consumes the challenge. A wrong signature or an unreachable chain does not consume it, but
   * at most ten signatures are checked.
   * @throws ApiError `invalid_request`, always with the same text; the audit record has the reason.
   * @throws ChainUnavailableError when a contract wallet must be asked and the chain cannot be reached.
   */
  async redeem(answer: ChallengeAnswer): Promise<WalletProof> {
    const verified = await this.verify(answer);
    await this.use(verified);
    return verified.proof;
  }

  /** The first half of `redeem`. It may call the chain, so do not call it within a transaction. Errors as `redeem`. */
  async verify(answer: ChallengeAnswer): Promise<VerifiedAnswer> {
    const { challengeId, signature } = answer;
    const challenge = isIdentifier(challengeId) ? await this.find(challengeId) : null;
    if (challenge === null) return this.refuse(answer, 'unknown_challenge', null);
    const misuse = misuseOf(challenge, answer, this.clock.wall());
    if (misuse !== null) return this.refuse(answer, misuse, challenge);
    if (!isHex(signature)) return this.refuse(answer, 'malformed_signature', challenge);
    if (!(await this.limit.admits(challengeId))) return this.refuse(answer, 'too_many_attempts', challenge);
    const digest = messageDigest(signInMessage(challenge, this.environment));
    const signer = await this.signatures.signerOf(digest, signature, challenge.address);
    if (signer === null) return this.refuse(answer, 'wrong_signature', challenge);
    return { answer, challenge, proof: proofOf(challenge, signer) };
  }

  /**
   * The second half of `redeem`: consumes the challenge, in the caller's transaction if there is one. Errors as
   * `redeem`.
   */
  async use({ answer, challenge, proof }: VerifiedAnswer): Promise<void> {
    const isFirst = await this.consume(answer, challenge, proof.chainId === 0 ? 'key' : 'contract');
    if (!isFirst) await this.refuse(answer, 'already_used', challenge);
  }

  /**
   * Returns the wallet that has answered a challenge recently, for a page that then needs a second signature.
   * @throws ApiError `invalid_request` unless the challenge was answered in this browser, for this page, within the
   *   last 15 minutes.
   */
  async provedBefore(use: ChallengeUse, challengeId: string): Promise<WalletProof> {
    const challenge = isIdentifier(challengeId) ? await this.find(challengeId) : null;
    if (challenge === null) return this.refuse(use, 'unknown_challenge', null);
    const now = this.clock.wall();
    const misuse = foreignUseOf(challenge, use);
    if (misuse !== null) return this.refuse(use, misuse, challenge);
    const { consumedAt, provedBy } = challenge;
    if (consumedAt === null || provedBy === null || now.getTime() - consumedAt.getTime() >= REMEMBERED_MS) {
      return this.refuse(use, 'expired', challenge);
    }
    return proofOf(challenge, provedBy);
  }

  private find(id: string): Promise<WalletChallengeEntity | null> {
    return this.transactions.manager.findOneBy(WalletChallengeEntity, { id });
  }

  /** Marks the challenge as used. Of concurrent calls only one resolves to true. */
  private consume(use: ChallengeUse, challenge: WalletChallengeEntity, by: string) {
    const { purpose, auditId, accountId, clientAddress } = use;
    const { id, address, act } = challenge;
    const network = clientNetwork(clientAddress);
    return this.transactions.run(async (manager) => {
      const now = this.clock.wall();
      const open = { id, consumedAt: IsNull(), expiresAt: MoreThan(now) };
      const { affected } = await manager.update(WalletChallengeEntity, open, { consumedAt: now, provedBy: by });
      if (affected !== 1) return false;
      const detail = { purpose, wallet: address, by, ...(act === null ? {} : { act }) };
      await this.audit.record({
        event: 'wallet_proved',
        requestId: auditId,
        accountId,
        network,
        credentialId: id,
        detail,
      });
      return true;
    });
  }

  private async refuse(
    { purpose, auditId, accountId, clientAddress }: ChallengeUse,
    reason: Refusal,
    challenge: WalletChallengeEntity | null,
  ): Promise<never> {
    const { id = null, address } = challenge ?? {};
    const detail = { purpose, reason, ...(address === undefined ? {} : { wallet: address }) };
    await this.audit.record({
      event: 'session_refused',
      requestId: auditId,
      accountId,
      network: clientNetwork(clientAddress),
      credentialId: id,
      detail,
    });
    throw new ApiError(
      'invalid_request',
      'The signature was not accepted.',
      'Ask for a new message and sign it with the wallet whose address it names, within five minutes.',
    );
  }
}

/** The reason why this use of a challenge is refused; null when it is allowed. */
function misuseOf(challenge: WalletChallengeEntity, use: ChallengeUse, now: Date): Refusal | null {
  const foreign = foreignUseOf(challenge, use);
  if (foreign !== null) return foreign;
  if (challenge.expiresAt <= now) return 'expired';
  return challenge.consumedAt === null ? null : 'already_used';
}

/** The reason why a challenge was not made for this use; null when it was. */
function foreignUseOf(challenge: WalletChallengeEntity, use: ChallengeUse): Refusal | null {
  if (!timingSafeEqual(challenge.bindingHash, sha256(use.binding))) return 'other_browser';
  if (challenge.purpose !== use.purpose) return 'other_purpose';
  return challenge.requestId === use.requestId ? null : 'other_request';
}

function proofOf({ address, chainId }: WalletChallengeEntity, by: string): WalletProof {
  return { address, chainId: by === 'key' ? 0 : Number(chainId) };
}

function messageDigest(message: string): Hex {
  const digest = hashMessage(message);
  if (!isHex(digest)) throw new TypeError('A digest is hexadecimal');
  return digest;
}
