import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { eventually } from '../../support/eventually.js';
import { connect } from '../../support/oauth/connected-client.js';
import { Person } from '../../support/oauth/person.js';
import { OWN_TABLES } from '../../support/own-tables.sql.js';
import { type Principal, SigningFixture } from '../../support/signing-fixture.js';

/** Tables that a read may write to, each with what it counts or stores about the reading itself. */
const COUNTERS: Readonly<Record<string, string>> = {
  rate_limits: 'requests in their windows',
  match_impressions: 'that an agent was shown to the buyer of a task, once per task',
  agent_impressions: 'for how many tasks an agent was shown',
  match_changes: 'that such a count has changed, for the processes that keep copies; nobody is shown it',
  match_agents: 'the copy of such counts that rankings are made of',
  match_agents_state: 'up to which change that copy has come',
  match_snapshots: 'the ranking that the cursor of the next page stands for',
};
/**
 * Tables in which a page must store something about a visit. That is nothing of the marketplace, and it grants nothing.
 */
const VISITS: Readonly<Record<string, string>> = {
  oauth_records: 'the authorization request that the consent page is about',
  audit_events: 'that an authorization was asked for',
  audit_counts: 'how often one was asked for',
};
/** Columns that say when a credential was last used. The rest of its row must stay the same. */
const STAMPS: readonly string[] = ['last_used_at', 'last_seen_at', 'last_used_ip'];

let fixture: SigningFixture;
let buyer: Principal;
let worker: Principal;
let stranger: Principal;
let readers: Record<string, Record<string, string>>;
let places: Record<string, string[]>;

beforeAll(async () => {
  fixture = await SigningFixture.start();
  [buyer, worker, stranger] = [
    await fixture.principal('Buyer'),
    await fixture.principal('Worker'),
    await fixture.principal('Stranger'),
  ];
  const payment = await fixture.payment(buyer, worker, { title: 'Translation of 40 pages' });
  const hidden = await privateTask();
  const { id: agentId } = await fixture.service
    .get(AgentsService)
    .publish(
      { id: worker.accountId, walletAddress: worker.wallet.address },
      { name: 'Lexica', agentCardUrl: 'https://agents.example/lexica.json', capabilities: ['translate pages'] },
    );
  const nodeId = await deliveredNode();
  readers = {
    nobody: {},
    'a program without a credential': { Authorization: '' },
    ...(await credentialsOf('the owner', buyer)),
    ...(await credentialsOf('the worker', worker)),
    ...(await credentialsOf('a stranger', stranger)),
  };
  const signingToken = new URL(payment.signing_url).pathname.split('/').pop() ?? '';
  places = {
    task_id: [hidden, payment.task_id],
    node_id: [nodeId],
    agent_id: [agentId],
    action_id: [payment.action_id],
    token: [signingToken, ...(await issuedTokens(payment.task_id))],
  };
});
afterAll(() => fixture?.stop());

async function privateTask(): Promise<string> {
  const creation = await fixture.publication(buyer, { tier: 'private_curated', title: 'Secret translation' });
  await fixture.sign(buyer, creation, buyer.keys.buyer);
  return creation.task_id;
}

async function deliveredNode(): Promise<string> {
  const task: TaskEntity = await fixture.rows.task(buyer.accountId, { status: 'delivered', tier: 'private_curated' });
  const parties = { workerAccountId: worker.accountId, workerWallet: worker.wallet.address };
  const node = await fixture.rows.node(task, { path: 1n, state: 'delivered', ...parties });
  await fixture.rows.delivery(node, buyer.accountId, buyer.accountId);
  return node.id;
}

/**
 * Headers of three credentials of one account: an API key and an access token, both only for `read`, and a signed-in
 * browser's cookie.
 */
async function credentialsOf(name: string, { keys, wallet }: Principal) {
  const person = new Person(fixture.service.url, wallet);
  await person.signInToAccount();
  const { tokens } = await connect({ baseUrl: fixture.service.url } as never, person, { scope: 'read' });
  return {
    [`${name} by key`]: { 'X-Api-Key': keys.read },
    [`${name} by token`]: { Authorization: `Bearer ${tokens.access_token}` },
    [`${name} in a browser`]: person.jar.header(new URL(fixture.service.url)),
  };
}

