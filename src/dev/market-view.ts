import type { LocalAccount, LocalTask } from './local-file.js';

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

/**
 * The market as the API shows it: the tasks of all buyers with their nodes, asked for with the buyers' own read keys.
 * Rejects with Error when the API answers anything but 200.
 */
export async function marketTasks(baseUrl: string, accounts: readonly LocalAccount[]): Promise<LocalTask[]> {
  const ownerOf = new Map(
    accounts.flatMap(({ account_id, agents }) => agents.map(({ id }): [string, string] => [id, account_id])),
  );
  const buyers = accounts.filter(({ agents }) => agents.length === 0);
  const perBuyer = await Promise.all(
    buyers.map(async ({ keys }) => {
      const tasks = await allPages<WireTask>(`${baseUrl}/v1/tasks?role=buyer&limit=100`, keys.read);
      return Promise.all(tasks.map((task) => withNodes(baseUrl, keys.read, task, ownerOf)));
    }),
  );
  return perBuyer.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

async function withNodes(
  baseUrl: string,
  key: string,
  task: WireTask,
  ownerOf: ReadonlyMap<string, string>,
): Promise<LocalTask> {
  const nodes = await allPages<WireNode>(`${baseUrl}/v1/tasks/${task.id}/nodes?limit=100`, key);
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

async function allPages<T>(url: string, key: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { data: T[]; next_page: string | null } = await getJson(
      cursor === '' ? url : `${url}&cursor=${encodeURIComponent(cursor)}`,
      key,
    );
    items.push(...page.data);
    cursor = page.next_page;
  }
  return items;
}

/** GET with an API key. `T` is what the interface promises for the path; our own service is trusted to keep it. */
export async function getJson<T>(url: string, key: string): Promise<T> {
  const response = await fetch(url, { headers: { 'X-Api-Key': key } });
  const body: T = await response.json();
  if (response.status !== 200) throw new Error(`GET ${url} answered ${response.status}: ${JSON.stringify(body)}`);
  return body;
}
