import { LocalFault } from '../processes/local-fault.js';
import type { LocalAccount, LocalTask } from '../market-folder/local-file.js';

interface WireTask {
  id: string;
  title?: string;
  status: string;
  escrow_address: string;
}

interface WireNode {
  id: string;
  state: string;
  worker_agent_id: string;
}

/** Prints for the user why it takes longer. */
type Note = (text: string) => void;

/**
 * Statuses that are retried. 429: the user's own requests used up a limit shortly before a restart; 503: the service is
 * starting.
 */
const AGAIN_LATER: Readonly<Record<number, string>> = {
  429: "The market's accounts have used up their requests of this minute",
  503: 'The service is not ready yet',
};
/** One limit window is at most a minute; the lists of one account may need several windows. */
const LONGEST_RETRY_MS = 300_000;

/**
 * Reads the tasks of all buyers with their nodes from the API. It uses the buyers' read keys, so the requests count
 * against their limits. Retries while the API asks to wait, up to `LONGEST_RETRY_MS`; rejects with LocalFault for any other
 * status than 200.
 */
export async function marketTasks(
  baseUrl: string,
  accounts: readonly LocalAccount[],
  note: Note = () => undefined,
): Promise<LocalTask[]> {
  let isTold = false;
  const tellOnce: Note = (text) => {
    if (!isTold) note(text);
    isTold = true;
  };
  const ownerOf = new Map(
    accounts.flatMap(({ account_id, agents }) => agents.map(({ id }): [string, string] => [id, account_id])),
  );
  const buyers = accounts.filter(({ agents }) => agents.length === 0);
  const perBuyer = await Promise.all(
    buyers.map(async ({ keys }) => {
      const tasks = await allPages<WireTask>(`${baseUrl}/v1/tasks?role=buyer&limit=100`, keys.read, tellOnce);
      return Promise.all(tasks.map((task) => withNodes(baseUrl, keys.read, task, ownerOf, tellOnce)));
    }),
  );
  return perBuyer.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function withNodes(
  baseUrl: string,
  key: string,
  task: WireTask,
  ownerOf: ReadonlyMap<string, string>,
  note: Note,
): Promise<LocalTask> {
  const nodes = await allPages<WireNode>(`${baseUrl}/v1/tasks/${task.id}/nodes?limit=100`, key, note);
  return {
    id: task.id,
    title: task.title ?? '',
    status: task.status,
    escrow_address: task.escrow_address,
    nodes: nodes.map(({ id, state, worker_agent_id }) => ({
      id,
      state,
      worker_account: ownerOf.get(worker_agent_id) ?? worker_agent_id,
    })),
  };
}

async function allPages<T>(url: string, key: string, note: Note): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: T[]; next_page: string | null } = await getJson(
      cursor === '' ? url : `${url}&cursor=${encodeURIComponent(cursor)}`,
      key,
      note,
    );
    items.push(...page.data);
    cursor = page.next_page;
  }
  return items;
}

/**
 * GET with an API key. `T` is the documented response of the path; it is not checked, because the service is our own.
 */
async function getJson<T>(url: string, key: string, note: Note): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const response = await fetch(url, { headers: { 'X-Api-Key': key } });
    const body: T = await response.json();
    if (response.status === 200) return body;
    const seconds = Math.max(Number(response.headers.get('retry-after') ?? 1) || 1, 1);
    const why = AGAIN_LATER[response.status];
    if (why === undefined || performance.now() - begun + seconds * 1000 > LONGEST_RETRY_MS) {
      throw new LocalFault(
        `The service answered its own market ${response.status} (GET ${url}): ${JSON.stringify(body)}`,
      );
    }
    note(`${why}; waiting for it (${seconds} s)`);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
