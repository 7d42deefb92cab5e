export { FakeMarket, type FakeAccount, type FakeMarketOptions } from './testing/fake-market.js';
export type { SettledStatus } from './testing/actions/action-book.js';
