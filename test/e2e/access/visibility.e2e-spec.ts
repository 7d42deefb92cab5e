import { randomUUID } from 'node:crypto';
import { expectError } from '../../support/e2e/answers.js';
import { type DocumentedRoute, MarketDocument, pathOf } from '../../support/e2e/document.js';
import { send } from '../../support/e2e/http-request.js';
import { MISSING_IDS, type SampleIds, sampleRequest } from '../../support/e2e/sample-requests.js';
import { MarketFixture, type OwnNode, type OwnTask, type Person } from '../../support/e2e/market-fixture.js';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { api, type ApiAnswer } from '../../support/market.js';

/**
 * A random word that no other agent or task of the market contains, even from an earlier run, so that exactly these
 * agents match these tasks.
 */
const CRAFT = `quux${randomLetters()}`;
const RARE_CRAFT = `zorbl${randomLetters()}`;
const MISSING = '00000000000000000000000000';
/** Operations that concern no existing record, or only a list of the caller's own records. */
const ABOUT_NOTHING = [
  'getMe',
  'listTasks',
  'listQuotes',
  'listDeliveries',
  'listReputation',
  'listReceipts',
  'listEvents',
  'streamEvents',
  'getEarnings',
  'listAgents',
  'listActions',
  'listWebhookEndpoints',
  'createWebhookEndpoint',
  'publishAgent',
  'prepareTaskCreation',
  'uploadArtifact',
];

let fixture: MarketFixture;
let buyer: Person;
let rootWorker: Person;
let childWorker: Person;
let rival: Person;
let stranger: Person;
/** A node of a public, funded task, with a child node; the rival has quoted for the task too. */
let root: OwnNode;
let child: OwnNode;
/** A public, open task, with quotes of two rivals. */
let open: OwnTask;
/** A draft, visible only to its buyer. */
let draft: OwnTask;
/** A node that its worker has delivered. */
let delivered: OwnNode;
/** A node of a private task. */
let curated: OwnNode;

const read = (who: Person) => api(who, 'read');
const ids = async (who: Person, path: string): Promise<string[]> => {
  const answer = await read(who)(`${path}${path.includes('?') ? '&' : '?'}limit=100`);
  expect(answer.status).toBe(200);
  return answer.body.data.map((row: any) => row.id ?? row.agent?.id);
};

beforeAll(async () => {
  fixture = await MarketFixture.open();
  buyer = await fixture.person('Visible buyer');
  rootWorker = await fixture.person('Root worker', { 'Quux-1': [CRAFT, RARE_CRAFT] });
  childWorker = await fixture.person('Child worker', { 'Quux-2': [CRAFT] });
  rival = await fixture.person('Rival', { 'Quux-3': [CRAFT] });
  stranger = await fixture.person('Stranger');

  const terms = { brief: `Do some ${CRAFT} for us.`, title: `A job of ${CRAFT}` };
  root = await fixture.fundedNode(buyer, rootWorker, 100_000_000n, terms);
  child = await fixture.childNode(root, childWorker);
  open = await fixture.task(buyer, terms);
  await fixture.quote(open, rootWorker);
  await fixture.quote(open, rival);
  await fixture.draftQuote(open, childWorker);
  draft = await fixture.draft(buyer, terms);
  delivered = await fixture.fundedNode(buyer, rootWorker, 50_000_000n, terms);
  await fixture.indexed(await delivered.task.tree.deliver(delivered.path, rootWorker.participant, 'quux'));
  const secret = { title: 'Not for everybody', brief: `Only for ${RARE_CRAFT}.`, tier: 'private_curated' } as const;
  const task = await fixture.task(buyer, { ...secret, criteria: [] });
  // Looking at the matches gives no agent's owner access to the task; only the invitation does.
  await read(buyer)(`/v1/tasks/${task.id}/matches`);
  await invite(buyer, task.id, rootWorker);
  curated = await fixture.fund(task, rootWorker, 20_000_000n);
});
afterAll(() => fixture.close());

/** Every path that concerns one task. Each must answer as for a task that does not exist. */
const taskPaths = (taskId: string): string[] => [
  `/v1/tasks/${taskId}`,
  `/v1/tasks/${taskId}/nodes`,
  `/v1/tasks/${taskId}/matches`,
  `/v1/tasks/${taskId}/preview`,
];

