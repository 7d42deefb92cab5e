import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { sha256 } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { runPrepared } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { type CheckedProof, checkProof, PROOF_WINDOW_SECONDS, ProofFault } from '../dpop-proof.js';
import { USE_PROOF } from './dpop-proofs.sql.js';

/** A token and the key that it is bound to. */
interface BoundToken {
  readonly token: string;
  /** Thumbprint of the key (RFC 7638): base64url SHA-256. */
  readonly thumbprint: string;
}

/** Result of checking a proof. `wrong-key` is a valid proof of another key than the token's. */
type ProofVerdict = { fault: null } | { fault: 'wrong-key' } | { fault: 'invalid'; reason: string };

/**
 * Allowed difference between the processes' clocks: a used proof is remembered until it is too old for every process.
 */
const CLOCK_MARGIN_MS = 60_000;

/** Verifies proofs of possession (RFC 9449). Each is valid for one request, whichever process receives it. */
@Injectable()
export class DpopProofs {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /** Verifies the proof of a request and marks it as used. Rejects only when the database fails. */
  async verify({ method, originalUrl, headers: { dpop } }: Request, bound: BoundToken): Promise<ProofVerdict> {
    if (dpop === undefined) return invalid('The access token is bound to a key; a DPoP header must prove it.');
    const path = originalUrl.split('?', 1)[0] ?? '';
    const request = { method, url: this.environment.baseUrl + path, token: bound.token, now: this.clock.wall() };
    try {
      const proof = await checkProof(String(dpop), request);
      if (proof.thumbprint !== bound.thumbprint) return { fault: 'wrong-key' };
      if (!(await this.use(proof))) return invalid('The proof was used before; make a new one for each request.');
      return { fault: null };
    } catch (error) {
      if (error instanceof ProofFault) return invalid(error.message);
      throw error;
    }
  }

  /** Records the use of a proof. Returns true for its first use. */
  private async use({ thumbprint, jti, issuedAt }: CheckedProof): Promise<boolean> {
    const proofHash = sha256(`${thumbprint} ${jti}`);
    const expiresAt = new Date((issuedAt + PROOF_WINDOW_SECONDS) * 1000 + CLOCK_MARGIN_MS);
    const rows = await runPrepared(this.dataSource.manager, USE_PROOF, [proofHash, expiresAt]);
    return rows.length === 1;
  }
}

function invalid(reason: string): ProofVerdict {
  return { fault: 'invalid', reason };
}
