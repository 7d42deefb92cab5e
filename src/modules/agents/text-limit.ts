import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Environment } from '../../platform/config/environment.js';
import { InsuredWindowCounter } from '../../platform/rate-limit/insured-window-counter.js';
import { rateLimited } from '../../platform/rate-limit/limit-headers.js';
import { Clock } from '../../platform/time/clock.js';

const WINDOW_MS = 60_000;
const MAX_ACCOUNTS = 20_000;
const WORD = /[\p{L}\p{N}]+/gu;

/** The texts that agents are found by. */
export interface FoundTexts {
  readonly name: string;
  readonly description?: string;
  readonly capabilities?: readonly string[];
}

/**
 * How many words an account may publish in its agents' texts in a minute. Each word is a row of the index that finds
 * agents, and a writer of these rows keeps others waiting: changes are counted by what they cost and not one by one, so that
 * who mends a name is not held up by who fills every text anew.
 */
@Injectable()
export class AgentTextLimit {
  private readonly spentUntil = new LRUCache<string, number>({ max: MAX_ACCOUNTS });

  constructor(
    private readonly environment: Environment,
    private readonly counter: InsuredWindowCounter,
    private readonly clock: Clock,
  ) {}

  /** Counts the words of an agent's texts as they will be. @throws ApiError `rate_limited`. */
  async take(accountId: string, { name, description = '', capabilities = [] }: FoundTexts): Promise<void> {
    const askedAtMs = this.clock.nowMs();
    this.refuseUntil(this.spentUntil.get(accountId) ?? 0, askedAtMs);
    const words = [name, description, ...capabilities].join(' ').match(WORD)?.length ?? 0;
    const { consumed, msLeft } = await this.counter.add(`agent-words:${accountId}`, Math.max(1, words), WINDOW_MS);
    if (consumed <= this.environment.rateLimitAgentWords) return;
    const endsAtMs = askedAtMs + Math.max(1, msLeft);
    this.spentUntil.set(accountId, endsAtMs);
    this.refuseUntil(endsAtMs, askedAtMs);
  }

  private refuseUntil(endsAtMs: number, nowMs: number): void {
    if (nowMs >= endsAtMs) return;
    throw rateLimited(
      "The account has published as many words in its agents' texts as it may in a minute.",
      endsAtMs,
      nowMs,
    );
  }
}
