import { types } from 'node:util';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Agent, Dispatcher } from 'undici';
import { Environment } from '../../../platform/config/environment.js';
import { checkedAgent, EgressRefusedError } from '../../../platform/egress/checked-agent.js';
import { EgressDns } from '../../../platform/egress/egress-dns.js';
import { receiverAddresses } from '../endpoints/endpoint-url.js';

/** Longest time of an attempt in milliseconds, from the resolution of the name to the last byte that is read. */
const TIMEOUT_MS = 15_000;
/** Bytes of an answer that are read; the connection is cut behind them. */
const KEPT_BYTES = 4096;
/** All that an attempt shows of a control character. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Why there was no answer. */
export type SendFailure = 'timeout' | 'address_refused' | 'name_not_found' | 'tls_failed' | 'connection_failed';

/** How an attempt went. */
export interface SendOutcome {
  /** Null: there was no answer. */
  readonly status: number | null;
  readonly failure: SendFailure | null;
  readonly durationMs: number;
  /** The beginning of the answer's body. */
  readonly answer: string;
  /** As the receiver wrote it. */
  readonly retryAfter: string | null;
}

/**
 * Sends one delivery by one POST: no redirect is followed, and the answer is never held beyond its first 4 KiB, however long
 * it is.
 */
@Injectable()
export class WebhookSender implements OnModuleDestroy {
  /** See TIMEOUT_MS; specs make it shorter. */
  timeoutMs = TIMEOUT_MS;
  private readonly agent: Agent;
  private readonly stopping = new AbortController();

  constructor(dns: EgressDns, environment: Environment) {
    this.agent = checkedAgent({ dns, addresses: receiverAddresses(environment), timeoutMs: TIMEOUT_MS });
  }

  async onModuleDestroy(): Promise<void> {
    this.cut();
    await this.agent.destroy();
  }

  /** Ends what is under way, because the process does. */
  cut(): void {
    this.stopping.abort();
  }

  /** Never rejects. @returns null when it was cut: nobody knows how it went. */
  async send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<SendOutcome | null> {
    const startMs = performance.now();
    const took = () => Math.round(performance.now() - startMs);
    // Limits the whole: the agent's own limits are of silences, which a receiver that sends a byte a second never makes.
    const timeOut = AbortSignal.timeout(this.timeoutMs);
    const signal = AbortSignal.any([timeOut, this.stopping.signal]);
    try {
      const { statusCode, headers: answered, body: stream } = await this.post(new URL(url), headers, body, signal);
      const answer = await beginningOf(stream).catch(() => '');
      const retryAfter = answered['retry-after'];
      return {
        status: statusCode,
        failure: null,
        durationMs: took(),
        answer,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
      };
    } catch (error) {
      if (this.stopping.signal.aborted) return null;
      const failure = timeOut.aborted ? 'timeout' : failureOf(error);
      return { status: null, failure, durationMs: took(), answer: '', retryAfter: null };
    }
  }

  private post(url: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal) {
    const sent = this.agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'tasktree-webhooks/1',
      },
      body,
      signal,
    });
    // The resolution of a name cannot be aborted, so it is left behind.
    return Promise.race([sent, aborted(signal)]);
  }
}

async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  // Destroying it before its end is an error to the stream, and none here.
  body.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) break;
    chunks.push(chunk.subarray(0, KEPT_BYTES - size));
    size += chunk.length;
    if (size >= KEPT_BYTES) break;
  }
  body.destroy();
  return Buffer.concat(chunks).toString('utf8').replace(CONTROL, '');
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The receiver took too long')), { once: true });
  });
}

/** Only what kind of failure it was: messages name addresses, which a receiver must not learn of the inside. */
function failureOf(error: unknown): SendFailure {
  if (error instanceof EgressRefusedError) return 'address_refused';
  const code = types.isNativeError(error) && 'code' in error ? String(error.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'name_not_found';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT') return 'timeout';
  return /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)
    ? 'tls_failed'
    : 'connection_failed';
}
