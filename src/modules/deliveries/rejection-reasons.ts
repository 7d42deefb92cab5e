import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { bytesToHex, type Hex, sha256 } from '#libs/kernel';
import { RejectionReasonEntity } from './rejection-reason.entity.js';

/** The reason hash of a rejection that gives none. */
export const NO_REASON: Hex = `0x${'0'.repeat(64)}`;

/** What a hirer signs for a reason: SHA-256 of its UTF-8 bytes, as an artifact's hash is of its bytes. */
export function reasonHashOf(reason: string): Hex {
  return bytesToHex(sha256(reason));
}

/** The texts behind the reason hashes of rejections. */
@Injectable()
export class RejectionReasons {
  /** Keeps the text, in the caller's transaction; the same text again changes nothing. */
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
