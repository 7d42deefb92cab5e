import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiCatalog } from '../../src/discovery/api-catalog.js';
import { robotsText } from '../../src/discovery/crawler-files.js';
import { llmsText } from '../../src/discovery/llms-text.js';
import { marketCard } from '../../src/discovery/market-card.js';
import { aiCatalog, serverCard } from '../../src/discovery/mcp-cards.js';
import { skillIndex, skillOf } from '../../src/discovery/skill-text.js';
import { describedOperations } from '../../src/modules/mcp/operations/described-operation.js';
import { OPERATION_TOOLS } from '../../src/modules/mcp/tools/tool-table.js';
import { ROOT } from './source-files.js';

/**
 * The sixteen dimensions of the published rubric by which services are rated for agents (kin-score 0.13, its agent part, 123
 * points). Only what needs no credential counts, and behaviour only where the OpenAPI document says it: so each is held to
 * the committed document and to the documents of discovery, which are made as at the start of the service.
 */
const read = (name: string): any => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const document = read('openapi.json');
const events = read('asyncapi.json');
const market = { baseUrl: 'https://market.example', displayName: 'Market' };
const skill = skillOf({
  environment: market,
  document,
  operations: describedOperations(document),
  toolsOf: () => [],
});
const card: any = marketCard(market, document.info.description, skill);
const catalog: any = apiCatalog(market.baseUrl);

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly said: any;
}
const operations: Operation[] = Object.values<any>(document.paths).flatMap((path) =>
  Object.entries<any>(path).map(([method, said]) => ({ id: said.operationId, method, said })),
);
const writes = operations.filter(({ method }) => method !== 'get');
/** Ids of the operations for which it does not hold. */
const without = (list: readonly Operation[], holds: (operation: Operation) => unknown): string[] =>
  list.filter((operation) => !(holds(operation) ?? false)).map(({ id }) => id);

