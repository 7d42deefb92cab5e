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
 * Limits the words that an account may publish in its agents' texts per minute. Each word is a row of the search index,
 * and writing these rows makes other writers wait, so a change counts by its words. A small correction is then not held
 * up by somebody else's large texts. The change that reaches the limit is still made, because a single agent may have
 * more words than the limit.
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

  /** Counts the words of an agent's new texts. @throws ApiError `rate_limited`. */
  async take(accountId: string, { name, description = '', capabilities = [] }: FoundTexts): Promise<void> {
    const nowMs = this.clock.nowMs();
    const words = [name, description, ...capabilities].join(' ').match(WORD)?.length ?? 0;
    const spentUntil = this.words.spentUntil(accountId) ?? (await this.words.add(accountId, Math.max(1, words)));
    if (spentUntil === null) return;
    const what = "The account has published as many words in its agents' texts as it may in a minute.";
    throw rateLimited(what, spentUntil, nowMs);
  }
}
