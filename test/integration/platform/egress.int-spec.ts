import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { OAuthRequests } from '../../../src/modules/oauth/protocol/oauth-requests.js';
import { TokenLimits } from '../../../src/modules/oauth/protocol/token-limits.js';
import { SignInLimit } from '../../../src/modules/sign-in/sign-in-limit.js';
import type { AuditLog } from '../../../src/modules/accounts/audit/audit-log.js';
import { Environment } from '../../../src/platform/config/environment.js';
import type { Principal } from '../../../src/platform/http/principal.js';
import { AddressBudget } from '../../../src/platform/rate-limit/address-budget.js';
import { DatabaseWindowCounter } from '../../../src/platform/rate-limit/counters/database-window-counter.js';
import { BodyBytesBudget } from '../../../src/platform/rate-limit/body-bytes-budget.js';
import { FallbackWindowCounter } from '../../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { IpLimitMiddleware } from '../../../src/platform/rate-limit/ip-limit.middleware.js';
import { PrincipalLimitGuard } from '../../../src/platform/rate-limit/principal-limit.guard.js';
import { RateLimitStore } from '../../../src/platform/rate-limit/rate-limit.store.js';
import { RedisWindowCounter } from '../../../src/platform/rate-limit/counters/redis-window-counter.js';
import type { WindowCounter } from '../../../src/platform/rate-limit/counters/window-counter.js';
import { createMigratedDatabase } from '../../support/database.js';
import { MovedCounter } from '../../support/moved-counter.js';
import { patientCounter } from '../../support/patient.js';
import { SteppingClock } from '../../support/stepping-clock.js';

/** The address that all people share: an assistant's egress, or a company's gateway. */
const GATEWAY = '203.0.113.9';
const CLIENT = 'the-assistant';
const MINUTE_MS = 60_000;
/** Requests of one sign-in before the person is signed in: authorization, page, styles, script, message, answer. */
const ANONYMOUS_REQUESTS = 8;
const READS = 12;
const WRITES = 3;

interface Step {
  atMs: number;
  run: () => Promise<void>;
}

/** The service's default limits, on a clock that the spec moves. */
class Limits {
  readonly clock = new SteppingClock();
  readonly refusals: string[] = [];
  private readonly addresses: IpLimitMiddleware;
  private readonly signIns: SignInLimit;
  private readonly tokens: TokenLimits;
  private readonly principals: PrincipalLimitGuard;
  private readonly current: { request: Request | null } = { request: null };
  readonly store: RateLimitStore;

  constructor(makeCounter: (clock: SteppingClock) => WindowCounter) {
    const { clock } = this;
    const environment = new Environment();
    const counter = new FallbackWindowCounter(makeCounter(clock), clock);
    this.store = new RateLimitStore(counter, clock);
    const budget = new AddressBudget(this.store, environment, clock);
    this.addresses = new IpLimitMiddleware(budget);
    const audit = { record: () => Promise.resolve() } as unknown as AuditLog;
    this.signIns = new SignInLimit(this.store, environment, audit, clock);
    const requests = { current: this.current } as unknown as OAuthRequests;
    this.tokens = new TokenLimits(this.store, environment, budget, requests, clock);
    const throttlers = [
      { name: 'reads', limit: environment.rateLimitPrincipal, ttl: MINUTE_MS },
      { name: 'writes', limit: environment.rateLimitPrepare, ttl: MINUTE_MS },
      { name: 'account-reads', limit: environment.rateLimitAccount, ttl: MINUTE_MS },
      { name: 'account-writes', limit: environment.rateLimitAccountPrepare, ttl: MINUTE_MS },
    ];
    const bodies = new BodyBytesBudget(environment, counter, clock);
    this.principals = new PrincipalLimitGuard({ throttlers }, this.store, new Reflector(), clock, bodies);
  }

  anonymous(path: string): Promise<void> {
    return this.attempt(`anonymous ${path}`, () => this.pass(requestOf('GET', path, {})));
  }

  message(): Promise<void> {
    return this.attempt('message', () => this.signIns.take(GATEWAY, { purpose: 'sign_in', auditId: null }));
  }

  token(grantId: string): Promise<void> {
    return this.attempt('token', async () => {
      const request = requestOf('POST', '/oauth/token', {});
      this.current.request = request;
      this.tokens.assertWorthLooking('Client', CLIENT);
      await this.tokens.take({ grantId, clientId: CLIENT } as never);
    });
  }

  use(method: 'GET' | 'POST', accountId: string): Promise<void> {
    return this.attempt(method, async () => {
      const request = requestOf(method, '/v1/tasks', { authorization: `Bearer ${accountId}` });
      const { response } = await this.pass(request);
      const scopes: Principal['scopes'] = ['read', 'buyer'];
      request.context.principal = { accountId, credentialId: `grant of ${accountId}`, scopes } as Principal;
      await this.principals.canActivate({
        switchToHttp: () => ({ getRequest: () => request, getResponse: () => response }),
      } as unknown as ExecutionContext);
      response.emit('close');
    });
  }