/** Tokens of the links that reads hand out, which are issued without being stored. */
async function issuedTokens(taskId: string): Promise<string[]> {
  const answer = await fetch(`${fixture.service.url}/v1/tasks/${taskId}/preview`, {
    headers: { 'X-Api-Key': worker.keys.read },
  });
  const { url }: any = await answer.json();
  return url === undefined ? [] : [new URL(url).pathname.split('/').pop() ?? ''];
}

/** Paths of everything that answers a GET: the routes, and what is mounted in front of them. */
function paths(): string[] {
  const { router } = fixture.service.app.getHttpAdapter().getInstance();
  const routed = router.stack.flatMap(({ route }: any) =>
    route !== undefined && (route.methods.get || route.methods._all) ? [route.path].flat() : [],
  );
  return [...new Set<string>([...routed, ...MOUNTED])];
}

/** Paths mounted in front of the routes, and the read that stores the most. */
const MOUNTED = [
  '/v1/tasks/:task_id/matches?limit=1',
  '/openapi.json',
  '/docs',
  '/oauth/authorize?client_id=nobody&response_type=code',
  '/oauth/jwks',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
];

/** The path with every known value for its parameters, and with one that does not exist. */
function filled(path: string): string[] {
  const [, name] = /:(\w+)/.exec(path) ?? [];
  if (name === undefined) return [path];
  return [...(places[name] ?? []), 'nothing'].flatMap((value) => filled(path.replace(`:${name}`, value)));
}

/** A hash of each table's rows, without the columns and tables that reads may change. */
async function snapshot(except: readonly string[]): Promise<Record<string, string>> {
  const tables = await fixture.service.rows<{ name: string }>(OWN_TABLES);
  const hashes: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !except.includes(table.name))) {
    const [row] = await fixture.service.rows<{ hash: string }>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(line, '|' ORDER BY line)), '') AS hash
       FROM (SELECT (to_jsonb(row) - $1::text[])::text AS line FROM ${name} row) lines`,
      [STAMPS],
    );
    hashes[name] = row?.hash ?? '';
  }
  return hashes;
}

/** Waits until the background work that begins with the service is done. @returns the snapshot taken then. */
async function calm(except: readonly string[]): Promise<Record<string, string>> {
  let last = await snapshot(except);
  await eventually(async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const next = await snapshot(except);
    const isCalm = JSON.stringify(next) === JSON.stringify(last);
    last = next;
    return isCalm;
  }, 60_000);
  return last;
}

it('a read changes no row, whoever asks with whichever credential, but for counters', async () => {
  const except = [...Object.keys(COUNTERS), ...Object.keys(VISITS)];
  const before = await calm(except);
  const all = paths();
  expect(all.length).toBeGreaterThan(45);
  const statuses: Record<string, number[]> = {};
  for (const headers of Object.values(readers)) {
    const isProgram = 'X-Api-Key' in headers || 'Authorization' in headers;
    for (const path of all.flatMap(filled)) {
      const Accept = isProgram ? 'application/json' : 'text/html';
      // A stream would not end.
      const method = path.endsWith('/stream') ? 'HEAD' : 'GET';
      const answer = await fetch(fixture.service.url + path, {
        method,
        headers: { ...headers, Accept },
        redirect: 'manual',
      });
      await answer.arrayBuffer();
      (statuses[path] ??= []).push(answer.status);
    }
  }
  // If every request were refused, the test would show nothing.
  const served = Object.values(statuses).filter((seen) => seen.includes(200));
  expect(served.length).toBeGreaterThan(35);
  expect(Object.entries(statuses).filter(([, seen]) => seen.some((status) => status >= 500))).toEqual([]);
  expect(await snapshot(except)).toEqual(before);
});

it('looking at the matches of a private task shows it to nobody', async () => {
  const [taskId] = places['task_id'] ?? [];
  const get = (who: Principal, path: string) =>
    fetch(`${fixture.service.url}/v1/tasks/${taskId}${path}`, { headers: { 'X-Api-Key': who.keys.read } });
  const { data }: any = await (await get(buyer, '/matches')).json();
  expect(data.length).toBeGreaterThan(0);
  expect((await get(worker, '')).status).toBe(404);
});
