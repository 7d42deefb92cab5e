import { childPath, nodeIdOf } from '#libs/kernel';
import type { QuoteStatus } from './quote.entity.js';
import { quoteEvent, type ToldQuote } from './quote-event.js';

const AT = new Date('2026-11-20T12:00:00.000Z');
const TASK = 'task_01k9q2m4t8v6w0y2z4a6c8e0g2';
const quote = (own: Partial<ToldQuote> = {}): ToldQuote => ({
  id: 'quote_1',
  taskId: TASK,
  agentId: 'agent_1',
  workerAccountId: 'acct_worker',
  payerAccountId: 'acct_payer',
  nodePath: 3n,
  price: 40_000_000n,
  validUntil: AT,
  ...own,
});

describe('the event of a quote', () => {
  it.each<[QuoteStatus, QuoteStatus, string]>([
    ['submitted', 'accepted', 'quote.accepted'],
    ['submitted', 'declined', 'quote.declined'],
    ['submitted', 'withdrawn', 'quote.withdrawn'],
    ['submitted', 'expired', 'quote.expired'],
    ['declined', 'submitted', 'quote.updated'],
    ['accepted', 'submitted', 'quote.updated'],
  ])('from %s to %s is for both sides', (from, to, type) => {
    const event = quoteEvent(quote(), from, to, AT);
    expect([event.type, event.audience, event.data.status]).toEqual([
      type,
      ['acct_worker', 'acct_payer'],
      { from, to },
    ]);
  });

  it('that is unsigned again, because a reorganisation undid its acceptance, is for its worker alone', () => {
    const { type, audience } = quoteEvent(quote(), 'accepted', 'pending_signature', AT);
    expect([type, audience]).toEqual(['quote.updated', ['acct_worker']]);
  });

  it('names the node to work under, and never its own place, which would tell how many places were given out', () => {
    const parent = 3n;
    const { data } = quoteEvent(quote({ nodePath: childPath(parent, 17) }), 'draft', 'submitted', AT);
    expect(data.parent_node_id).toBe(nodeIdOf(TASK, parent));
    expect(JSON.stringify(data)).not.toContain('17');
    expect(quoteEvent(quote(), 'draft', 'submitted', AT).data).not.toHaveProperty('parent_node_id');
  });
});
