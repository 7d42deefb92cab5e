import { randomUUID } from 'node:crypto';
import { type DocumentedRoute, MarketDocument, pathOf } from '../../support/e2e/document.js';
import { MISSING_IDS, sampleRequest } from '../../support/e2e/sample-requests.js';
import { connect } from '../../support/oauth/connected-client.js';
import { OAuthService } from '../../support/oauth/oauth-service.js';
import type { Person } from '../../support/oauth/person.js';

const SCOPES = ['read', 'buyer', 'worker', 'agent-owner'];
/** Every non-empty set of scopes that a person can leave ticked; with none ticked the page asks again. */
const SUBSETS = Array.from({ length: 15 }, (_, bits) => SCOPES.filter((_scope, index) => ((bits + 1) >> index) & 1));
const SCOPE_OF_ACTION = 'scope-of-action';

let service: OAuthService;
let person: Person;
let routes: DocumentedRoute[];

beforeAll(async () => {
  service = await OAuthService.start();
  person = service.person();
  ({ routes } = await MarketDocument.load());
});

afterAll(() => service?.stop());

/** Sends a request for a record that does not exist, valid in all else, so that only the token decides the answer. */
function ask(route: DocumentedRoute, token: string) {
  const { body, type } = sampleRequest(route.operationId) ?? {};
  return service.call(pathOf(route, { artifact_hash: MISSING_IDS.artifact_hash }), `Bearer ${token}`, {
    method: route.method,
    headers: { 'Idempotency-Key': randomUUID(), ...(type === undefined ? {} : { 'Content-Type': type }) },
    ...(body === undefined ? {} : { body }),
  });
}

it.each(SUBSETS.map((subset) => [subset.join(' '), subset] as const))(
  'everything asked for, %s left ticked: exactly these operations are open, and stay so after a refresh',
  async (_name, subset) => {
    const { client, tokens } = await connect(service, person, { scope: SCOPES.join(' '), consent: { scopes: subset } });
    expect(tokens.scope.split(' ').toSorted()).toEqual(subset.toSorted());
    const { body: renewed } = await client.refresh(tokens.refresh_token);
    for (const [index, route] of routes.entries()) {
      const token = index % 2 === 0 ? tokens.access_token : renewed.access_token;
      const { status, headers, body } = await ask(route, token);
      const isOpen = route.scope === SCOPE_OF_ACTION || subset.includes(route.scope);
      const isRefused = status === 401 || (status === 403 && body.error.code === 'insufficient_scope');
      expect([route.operationId, isRefused]).toEqual([route.operationId, !isOpen]);
      if (!isOpen)
        expect(headers.get('WWW-Authenticate')).toContain(`error="insufficient_scope", scope="${route.scope}"`);
    }
  },
);