const abandon = (who: Person, taskId: string, nodeId: string): Promise<ApiAnswer> =>
  api(who, 'worker')(`/v1/tasks/${taskId}/nodes/${nodeId}/abandon-intents`, {
    method: 'POST',
    headers: { 'Idempotency-Key': randomUUID() },
  });

const invite = (who: Person, taskId: string, ...invited: Person[]): Promise<ApiAnswer> =>
  api(who, 'buyer')(`/v1/tasks/${taskId}/invitations`, {
    method: 'POST',
    headers: { 'Idempotency-Key': randomUUID() },
    body: { agent_ids: invited.map(({ agents }) => agents[0]!.id) },
  });

/** Expects the same status, headers and bytes for an invisible record as for a missing one. */
const expectAsMissing = (invisible: ApiAnswer, missing: ApiAnswer): void => {
  expectError(invisible, 404, 'not_found');
  expect(invisible.text).toBe(missing.text);
  const names = (answer: ApiAnswer): string[] => [...answer.headers.keys()].toSorted();
  expect(names(invisible)).toEqual(names(missing));
};

describe('a task that the caller may not see', () => {
  it.each([
    ['a draft', () => draft.id],
    ['a private one', () => curated.task.id],
  ])('is the same 404 as a missing one: %s', async (_, taskId) => {
    for (const who of [stranger, rival]) {
      const [invisible, missing] = [taskPaths(taskId()), taskPaths(`task_${MISSING}`)];
      for (const [index, path] of invisible.entries()) {
        expectAsMissing(await read(who)(path), await read(who)(missing[index]!));
      }
      expect(await ids(who, '/v1/tasks')).not.toContain(taskId());
    }
  });

  it('is there for who may: the buyer of a draft, the parties of a private task', async () => {
    expect((await read(buyer)(`/v1/tasks/${draft.id}`)).body.status).toBe('draft');
    for (const who of [buyer, rootWorker]) {
      expect((await read(who)(`/v1/tasks/${curated.task.id}`)).status).toBe(200);
      expect(await ids(who, '/v1/tasks')).toContain(curated.task.id);
    }
  });

  it('does not answer operation 1 either, for its nodes or for made-up ones', async () => {
    const missing = await abandon(rival, `task_${MISSING}`, `node_${MISSING}_1`);
    expectAsMissing(await abandon(rival, curated.task.id, curated.id), missing);
    expectAsMissing(await abandon(rival, draft.id, `node_${draft.id.slice(5)}_1`), missing);
  });

  it('opens to the owners of agents that its buyer invites, and to nobody else', async () => {
    const own = await fixture.task(buyer, { brief: `More ${CRAFT}.`, title: 'Curated', tier: 'private_curated' });
    expect((await read(buyer)(`/v1/tasks/${own.id}/matches`)).body.data.length).toBeGreaterThan(1);
    expect((await read(rival)(`/v1/tasks/${own.id}`)).status).toBe(404);
    expect((await read(rival)(`/v1/tasks/${own.id}/matches`)).status).toBe(404);
    expectAsMissing(await invite(rival, own.id, rival), await invite(rival, `task_${MISSING}`, rival));
    const { status, body } = await invite(buyer, own.id, rival);
    expect([status, body]).toEqual([200, { task_id: own.id, agent_ids: [rival.agents[0]!.id], remaining: 199 }]);
    expect((await read(rival)(`/v1/tasks/${own.id}`)).status).toBe(200);
    expect((await read(rival)(`/v1/tasks/${own.id}/preview`)).status).toBe(200);
    expect(await ids(rival, '/v1/tasks')).toContain(own.id);
    expectError(await invite(rival, own.id, rootWorker), 403, 'not_task_buyer');
    for (const who of [stranger, rootWorker, childWorker]) {
      expect((await read(who)(`/v1/tasks/${own.id}`)).status).toBe(404);
    }
  });
});

