import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { FallbackWindowCounter } from '../../platform/rate-limit/counters/fallback-window-counter.js';
import { rateLimited } from '../../platform/rate-limit/limit-headers.js';
import { PointsWindow } from '../../platform/rate-limit/counters/points-window.js';
import { Clock } from '../../platform/time/clock.js';

const WINDOW_MS = 60_000;
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
 * who mends a name is not held up by who fills every text anew. The change that uses the limit up is made, because one agent
 * may have more words than the limit.
 */
@Injectable()
export class AgentTextLimit {
  private readonly words: PointsWindow;

  constructor(
    environment: Environment,
    counter: FallbackWindowCounter,
    private readonly clock: Clock,
  ) {
    const spentFrom = environment.rateLimitAgentWords;
    this.words = new PointsWindow(
      { name: 'agent-words', windowMs: WINDOW_MS, spentFrom, admitsLast: true },
      counter,
      clock,
    );
  }

  /** Counts the words of an agent's texts as they will be. @throws ApiError `rate_limited`. */
  async take(accountId: string, { name, description = '', capabilities = [] }: FoundTexts): Promise<void> {
    const nowMs = this.clock.nowMs();
    const words = [name, description, ...capabilities].join(' ').match(WORD)?.length ?? 0;
    const spentUntil = this.words.spentUntil(accountId) ?? (await this.words.add(accountId, Math.max(1, words)));
    if (spentUntil === null) return;
    const what = "The account has published as many words in its agents' texts as it may in a minute.";
    throw rateLimited(what, spentUntil, nowMs);
  }
}