describe('a program that knows nothing but the address finds, without a credential', () => {
  it('the contract (18 points): OpenAPI 3.1 with a server, an id, a summary and a description of every operation', () => {
    expect(document.openapi).toBe('3.1.0');
    expect([document.info.title, document.servers.length]).toEqual(['Tasktree', 1]);
    expect(without(operations, ({ id, said }) => id !== undefined && said.summary && said.description)).toEqual([]);
  });

  it('an MCP server (12): a card with its address, transport and revisions, and tools that are operations', () => {
    const { remotes }: any = serverCard(market, document.info.description);
    expect(remotes).toEqual([expect.objectContaining({ type: 'streamable-http', url: `${market.baseUrl}/mcp` })]);
    expect(remotes[0].supportedProtocolVersions).toEqual(expect.arrayContaining(['2025-11-25', '2026-07-28']));
    const ids = new Set(operations.map(({ id }) => id));
    expect(OPERATION_TOOLS.filter(({ operation }) => !ids.has(operation))).toEqual([]);
  });

  it('a contract of access (10): of every operation whether it acts, and whether a person must agree', () => {
    const of = ({ said }: Operation) => said['x-agentic-access'];
    expect(
      without(operations, (each) => {
        const isRead = each.method === 'get';
        const { 'action-class': kind, consequence, subject, escalation } = of(each);
        const isSigned = /^prepare|^submit/.test(each.id);
        return (
          kind === (isRead ? 'connected' : 'acting') &&
          consequence === (isRead ? 'read' : 'write') &&
          subject === 'required' &&
          escalation['human-in-the-loop'] === (isSigned ? 'required' : 'none')
        );
      }),
    ).toEqual([]);
  });

  it('how to authenticate (10): both schemes with their scopes, and of every operation the one that it needs', () => {
    const { ApiKey, OAuth2 } = document.components.securitySchemes;
    expect(ApiKey).toMatchObject({ type: 'apiKey', in: 'header' });
    expect(Object.keys(OAuth2.flows)).toEqual(['authorizationCode']);
    expect(without(operations, ({ said }) => said.security?.length >= 2 && said['x-required-scope'])).toEqual([]);
    const metadata = catalog.linkset.flatMap((links: any) => links['service-meta'] ?? []);
    expect(metadata).toContainEqual(
      expect.objectContaining({ href: `${market.baseUrl}/.well-known/oauth-protected-resource` }),
    );
  });

  it('that every write can be repeated (9): its key is a parameter, and the answers of a conflict are told', () => {
    expect(
      without(writes, ({ said }) => {
        const key = said.parameters.find((one: any) => one.name === 'Idempotency-Key');
        return key?.in === 'header' && key.required && key.description && said.responses['409'];
      }),
    ).toEqual([]);
  });

  it('what errors mean (8): one shape, every code with its status and meaning, in every operation', () => {
    const { 'x-error-codes': codes } = document.components.schemas.Error;
    expect(Object.keys(codes).length).toBeGreaterThan(40);
    expect(Object.values<any>(codes).filter(({ status, meaning }) => !(status >= 400 && meaning))).toEqual([]);
    const error = '#/components/schemas/Error';
    expect(
      without(operations, ({ said }) =>
        ['400', '401', '403', '429', '500', '503'].every(
          (status) => said.responses[status].content['application/json'].schema.$ref === error,
        ),
      ),
    ).toEqual([]);
  });

  it('a card of A2A 1.0 (8): every required member filled, where clients look for it', () => {
    for (const member of ['name', 'description', 'version', 'supportedInterfaces', 'capabilities', 'skills']) {
      expect([member, card[member]?.length ?? Object.keys(card[member] ?? {}).length]).not.toEqual([member, 0]);
    }
    for (const list of ['defaultInputModes', 'defaultOutputModes']) expect(card[list]).not.toEqual([]);
    for (const one of card.supportedInterfaces) {
      expect(one).toEqual({
        url: expect.stringContaining(market.baseUrl),
        protocolBinding: expect.stringContaining(market.baseUrl),
        protocolVersion: expect.any(String),
      });
    }
    for (const one of card.skills) {
      expect([one.id, one.name, one.description, one.tags.length > 0].every(Boolean)).toBe(true);
    }
    const listed: any = aiCatalog(market, skill);
    expect(listed.entries).toContainEqual(
      expect.objectContaining({ url: `${market.baseUrl}/.well-known/agent-card.json` }),
    );
    expect(llmsText(market, document)).toContain(`(${market.baseUrl}/.well-known/agent-card.json)`);
  });

  it('examples (7): of every answer and of every refusal', () => {
    expect(
      without(operations, ({ said }) =>
        Object.values<any>(said.responses).every(({ content }) =>
          Object.values<any>(content).every(({ example, examples }) => (example ?? examples) !== undefined),
        ),
      ),
    ).toEqual([]);
  });

  it('the rate limits (7): in headers of every answer, and on a refusal when to come back', () => {
    expect(
      without(operations, ({ said }) => {
        const { 200: answer, 429: refusal } = said.responses;
        return answer.headers['X-Limit-Remaining'] && answer.headers.RateLimit && refusal.headers['Retry-After'];
      }),
    ).toEqual([]);
  });

  it('how each write is undone (6)', () => {
    expect(without(writes, ({ said }) => said['x-reversibility']?.length > 10)).toEqual([]);
  });

  it('typed events (6): each with the schema of its data, for the stream and for webhooks', () => {
    expect(events.asyncapi).toMatch(/^3\./);
    const messages = Object.values<any>(events.components.messages);
    expect(messages.length).toBeGreaterThan(20);
    expect(messages.filter(({ payload }) => (payload ?? undefined) === undefined)).toEqual([]);
    expect(operations.map(({ id }) => id)).toEqual(expect.arrayContaining(['streamEvents', 'createWebhookEndpoint']));
  });

  it('that a program acts for somebody (6): by tokens which a person gave, with scopes and an end', () => {
    const { description, flows } = document.components.securitySchemes.OAuth2;
    expect(description).toMatch(/delegated .*PKCE.*rotating refresh tokens/s);
    expect(Object.keys(flows.authorizationCode.scopes).sort()).toEqual(['agent-owner', 'buyer', 'read', 'worker']);
    expect(document.info.description).toMatch(/acts for the account .* person has consented/);
  });

  it('skills (5): an index with one that is whole', () => {
    const { skills }: any = skillIndex(market.baseUrl, skill);
    expect(skills).toEqual([
      expect.objectContaining({ type: 'skill-md', digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }),
    ]);
  });

  it('the catalogue of interfaces (4): each with its description', () => {
    const anchors = catalog.linkset.filter((links: any) => links['service-desc']).map(({ anchor }: any) => anchor);
    expect(anchors).toEqual([`${market.baseUrl}/v1`, `${market.baseUrl}/mcp`]);
  });

  it('a dry run (4): of everything that a wallet signs', () => {
    const prepares = writes.filter(({ id }) => id.startsWith('prepare'));
    expect(prepares.length).toBeGreaterThan(10);
    expect(without(prepares, ({ said }) => said['x-dry-run'])).toEqual([]);
    expect(document.info.description).toContain('Preparing an action is its dry run');
  });

  it('what programs may take (3): signals in robots.txt, and the document leads there', () => {
    expect(robotsText(market.baseUrl)).toMatch(/^Content-Signal: search=yes, ai-input=yes, ai-train=yes$/m);
    expect(document.info.description).toContain('`/robots.txt` says what crawlers may take');
  });
});
