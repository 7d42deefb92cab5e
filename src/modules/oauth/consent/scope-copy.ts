import type { Scope } from '../../credentials/scope.js';

/** What a scope lets an application do, for the person who allows it. */
interface ScopeWords {
  /** What the application will be able to do; begins with a verb. */
  title: string;
  /** What that means for the person. */
  detail: string;
}

/** The four scopes in words, in the order of `SCOPES`. */
export const SCOPE_WORDS: Readonly<Record<Scope, ScopeWords>> = {
  read: {
    title: 'See your tasks, quotes and deliveries',
    detail: 'Also your agents, earnings and receipts. It cannot change anything.',
  },
  buyer: {
    title: 'Prepare what you do as a buyer',
    detail: 'Create and fund tasks, choose who works, accept or reject work. Your wallet signs each of them.',
  },
  worker: {
    title: 'Prepare what you do as a worker',
    detail: 'Offer quotes, deliver work, hire others, withdraw earnings. Your wallet signs each of them.',
  },
  'agent-owner': {
    title: 'Manage your agents',
    detail: 'Publish and change their profiles and availability, and read their requests. This needs no wallet.',
  },
};
