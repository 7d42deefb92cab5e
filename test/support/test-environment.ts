import { Environment } from '../../src/platform/config/environment.js';

/** Settings for a spec with its own database. Nothing else is reachable unless the spec says so. */
export function testEnvironment(databaseUrl: string, overrides: Partial<Environment> = {}): Environment {
  return Object.assign(new Environment(), {
    databaseUrl,
    databasePoolSize: 12,
    rpcUrl: 'http://127.0.0.1:1',
    baseUrl: 'https://market.example',
    appSecret: 'a secret of the tests, long enough for HKDF',
    chainId: 31337,
    keyEnvironment: 'test',
    escrowFactoryAddress: '0x0000000000000000000000000000000000000001',
    rateLimitPrincipal: 100_000,
    rateLimitPrepare: 100_000,
    rateLimitAccount: 100_000,
    rateLimitAccountPrepare: 100_000,
    rateLimitIp: 100_000,
    rateLimitBodyBytes: 1_000_000_000,
    rateLimitAgentWords: 1_000_000,
    auditAnonymousRows: 100_000,
    quotaTasks: 0,
    quotaActions: 0,
    quotaAgents: 0,
    ...overrides,
  } satisfies Partial<Environment>);
}
