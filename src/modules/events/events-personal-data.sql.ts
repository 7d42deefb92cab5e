import { ALL, type PersonalTable } from '../../platform/database/personal-data.js';

/** What the log of events holds about an account. Its events are found by its audience, which therefore comes last. */
export const EVENTS_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'event_outbox',
    of: '$1 = ANY (own.audience)',
    kept: 'what has just happened, until it is in the log within a second',
  },
  {
    table: 'events',
    of: 'own.sequence IN (SELECT mine.sequence FROM event_audience mine WHERE mine.account_id = $1)',
    kept: 'ids, addresses of its wallets, states, amounts and times, which the other parties read too; they leave the log after 90 days',
  },
  {
    table: 'chain_events',
    of: '$1 = ANY (own.audience)',
    kept: 'ids of events and of who may read them, for as long as the chain may replace their block',
  },
  { table: 'event_audience', of: 'own.account_id = $1', deleted: ALL },
];
