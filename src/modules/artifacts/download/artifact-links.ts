import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';

/** Lifetime of a link (docs/decisions/interface.md#visibility). */
const LIFETIME_MS = 600_000;
/** Longest token that is examined; valid tokens are about a third of that. */
const MAX_TOKEN_LENGTH = 1_024;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]+$/;
const BINDING = 'artifact-link';

/** What a link is bound to. */
export interface ArtifactGrant {
  readonly accountId: string;
  readonly deliveryId: string;
}

/** Makes and opens links to whole artifacts. A link carries its grant sealed, so nothing is stored for it. */
@Injectable()
export class ArtifactLinks {
  constructor(
    private readonly environment: Environment,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Issues a link that works for ten minutes. Returns it with the time of its end. */
  issue({ accountId, deliveryId }: ArtifactGrant): { url: string; expiresAt: Date } {
    const expiresAtMs = this.clock.nowMs() + LIFETIME_MS;
    // Identifiers hold no line feed (docs/decisions/interface.md#types-on-the-wire), so the parts cannot run into each
    // other.
    const plain = Buffer.from([accountId, deliveryId, String(expiresAtMs)].join('\n'), 'utf8');
    const token = this.sealer.seal('artifact-link', plain, BINDING).toString('base64url');
    return { url: `${this.environment.baseUrl}/artifacts/${token}`, expiresAt: new Date(expiresAtMs) };
  }

  /** Returns the grant of a token; null when the token was not sealed by this service or has expired. */
  open(token: string): ArtifactGrant | null {
    if (token.length > MAX_TOKEN_LENGTH || !TOKEN_PATTERN.test(token)) return null;
    const plain = this.sealer.open('artifact-link', Buffer.from(token, 'base64url'), BINDING);
    if (!plain) return null;
    const [accountId = '', deliveryId = '', expiresAtMs = '0'] = plain.toString('utf8').split('\n');
    return this.clock.nowMs() < Number(expiresAtMs) ? { accountId, deliveryId } : null;
  }
}
