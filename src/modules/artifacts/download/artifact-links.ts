import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { Clock } from '../../../platform/time/clock.js';

/** How long a link opens (docs/decisions/interface.md#visibility). */
const LIFETIME_MS = 600_000;
/** Longest token that is looked at; ours are a third of it. */
const MAX_TOKEN_LENGTH = 1_024;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]+$/;
const BINDING = 'artifact-link';

/** What a link is bound to. */
export interface ArtifactGrant {
  readonly accountId: string;
  readonly deliveryId: string;
}

/** Links to whole artifacts carry their grant sealed, so nothing is stored for a link that is never opened. */
@Injectable()
export class ArtifactLinks {
  constructor(
    private readonly environment: Environment,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** A link that opens for ten minutes, and until when. */
  issue({ accountId, deliveryId }: ArtifactGrant): { url: string; expiresAt: Date } {
    const expiresAtMs = this.clock.nowMs() + LIFETIME_MS;
    // Identifiers hold no line feed (docs/decisions/interface.md#types-on-the-wire), so the parts cannot run into each
    // other.
    const plain = Buffer.from([accountId, deliveryId, String(expiresAtMs)].join('\n'), 'utf8');
    const token = this.sealer.seal('artifact-link', plain, BINDING).toString('base64url');
    return { url: `${this.environment.baseUrl}/artifacts/${token}`, expiresAt: new Date(expiresAtMs) };
  }

  /** What the token was issued for; null for anything that was not sealed here, and after it expired. */
  open(token: string): ArtifactGrant | null {
    if (token.length > MAX_TOKEN_LENGTH || !TOKEN_PATTERN.test(token)) return null;
    const plain = this.sealer.open('artifact-link', Buffer.from(token, 'base64url'), BINDING);
    if (!plain) return null;
    const [accountId = '', deliveryId = '', expiresAtMs = '0'] = plain.toString('utf8').split('\n');
    return this.clock.nowMs() < Number(expiresAtMs) ? { accountId, deliveryId } : null;
  }
}
