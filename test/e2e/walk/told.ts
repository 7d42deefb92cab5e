import { EventModel } from '../../support/event-model.js';
import { bodyOf, type Trader } from './trader.js';
import type { Walk } from './walk.js';

/** Time is told by sweepers, and the log is a moment behind. */
const TOLD_WITHIN_MS = 20_000;
const PAUSE_MS = 500;

/**
 * Every difference between what HTTP shows of tasks and nodes and what a consumer knows of them who has only read the
 * events, for each trader; empty when there is none.
 */
export async function untold(walk: Walk): Promise<string[]> {
  for (let end = Date.now() + TOLD_WITHIN_MS; ;) {
    const found: string[] = [];
    for (const trader of walk.traders) found.push(...(await unknownTo(walk, trader)));
    if (found.length === 0 || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * Every event that stands and whose subject its reader is not shown, for everybody; empty when there is none. Who hears of a
 * thing must see it, and until a walk is wound down nobody loses sight of what it has seen. What nobody is shown was deleted
 * because nothing can come of it any more.
 */
export async function overheard(walk: Walk): Promise<string[]> {
  const shown = new Set<string>();
  const missing: { id: string; line: string }[] = [];
  for (const listener of [...walk.traders, walk.arbiter]) {
    const texts = new Map<string, string>();
    for (const { type, subject, links } of (await modelOf(listener)).standing) {
      const path = String(links.resource);
      if (!path.startsWith('/v1/')) continue;
      const text = texts.get(path) ?? (await allOf(listener, path));
      texts.set(path, text);
      if (text.includes(`"${subject.id}"`)) shown.add(subject.id);
      else missing.push({ id: subject.id, line: `${listener.name}: ${type} of ${subject.id}, not in ${path}` });
    }
  }
  return missing.filter(({ id }) => shown.has(id)).map(({ line }) => line);
}

/** What the reader is shown there, over all pages; nothing where it is shown nothing. */
async function allOf(reader: Trader, path: string): Promise<string> {
  let text = '';
  const more = path.includes('?') ? '&' : '?';
  for (let next: string | null | undefined = ''; typeof next === 'string';) {
    const { status, body } = await reader.get(next === '' ? path : `${path}${more}cursor=${next}`);
    if (status !== 200) break;
    text += JSON.stringify(body);
    next = body.next_page;
  }
  return text;
}

async function unknownTo(walk: Walk, trader: Trader): Promise<string[]> {
  const model = await modelOf(trader);
  const found: string[] = [];
  for (const { id } of walk.tasks) {
    const task = await trader.get(`/v1/tasks/${id}`);
    if (task.status === 404) continue;
    const { status } = bodyOf(task);
    if (model.tasks[id] !== status) found.push(`${trader.name}: ${id} is ${status}, told ${model.tasks[id]}`);
    for (const node of bodyOf(await trader.get(`/v1/tasks/${id}/nodes?limit=100`)).data) {
      const known = model.nodes[node.id];
      if (known !== node.state) found.push(`${trader.name}: ${node.id} is ${node.state}, told ${known}`);
    }
  }
  return found;
}

/** What the trader knows from all events that it may read. */
async function modelOf(trader: Trader): Promise<EventModel> {
  const model = new EventModel();
  for (let after = ''; ;) {
    const { data } = bodyOf(await trader.get(`/v1/events?limit=100${after}`));
    for (const event of data) model.take(event);
    if (data.length < 100) return model;
    after = `&after=${data.at(-1).id}`;
  }
}
