import { type KeyObject, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** What is signed. rule: Standard Webhooks, "Webhook Headers" */
export interface SignedMessage {
  /** The event's id: the same at every attempt. */
  readonly id: string;
  /** Time of this attempt, in milliseconds. */
  readonly atMs: number;
  readonly body: string;
}

/**
 * The headers of a delivery: one `v1` for each secret, and one `v1a` with the service's key, which a receiver can verify
 * that has no secret. The library knows only `v1`; it takes the signature that it knows out of the others.
 */
export function signedHeaders(
  { id, atMs, body }: SignedMessage,
  secrets: readonly string[],
  key: KeyObject,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = Math.floor(atMs / 1000);
  const symmetric = secrets.map((secret) => new Webhook(secret).sign(id, new Date(atMs), body));
  const asymmetric = `v1a,${sign(null, Buffer.from(`${id}.${seconds}.${body}`, 'utf8'), key).toString('base64')}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': [...symmetric, asymmetric].join(' '),
  };
}
