import type { ExecutionContext } from '@nestjs/common';
import { MovedCounter } from '../../../../test/support/moved-counter.js';
import { SteppingClock } from '../../../../test/support/stepping-clock.js';
import { Environment } from '../../../platform/config/environment.js';
import { AddressBudget } from '../../../platform/rate-limit/address-budget.js';
import { FallbackWindowCounter } from '../../../platform/rate-limit/counters/fallback-window-counter.js';
import { RateLimitStore } from '../../../platform/rate-limit/rate-limit.store.js';
import type { AccountsService } from '../../accounts/accounts.service.js';
import type { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import type { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { SessionLimit } from '../../accounts/sessions/session-limit.js';
import type { WalletRemovals } from '../../accounts/wallets/wallet-removals.js';
import { SignedInGuard } from './signed-in.guard.js';

const PAGES_A_MINUTE = 240;

it('a session that requests too many pages is refused without a query until the minute is over', async () => {
  const clock = new SteppingClock();
  const store = new RateLimitStore(new FallbackWindowCounter(new MovedCounter(clock), clock), clock);
  const limit = new SessionLimit(store, new AddressBudget(store, new Environment(), clock), clock);
  const find = jest.fn(async () => ({ accountId: 'acct_1', walletAddress: '0x1' }));
  const leaving = jest.fn(async () => ({ going: [], gone: [] }));
  const guard = new SignedInGuard(
    { readSession: () => 'the token of a session' } as unknown as BrowserCookies,
    { find } as unknown as BrowserSessions,
    { find: async () => ({}) } as unknown as AccountsService,
    { leaving } as unknown as WalletRemovals,
    limit,
  );
  const open = () =>
    guard.canActivate({
      switchToHttp: () => ({ getRequest: () => ({ context: {} }), getResponse: () => ({}) }),
    } as unknown as ExecutionContext);
  for (let page = 0; page < PAGES_A_MINUTE; page += 1) await open();
  const refusal = { code: 'rate_limited' };
  await expect(open()).rejects.toMatchObject(refusal);
  const lookedUp = find.mock.calls.length;
  for (let page = 0; page < 50; page += 1) await expect(open()).rejects.toMatchObject(refusal);
  expect(find).toHaveBeenCalledTimes(lookedUp);
  clock.aheadMs = 61_000;
  expect(await open()).toBe(true);
});