  private async pass(request: Request): Promise<{ response: Response }> {
    const response = responseOf();
    let refusal: unknown;
    await this.addresses.use(request, response, (error?: unknown) => {
      refusal = error;
    });
    if (refusal !== undefined) throw refusal;
    return { response };
  }

  private async attempt(what: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.refusals.push(`${what}: ${String(error)}`);
    }
  }
}

function requestOf(method: string, path: string, headers: Record<string, string>): Request {
  const request = { method, path, headers, ip: GATEWAY, context: { requestId: 'r', version: '', versionNamed: false } };
  return request as unknown as Request;
}

function responseOf(): Response {
  return Object.assign(new EventEmitter(), { setHeader: () => undefined }) as unknown as Response;
}

/**
 * Plays people who sign in at some time within `minutes`, use their token for a quarter of an hour, and refresh it. The
 * clock is moved; what they do at the same moment is done one after another.
 */
async function live(limits: Limits, people: number, minutes: number): Promise<void> {
  const steps: Step[] = [];
  const run = randomUUID();
  for (let person = 0; person < people; person += 1) {
    const account = `${run} ${person}`;
    // Spreads the beginnings by the golden ratio: evenly, and never in step with a window.
    const startMs = ((person * 0.618_033_988_75) % 1) * minutes * MINUTE_MS;
    const at = (offsetMs: number, act: () => Promise<void>) => steps.push({ atMs: startMs + offsetMs, run: act });
    for (let n = 0; n < ANONYMOUS_REQUESTS; n += 1) at(n * 1_000, () => limits.anonymous('/oauth/authorize'));
    at(9_000, () => limits.message());
    at(15_000, () => limits.token(account));
    for (let n = 0; n < READS; n += 1) at(20_000 + n * 70_000, () => limits.use('GET', account));
    for (let n = 0; n < WRITES; n += 1) at(25_000 + n * 280_000, () => limits.use('POST', account));
    at(15 * MINUTE_MS, () => limits.token(account));
  }
  steps.sort((left, right) => left.atMs - right.atMs);
  const realNow = Date.now.bind(Date);
  const startedAtMs = realNow();
  let nowMs = 0;
  // The stores use the machine's clock, which this moves together with the spec's.
  const moved = jest.spyOn(Date, 'now').mockImplementation(() => startedAtMs + nowMs);
  try {
    for (const step of steps) {
      nowMs = Math.floor(step.atMs);
      await step.run();
    }
  } finally {
    moved.mockRestore();
  }
}

describe('people of one assistant behind one address', () => {
  it('10,000 of them sign in within half an hour, work and refresh: no 429 that another has caused', async () => {
    const limits = new Limits((clock) => new MovedCounter(clock));
    await live(limits, 10_000, 30);
    expect(limits.refusals).toEqual([]);
  }, 300_000);

  it('as many to the minute as of 10,000, counted in Postgres', async () => {
    const { url, dataSource } = await createMigratedDatabase();
    const limits = new Limits(() => patientCounter(new DatabaseWindowCounter(url)));
    await live(limits, 340, 1);
    expect(limits.refusals).toEqual([]);
    await limits.store.onApplicationShutdown();
    await dataSource.destroy();
  }, 300_000);

  it('one of them who asks without end is refused, and the others are not', async () => {
    const limits = new Limits((clock) => new MovedCounter(clock));
    await limits.token('warm');
    for (let i = 0; i < 200; i += 1) await limits.use('GET', 'greedy');
    for (let i = 0; i < 40; i += 1) await limits.token('greedy');
    expect(limits.refusals).toHaveLength(80 + 10);
    await limits.use('GET', 'other');
    await limits.token('other');
    expect(limits.refusals).toHaveLength(90);
  });
});

const redisUrl = process.env.REDIS_URL ?? '';
/** Without a Redis this test is listed as skipped, with the reason. */
const describeWithRedis = redisUrl === '' ? describe.skip : describe;

describeWithRedis(`counted in Redis${redisUrl === '' ? ' [not run: REDIS_URL is not set]' : ''}`, () => {
  // Redis ends windows by its own clock, which the spec cannot move, so there are no more people than one window holds.
  it('people of one assistant behind one address get no 429 that another has caused', async () => {
    const limits = new Limits(() => new RedisWindowCounter(redisUrl));
    await live(limits, 100, 1);
    expect(limits.refusals).toEqual([]);
    await limits.store.onApplicationShutdown();
  }, 300_000);
});
