import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as waited } from 'node:timers/promises';
import { type MarketEvent, timeLimit } from '#libs/sdk';
import type { Host } from '../frame/host.js';
import { usageError } from '../output/cli-error.js';
import { isLoopback } from '../profile/settings.js';

/** What a receiver has answered in the end. */
export interface Forwarded {
  /** HTTP status of the last attempt; 0: nobody has answered. */
  readonly status: number;
  readonly attempts: number;
}

const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1_000;
/** As the market's own deliveries (docs/how-do-i-know.md). */
const LONGEST_ANSWER_MS = 15_000;
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** A secret as the market makes them (Standard Webhooks). */
export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** Where events are forwarded to. Throws CliError where others on the way could read them. */
export function receiverOf(text: string): string {
  if (!URL.canParse(text)) throw usageError(`${text} is no address.`, 'Such as http://127.0.0.1:8080/hooks');
  const url = new URL(text);
  const { protocol, username, password, href } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(url))) {
    throw usageError('Events are forwarded by https; http is for this machine alone.');
  }
  if (username !== '' || password !== '') throw usageError('The address holds no credential.');
  return href;
}

/** Sends events on, each signed as the market signs those that it sends itself. */
export class Forwarding {
  private readonly key: Buffer;

  constructor(
    private readonly url: string,
    secret: string,
    private readonly host: Pick<Host, 'fetch' | 'now' | 'pause' | 'signal' | 'version'>,
  ) {
    if (!SECRET.test(secret)) throw usageError('The secret of the profile is damaged.', 'tasktree logout --forget');
    this.key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  }

  /**
   * Sends one event until the receiver takes it, five times at most. Each attempt has the same id, so that a receiver sees
   * that they are one, and a signature of its own time. Rejects only with the signal.
   */
  async send(event: MarketEvent): Promise<Forwarded> {
    const { pause = really, signal } = this.host;
    for (let attempts = 1; ; attempts += 1) {
      const status = await this.attempt(event.id, JSON.stringify(event));
      signal.throwIfAborted();
      const isTaken = status >= 200 && status < 300;
      // Gone is gone (Standard Webhooks).
      if (isTaken || status === 410 || attempts >= MOST_ATTEMPTS) return { status, attempts };
      await pause(FIRST_PAUSE_MS * 2 ** (attempts - 1), signal);
    }
  }

  private async attempt(id: string, body: string): Promise<number> {
    const { fetch, now, signal, version } = this.host;
    const at = Math.floor(now() / 1000);
    const signature = createHmac('sha256', this.key).update(`${id}.${at}.${body}`).digest('base64');
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': `tasktree-cli/${version}`,
          'webhook-id': id,
          'webhook-timestamp': `${at}`,
          'webhook-signature': `v1,${signature}`,
        },
        body,
        // An event must not follow a redirect to somebody else.
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeLimit(LONGEST_ANSWER_MS)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 0;
    }
  }
}

function really(ms: number, signal?: AbortSignal): Promise<void> {
  return waited(ms, undefined, { signal });
}