describe('nodes', () => {
  it('are shown to the buyer whole, to a worker its own and the ones below, to others not at all', async () => {
    const path = `/v1/tasks/${root.task.id}/nodes`;
    expect(await ids(buyer, path)).toEqual([root.id, child.id]);
    expect(await ids(rootWorker, path)).toEqual([root.id, child.id]);
    expect(await ids(childWorker, path)).toEqual([child.id]);
    expect(await ids(rival, path)).toEqual([]);
    expect(await ids(stranger, path)).toEqual([]);
  });

  it('tell each caller what that caller may prepare', async () => {
    const allowed = async (who: Person, id: string) => {
      const { body } = await read(who)(`/v1/tasks/${root.task.id}/nodes`);
      return body.data.find((node: any) => node.id === id).allowed_actions;
    };
    expect(await allowed(childWorker, child.id)).toContain('abandon_node');
    expect(await allowed(rootWorker, child.id)).not.toContain('abandon_node');
    expect(await allowed(buyer, root.id)).not.toContain('abandon_node');
  });

  it('answer operation 1 only within their own task and tree', async () => {
    // All of them may see the task, so only the node can be what is missing.
    const missing = await abandon(rootWorker, root.task.id, `node_${MISSING}_1`);
    expectAsMissing(await abandon(rootWorker, root.task.id, `node_${root.task.id.slice(5)}_99`), missing);
    expectAsMissing(await abandon(rootWorker, root.task.id, delivered.id), missing);
    expectAsMissing(await abandon(rootWorker, open.id, root.id), missing);
    expectAsMissing(await abandon(rival, root.task.id, root.id), missing);
    expectAsMissing(await abandon(childWorker, root.task.id, root.id), missing);
    expectAsMissing(await abandon(stranger, root.task.id, root.id), missing);
    expectError(await abandon(rootWorker, root.task.id, child.id), 403, 'not_node_worker');
    expect((await abandon(childWorker, root.task.id, child.id)).status).toBe(200);
  });
});

