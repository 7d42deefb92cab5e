import { clientLine, grantLine } from './clients-output.js';

/**
 * An id that is a URL and yet holds what a terminal takes for a command: the library forbids only C0 controls there.
 */
const STEERING_ID = 'https://evil.example/\u009B2J\u202Ex.json';
const NOW = new Date('2026-11-20T00:00:00Z');

it('neither name nor id of an application steers the terminal', () => {
  const client = {
    clientId: STEERING_ID,
    name: 'Evil\u001B[2J',
    origin: 'document',
    authMethod: null,
    redirectUris: [],
    isGateway: false,
    isFapi2: false,
    accessTokenSeconds: null,
    registeredAt: null,
    lastGrantAt: NOW,
    liveGrants: 1,
  } as const;
  const grant = {
    id: 'g1',
    accountId: 'acct_1',
    clientId: STEERING_ID,
    clientName: 'Evil\u001B[2J',
    clientHost: 'evil.example',
    scopes: ['read' as const],
    fundingCap: null,
    createdAt: NOW,
    expiresAt: NOW,
    lastUsedAt: null,
    revokedAt: null,
  };
  for (const line of [clientLine(client), grantLine(grant, NOW)]) {
    expect(line).toContain('https://evil.example/');
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }
});
