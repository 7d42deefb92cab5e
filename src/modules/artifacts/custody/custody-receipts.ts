import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { Sealer } from '../../../platform/secrets/sealer.js';

/** Longest receipt that is examined; valid receipts are about a third of that. */
const MAX_RECEIPT_LENGTH = 512;
const RECEIPT_PATTERN = /^[A-Za-z0-9_-]+$/;

/**
 * Receipts of custody: sealed, so that only this service can make one, and bound to the account and the artifact, so
 * that nobody can use another's. Receipts do not expire, but the custody that they prove ends unless a delivery needs
 * the artifact.
 */
@Injectable()
export class CustodyReceipts {
  constructor(private readonly sealer: Sealer) {}

  /** Issues the account's receipt for this artifact of `bytes` bytes. */
  issue(accountId: string, artifactHash: Hex, bytes: number): string {
    const plain = Buffer.from(String(bytes), 'utf8');
    return this.sealer.seal('custody-receipt', plain, bindingOf(accountId, artifactHash)).toString('base64url');
  }

  /** The bytes that the receipt states; null when it was not issued here to this account for this artifact. */
  open(accountId: string, artifactHash: Hex, receipt: string): number | null {
    if (receipt.length > MAX_RECEIPT_LENGTH || !RECEIPT_PATTERN.test(receipt)) return null;
    const sealed = Buffer.from(receipt, 'base64url');
    const plain = this.sealer.open('custody-receipt', sealed, bindingOf(accountId, artifactHash));
    return plain && Number(plain.toString('utf8'));
  }
}

/** Identifiers and hashes hold no line feed, so the parts cannot run into each other. */
function bindingOf(accountId: string, artifactHash: Hex): string {
  return `${accountId}\n${artifactHash.toLowerCase()}`;
}