describe('every operation that prepares, hands in or changes', () => {
  /**
   * Operations that concern a record. Each is asked, with the scope that it needs, by those from whom the record is
   * hidden.
   */
  const withRecords = async (): Promise<DocumentedRoute[]> =>
    (await MarketDocument.load()).routes.filter(({ operationId }) => !ABOUT_NOTHING.includes(operationId));

  const askAbout = async (who: Person, route: DocumentedRoute, ids: SampleIds): Promise<ApiAnswer> => {
    const { body } = sampleRequest(route.operationId, ids) ?? {};
    const sent = body === undefined ? {} : { body: { ...JSON.parse(body), ...receiptIn(route, who) } };
    const scope = (route.scope === 'scope-of-action' ? 'worker' : route.scope) as Scope;
    return api(who, scope)(pathOf(route, ids), {
      method: route.method,
      headers: route.method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() },
      ...sent,
    });
  };
  const receipts = new Map<Person, string>();
  const receiptIn = ({ operationId }: DocumentedRoute, who: Person): object =>
    operationId === 'submitDelivery' ? { custody_receipt: receipts.get(who) } : {};
  const upload = async (who: Person): Promise<void> => {
    const { body } = await send(`/v1/artifacts/${MISSING_IDS.artifact_hash}`, {
      method: 'PUT',
      headers: [
        ['X-Api-Key', who.keys.worker],
        ['Idempotency-Key', randomUUID()],
        ['Content-Type', 'application/octet-stream'],
      ],
      body: sampleRequest('uploadArtifact')!.body,
    });
    receipts.set(who, body.custody_receipt);
  };

  it("answers another account's records as records that are not there", async () => {
    const { body: action } = await abandon(rootWorker, curated.task.id, curated.id);
    const [{ id: delivery_id }] = (await read(buyer)(`/v1/deliveries?task_id=${delivered.task.id}`)).body.data;
    const { body: endpoint } = await read(rootWorker)('/v1/webhook-endpoints', {
      method: 'POST',
      headers: { 'Idempotency-Key': randomUUID() },
      body: { url: 'http://127.0.0.1:65535/' },
    });
    const hidden = {
      ...MISSING_IDS,
      task_id: curated.task.id,
      node_id: curated.id,
      quote_id: curated.offer.quote.id,
      action_id: action.action_id,
      delivery_id,
      endpoint_id: endpoint.id,
    };
    const routes = await withRecords();
    expect(routes.length).toBeGreaterThan(20);
    for (const who of [rival, stranger]) {
      await upload(who);
      for (const route of routes) {
        const [invisible, missing] = [await askAbout(who, route, hidden), await askAbout(who, route, MISSING_IDS)];
        expect([route.operationId, invisible.status]).toEqual([route.operationId, 404]);
        expectAsMissing(invisible, missing);
      }
    }
    const shown = await read(rootWorker)(`/v1/actions/${action.action_id}`);
    expect(shown.body.status).toBe('prepared');
  });

  it('answers a hidden node of a task that is seen as one that is not there', async () => {
    await upload(rival);
    const hidden = { ...MISSING_IDS, task_id: root.task.id, node_id: child.id };
    const missing = { ...hidden, node_id: `${child.id}9` };
    const routes = (await withRecords()).filter(({ path }) => path.includes('{node_id}') || path === '/v1/deliveries');
    for (const route of routes.filter(({ method }) => method === 'POST')) {
      const [invisible, nothing] = [await askAbout(rival, route, hidden), await askAbout(rival, route, missing)];
      expect([route.operationId, invisible.status]).toEqual([route.operationId, 404]);
      expectAsMissing(invisible, nothing);
    }
  });

  it('refuses by role who sees the record and may not act on it, before any state is looked at', async () => {
    const seen = { ...MISSING_IDS, task_id: root.task.id, node_id: child.id };
    const refusals: [Person, string, string][] = [
      [rootWorker, 'prepareTaskSelection', 'not_task_buyer'],
      [rival, 'prepareTaskFunding', 'not_task_buyer'],
      [rootWorker, 'prepareTaskResolution', 'not_task_buyer'],
      [childWorker, 'prepareTaskRejection', 'not_task_buyer'],
      [childWorker, 'prepareRefundWithdrawal', 'not_task_buyer'],
      [buyer, 'prepareSubcontract', 'not_node_worker'],
      [rootWorker, 'prepareSubcontract', 'not_node_worker'],
      [buyer, 'prepareNodeAbandonment', 'not_node_worker'],
      [rootWorker, 'prepareNodeDispute', 'not_node_worker'],
      [childWorker, 'prepareNodeResolution', 'not_node_hirer'],
      [buyer, 'prepareNodeResolution', 'not_node_hirer'],
      [buyer, 'prepareNodeRejection', 'not_node_hirer'],
      [rootWorker, 'submitDelivery', 'not_node_worker'],
      [rival, 'prepareEarningsWithdrawal', 'not_node_worker'],
    ];
    await Promise.all([rootWorker, rival].map(upload));
    const routes = await withRecords();
    for (const [who, operation, code] of refusals) {
      const route = routes.find(({ operationId }) => operationId === operation)!;
      const answer = await askAbout(who, route, seen);
      expect([who.name, operation, answer.status, answer.body.error?.code]).toEqual([who.name, operation, 403, code]);
    }
  });

  it("refuses another owner's agent like one that is not there", async () => {
    const own = { ...MISSING_IDS, agent_id: rootWorker.agents[0]!.id };
    const routes = (await withRecords()).filter(({ path }) => path.includes('{agent_id}'));
    for (const route of routes.filter(({ scope }) => scope === 'agent-owner')) {
      expectAsMissing(await askAbout(rival, route, own), await askAbout(rival, route, MISSING_IDS));
    }
    expect((await read(rival)(`/v1/agents/${own.agent_id}`)).body.name).toBe(rootWorker.agents[0]!.name);
  });
});

describe('quotes', () => {
  it('are shown to who made them and to who would pay; rivals never see each other', async () => {
    const of = async (who: Person) => (await read(who)(`/v1/quotes?task_id=${open.id}&limit=100`)).body.data;
    const agents = async (who: Person) => (await of(who)).map((quote: any) => quote.agent_id).toSorted();
    const agent = (who: Person) => who.agents[0]!.id;
    expect(await agents(rootWorker)).toEqual([agent(rootWorker)]);
    expect(await agents(rival)).toEqual([agent(rival)]);
    expect(await agents(buyer)).toEqual([agent(rootWorker), agent(rival)].toSorted());
    expect(await agents(stranger)).toEqual([]);
    // A quote that is not signed yet is shown only to its own worker.
    expect((await of(childWorker)).map((quote: any) => quote.status)).toEqual(['draft']);
  });

  it('for a child are shown to its hirer, not to the buyer of the tree', async () => {
    const agents = async (who: Person) =>
      (await read(who)(`/v1/quotes?task_id=${root.task.id}&limit=100`)).body.data
        .filter((quote: any) => quote.parent_node_id === root.id)
        .map((quote: any) => quote.agent_id);
    expect(await agents(rootWorker)).toEqual([childWorker.agents[0]!.id]);
    expect(await agents(childWorker)).toEqual([childWorker.agents[0]!.id]);
    expect(await agents(buyer)).toEqual([]);
    expect(await agents(rival)).toEqual([]);
  });
});

