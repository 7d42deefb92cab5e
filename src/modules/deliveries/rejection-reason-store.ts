import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { bytesToHex, type Hex, sha256 } from '#libs/kernel';
import { RejectionReasonEntity } from './rejection-reason.entity.js';

/** The reason hash of a rejection without a reason. */
export const NO_REASON: Hex = `0x${'0'.repeat(64)}`;

/** The hash that a hirer signs for a reason: SHA-256 of its UTF-8 bytes. */
export function reasonHashOf(reason: string): Hex {
  return bytesToHex(sha256(reason));
}

/** Stores the texts of rejection reasons by their hashes. */
@Injectable()
export class RejectionReasons {
  /** Stores the text in the caller's transaction; storing the same text again changes nothing. */
  async keep(manager: EntityManager, nodeId: string, reason: string): Promise<void> {
    await manager
      .createQueryBuilder()
      .insert()
      .into(RejectionReasonEntity)
      .values({ nodeId, reasonHash: reasonHashOf(reason), reason })
      .orIgnore()
      .execute();
  }
}
