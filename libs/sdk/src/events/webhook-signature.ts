import type { MarketEvent } from './resumed-stream.js';

/** The message is not signed with this secret, or not from about now. Answer it with 401 and do nothing. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected';
}

/** The headers as a server has them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds that a message may be old, or ahead (Standard Webhooks). */
const TOLERANCE = 300;

/**
 * The event of a webhook's message, once its signature is right (Standard Webhooks, `v1`). Types that are not known here
 * come through as they are. Throws WebhookRejected.
 * @param body bytes or text of the body as they arrived; JSON that was parsed and written anew does not match.
 * @param secret as the endpoint was made with, `whsec_…`; several while one is replaced.
 */
export async function unwrapWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  nowMs: number = Date.now(),
): Promise<MarketEvent> {
  const [id, at, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    valueOf(headers, name),
  );
  const sentAt = Number(at);
  if (!id || !at || !(Math.abs(nowMs / 1000 - sentAt) <= TOLERANCE))
    throw new WebhookRejected('Not signed, or not from now');
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${at}.`);
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = new Uint8Array([...head, ...bytes]);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const raw = bytesOf(one.replace(/^whsec_/, ''));
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of (signatures ?? '').split(' ').filter((text) => text.startsWith('v1,'))) {
      // `verify` compares in constant time.
      if (!(await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed))) continue;
      return JSON.parse(new TextDecoder().decode(bytes)) as MarketEvent;
    }
  }
  throw new WebhookRejected('The signature is not of this secret');
}

function valueOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

/** Bytes of base64; none of a text that is no base64, which no signature matches. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}