describe('deliveries and receipts', () => {
  it('are shown to the payer, the buyer and the worker', async () => {
    for (const who of [buyer, rootWorker]) {
      expect(await ids(who, `/v1/deliveries?task_id=${delivered.task.id}`)).toHaveLength(1);
    }
    for (const who of [childWorker, rival, stranger]) {
      expect(await ids(who, `/v1/deliveries?task_id=${delivered.task.id}`)).toEqual([]);
      expect(await ids(who, '/v1/deliveries')).toEqual([]);
    }
  });

  it('follow a settled node to its parties only', async () => {
    const own = await fixture.fundedNode(buyer, rival, 5_000_000n);
    await own.task.tree.deliver(own.path, rival.participant, 'quux');
    await fixture.indexed(await own.task.tree.accept(own.path, buyer.participant));
    for (const who of [buyer, rival]) {
      expect(await ids(who, `/v1/receipts?task_id=${own.task.id}`)).toHaveLength(1);
    }
    for (const who of [rootWorker, childWorker, stranger]) {
      expect(await ids(who, `/v1/receipts?task_id=${own.task.id}`)).toEqual([]);
      expect(await ids(who, '/v1/receipts')).toEqual([]);
    }
  });
});

describe('an id in a filter that is missing or invisible', () => {
  it.each(['quotes', 'deliveries', 'receipts'])('gives an empty page of %s, the same for both', async (list) => {
    const pages = [];
    for (const id of [`task_${MISSING}`, curated.task.id, draft.id, 'x', child.id]) {
      const answer = await read(rival)(`/v1/${list}?task_id=${id}`);
      pages.push([answer.status, answer.text]);
    }
    expect(new Set(pages.map(String)).size).toBe(1);
    expect(pages[0]).toEqual([200, '{"data":[],"next_page":null}']);
  });

  it('gives an empty page of reputation', async () => {
    const { body } = await read(rival)(`/v1/reputation?agent_id=agent_${MISSING}`);
    expect(body).toEqual({ data: [], next_page: null });
  });
});

describe('matches', () => {
  it('are all shown to the buyer, to an owner the rows of own agents with the same rank, to others none', async () => {
    const path = `/v1/tasks/${open.id}/matches`;
    const all = (await read(buyer)(path)).body.data;
    const agents = all.map((match: any) => match.agent.id);
    for (const who of [rootWorker, childWorker, rival]) {
      const own = (await read(who)(path)).body.data;
      expect(own).toEqual(all.filter((match: any) => match.agent.id === who.agents[0]!.id));
      expect(own).toHaveLength(1);
      expect(agents).toContain(who.agents[0]!.id);
    }
    expect((await read(stranger)(path)).body).toEqual({ data: [], next_page: null });
  });
});

describe('prepared actions', () => {
  it('are their principal`s alone', async () => {
    const { body } = await abandon(childWorker, root.task.id, child.id);
    expect((await read(childWorker)(`/v1/actions/${body.action_id}`)).status).toBe(200);
    for (const who of [buyer, rootWorker, rival, stranger]) {
      expectAsMissing(await read(who)(`/v1/actions/${body.action_id}`), await read(who)(`/v1/actions/act_${MISSING}`));
    }
  });
});

