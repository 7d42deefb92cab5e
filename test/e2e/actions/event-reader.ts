import { eventually } from '../../support/eventually.js';
import { type ApiAnswer, callApi } from '../../support/market.js';
import type { MarketDocument } from '../../support/e2e/document.js';
import type { Actor } from '../../support/e2e/intents-market.js';

/** Every event is smaller, in characters. */
const LARGEST = 4_096;

/** Reads the log of events over HTTP, each time as one of the actors. */
export class EventReader {
  /** Types that were read by `told`. */
  readonly provoked = new Set<string>();

  constructor(
    private readonly baseUrl: string,
    private readonly document: MarketDocument,
  ) {}

  call(who: Actor, path: string): Promise<ApiAnswer> {
    return callApi(`${this.baseUrl}${path}`, { key: who.client.self.keys['read'] ?? '' });
  }

  async page(who: Actor, query = ''): Promise<{ data: any[]; next_page: string | null }> {
    const { status, body } = await this.call(who, `/v1/events${query}`);
    if (status !== 200) throw new Error(`/v1/events${query} was answered ${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** All events that the caller may read, over pages. */
  async all(who: Actor, query = 'limit=100'): Promise<any[]> {
    const events: any[] = [];
    for (let next: string | null = ''; next !== null;) {
      const { data, next_page }: { data: any[]; next_page: string | null } = await this.page(
        who,
        `?${query}${next === '' ? '' : `&cursor=${next}`}`,
      );
      events.push(...data);
      next = next_page;
    }
    return events;
  }

  /** Waits for the event about the subject. Rejects when it does not come, is not as documented, or is too large. */
  async told(who: Actor, type: string, subjectId: string): Promise<any> {
    let found: any;
    await eventually(async () => {
      const events = await this.all(who, `limit=100&types=${type}`);
      found = events.findLast(({ subject }) => subject.id === subjectId);
      return found !== undefined;
    }).catch(() => {
      throw new Error(`${who.name} was not told ${type} of ${subjectId}`);
    });
    const faults = this.document.faults('Event', found);
    if (faults.length > 0) throw new Error(`${type} is not as documented: ${JSON.stringify(faults)}`);
    if (JSON.stringify(found).length >= LARGEST) throw new Error(`${type} is too large`);
    this.provoked.add(type);
    return found;
  }
}