describe('cursors', () => {
  it('belong to their principal, operation, path and filters', async () => {
    const cursorOf = async (who: Person, path: string): Promise<string> =>
      (await read(who)(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).body.next_page;
    const ofTasks = await cursorOf(buyer, '/v1/tasks');
    const ofNodes = await cursorOf(buyer, `/v1/tasks/${root.task.id}/nodes`);
    const ofMatches = await cursorOf(buyer, `/v1/tasks/${open.id}/matches`);
    const ofQuotes = await cursorOf(buyer, '/v1/quotes');
    const bodies = new Set<string>();
    const refused = async (who: Person, path: string): Promise<void> => {
      const answer = await read(who)(path);
      expectError(answer, 400, 'invalid_cursor');
      bodies.add(answer.text);
    };
    expect([ofTasks, ofNodes, ofMatches, ofQuotes].every((cursor) => typeof cursor === 'string')).toBe(true);
    await refused(rootWorker, `/v1/tasks?cursor=${ofTasks}`);
    await refused(buyer, `/v1/quotes?cursor=${ofTasks}`);
    await refused(buyer, `/v1/tasks?status=open&cursor=${ofTasks}`);
    await refused(buyer, `/v1/tasks?role=buyer&cursor=${ofTasks}`);
    await refused(buyer, `/v1/tasks/${delivered.task.id}/nodes?cursor=${ofNodes}`);
    await refused(buyer, `/v1/tasks/${root.task.id}/matches?cursor=${ofMatches}`);
    await refused(buyer, `/v1/tasks/${root.task.id}/nodes?cursor=${ofMatches}`);
    await refused(buyer, `/v1/quotes?task_id=${open.id}&cursor=${ofQuotes}`);
    expect(bodies.size).toBe(1);
    expect((await read(buyer)(`/v1/tasks?cursor=${ofTasks}`)).status).toBe(200);
    // A cursor is not bound to the page size or the credential.
    const { secret } = await fixture.services.keys.create(buyer.account_id, { scope: 'read', name: 'another' });
    expect(
      (await api({ ...buyer, keys: { ...buyer.keys, read: secret } }, 'read')(`/v1/tasks?limit=3&cursor=${ofTasks}`))
        .status,
    ).toBe(200);
  });
});

describe('the preview', () => {
  const gate = async (who: Person, taskId: string): Promise<string> => {
    const { status, body } = await read(who)(`/v1/tasks/${taskId}/preview`);
    return status === 200 ? 'link' : `${status} ${body.error.code}`;
  };

  it('opens to the payer of a delivered node and to owners of agents, each seeing what is theirs', async () => {
    const shut = '403 preview_not_permitted';
    const matrix = async (taskId: string) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries({ buyer, rootWorker, childWorker, rival, stranger }).map(
            async ([name, who]): Promise<[string, string]> => [name, await gate(who, taskId)],
          ),
        ),
      );
    expect(await matrix(open.id)).toEqual({
      buyer: shut,
      rootWorker: 'link',
      childWorker: 'link',
      rival: 'link',
      stranger: shut,
    });
    expect(await matrix(delivered.task.id)).toEqual({
      buyer: 'link',
      rootWorker: 'link',
      childWorker: 'link',
      rival: 'link',
      stranger: shut,
    });
    const gone = '404 not_found';
    expect(await matrix(curated.task.id)).toEqual({
      buyer: shut,
      rootWorker: 'link',
      childWorker: gone,
      rival: gone,
      stranger: gone,
    });
    expect(await matrix(draft.id)).toEqual({
      buyer: shut,
      rootWorker: gone,
      childWorker: gone,
      rival: gone,
      stranger: gone,
    });
  });

  it('shows the delivery to the payer only, and a link cannot be bent to another', async () => {
    const linkOf = async (who: Person) => (await read(who)(`/v1/tasks/${delivered.task.id}/preview`)).body.url;
    const json = async (url: string) => (await fetch(url, { headers: { Accept: 'application/json' } })).text();
    const forBuyer = await json(await linkOf(buyer));
    const forRival = await json(await linkOf(rival));
    const [{ artifact_hash }] = (await read(buyer)(`/v1/deliveries?task_id=${delivered.task.id}`)).body.data;
    expect(forBuyer).toContain(artifact_hash);
    expect(forRival).not.toContain(artifact_hash);
    expect(forRival).toContain(CRAFT);
    const url: string = await linkOf(rival);
    const bent = url.slice(0, -3) + (url.at(-3) === 'A' ? 'B' : 'A') + url.slice(-2);
    expect((await fetch(bent)).status).toBe(404);
  });
});

describe('lists under two accounts', () => {
  it('share nothing that is not public', async () => {
    for (const who of [rival, childWorker]) expect(await ids(who, '/v1/quotes')).not.toEqual([]);
    for (const list of ['/v1/quotes', '/v1/deliveries', '/v1/receipts', '/v1/tasks?role=buyer']) {
      const [mine, theirs] = [await ids(rival, list), new Set(await ids(childWorker, list))];
      expect([list, mine.filter((id) => theirs.has(id))]).toEqual([list, []]);
    }
  });
});

function randomLetters(): string {
  return Array.from(randomUUID(), (digit) => String.fromCharCode(97 + (digit.charCodeAt(0) % 26))).join('');
}
