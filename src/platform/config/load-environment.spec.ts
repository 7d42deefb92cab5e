import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { EnvironmentError, loadEnvironment } from './load-environment.js';
import { deploymentVariables } from './variables.js';

const SECRET = 'a secret of at least thirty-two characters';
const COMPLETE = {
  DATABASE_URL: 'postgres://user:hunter2@db/tasktree',
  RPC_URL: 'http://127.0.0.1:8545/token-abc',
  ESCROW_FACTORY_ADDRESS: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  APP_SECRET: SECRET,
  CHAIN_ID: '31337',
  BASE_URL: 'https://tasktree.example',
};

function faultsOf(source: Record<string, string | undefined>): readonly string[] {
  try {
    loadEnvironment(source);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.faults;
    throw error;
  }
  return [];
}

describe('loadEnvironment', () => {
  it('takes the given values and the defaults of the rest', () => {
    expect(loadEnvironment(COMPLETE)).toMatchObject({
      databaseUrl: COMPLETE.DATABASE_URL,
      chainId: 31337,
      keyEnvironment: 'test',
      chainConfirmations: 0,
      port: 3000,
      redisUrl: null,
      rateLimitPrincipal: 120,
      trustedProxies: [],
      migrateOnStart: false,
    });
  });

  it.each(['mailto:security@market.example', 'https://market.example/security', 'https://market.example'])(
    'takes %s as the contact for holes',
    (contact) => {
      expect(loadEnvironment({ ...COMPLETE, SECURITY_CONTACT: contact }).securityContact).toBe(contact);
      expect(loadEnvironment(COMPLETE).securityContact).toBeNull();
    },
  );

  it.each(['security@market.example', 'http://market.example', 'mailto:', 'mailto:a b@c', 'javascript:alert(1)'])(
    'takes no %s as the contact for holes',
    (contact) => {
      expect(faultsOf({ ...COMPLETE, SECURITY_CONTACT: contact })).toEqual([
        'SECURITY_CONTACT must be a mailto: or https:// URL',
      ]);
    },
  );

  it('takes a test wallet of this machine on the local chain, and nowhere else', () => {
    const TEST_WALLET_URL = 'http://127.0.0.1:40123';
    expect(loadEnvironment({ ...COMPLETE, TEST_WALLET_URL }).testWalletUrl).toBe(TEST_WALLET_URL);
    expect(loadEnvironment(COMPLETE).testWalletUrl).toBeNull();
    expect(faultsOf({ ...COMPLETE, CHAIN_ID: '8453', TEST_WALLET_URL })).toEqual([
      'TEST_WALLET_URL is for the chain 31337 alone',
    ]);
    for (const url of [
      'https://127.0.0.1:1',
      'http://wallet.example:1',
      'http://127.0.0.1:1/path',
      'http://127.0.0.1',
    ]) {
      expect(faultsOf({ ...COMPLETE, TEST_WALLET_URL: url })).toEqual([
        'TEST_WALLET_URL must be http://127.0.0.1:PORT',
      ]);
    }
  });

  it.each([
    'https://paymaster.example/v2/key?policy=1',
    'https://id:hunter2@paymaster.example',
    'http://127.0.0.1:4000/key',
  ])('takes %s as the paymaster, and never prints it', (url) => {
    const environment = loadEnvironment({ ...COMPLETE, PAYMASTER_URL: url, PAYMASTER_CONTEXT: '{"policyId":"p-1"}' });
    expect(environment).toMatchObject({ paymasterUrl: url, paymasterEntryPoints: ['0.6', '0.7', '0.8'] });
    expect(inspect(environment) + JSON.stringify(environment)).not.toMatch(/paymaster\.example|\/key|p-1/);
    expect(loadEnvironment(COMPLETE).paymasterUrl).toBeNull();
  });

  it('is stricter on a public chain', () => {
    expect(loadEnvironment({ ...COMPLETE, CHAIN_ID: '8453' })).toMatchObject({
      keyEnvironment: 'live',
      chainConfirmations: 12,
    });
    expect(loadEnvironment({ ...COMPLETE, CHAIN_ID: '8453', KEY_ENVIRONMENT: 'test' }).keyEnvironment).toBe('test');
  });

  it('reads numbers, flags and lists', () => {
    const environment = loadEnvironment({
      ...COMPLETE,
      PORT: '8080',
      INDEXER_ENABLED: 'false',
      WITHDRAW_TO_SIGNER_ONLY: 'true',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1,',
      CORS_ORIGINS: 'https://a.example,https://b.example',
    });
    expect(environment).toMatchObject({
      port: 8080,
      indexerEnabled: false,
      withdrawToSignerOnly: true,
      trustedProxies: ['10.0.0.0/8', '::1'],
      corsOrigins: ['https://a.example', 'https://b.example'],
    });
  });

  it('reads secrets of before between commas or white space, or as a JSON list, and refuses short ones', () => {
    const [one, two] = ['a'.repeat(32), `with a space, ${'b'.repeat(32)}`];
    const previous = (text?: string) => loadEnvironment({ ...COMPLETE, APP_SECRET_PREVIOUS: text }).appSecretPrevious;
    expect(previous()).toEqual([]);
    expect(previous(`${one},\n${'c'.repeat(32)}  ${'d'.repeat(32)}`)).toEqual([one, 'c'.repeat(32), 'd'.repeat(32)]);
    expect(previous(JSON.stringify([one, two]))).toEqual([one, two]);
    for (const text of ['short', `${one},short`, '["short"]', '[1]', '[', '[{"a":1}]']) {
      const faults = faultsOf({ ...COMPLETE, APP_SECRET_PREVIOUS: text });
      expect([text, faults]).toEqual([text, [expect.stringMatching(/^APP_SECRET_PREVIOUS /)]]);
      expect(faults.join()).not.toContain('short');
    }
  });

  it('reports all faults together, by the names of the variables', () => {
    const faults = faultsOf({
      ...COMPLETE,
      APP_SECRET: 'short',
      PORT: '70000',
      LOG_LEVEL: 'loud',
      CHAIN_ID: undefined,
    });
    expect(faults).toHaveLength(4);
    expect(faults.join('\n')).toMatch(/APP_SECRET must be longer/);
    expect(faults.join('\n')).toMatch(/PORT must not be greater than 65535/);
    expect(faults.join('\n')).toMatch(/LOG_LEVEL must be one of/);
    expect(faults.join('\n')).toMatch(/CHAIN_ID is required/);
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['INDEXER_ENABLED', 'yes'],
    ['BASE_URL', 'https://tasktree.example/'],
    ['BASE_URL', 'tasktree.example'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['TRUSTED_PROXIES', 'everyone'],
    ['DATABASE_URL', 'mysql://db/x'],
    ['ARTIFACT_MAX_BYTES', '0'],
    ['ARTIFACT_S3_BUCKET', 'Bucket/../other'],
    ['ARTIFACT_S3_ENDPOINT', 'https://id:hunter2@store.example/path'],
    ['ESCROW_FACTORY_ADDRESS', '0x123'],
    ['PAYMASTER_URL', 'http://paymaster.example'],
    ['PAYMASTER_URL', 'http://127.0.0.1:80@paymaster.example'],
    ['PAYMASTER_URL', 'http://localhost.paymaster.example'],
    ['PAYMASTER_URL', 'file:///etc/passwd'],
    ['PAYMASTER_CONTEXT', '[]'],
    ['PAYMASTER_CONTEXT', 'policy'],
    ['PAYMASTER_ENTRY_POINTS', '0.8,0.9'],
    ['EVENTS_NATS_URL', 'https://bus.example'],
    ['EVENTS_NATS_URL', 'nats://bus.example/path'],
    ['EVENTS_NATS_URL', 'nats://hunter2@bus.example'],
    ['EVENTS_NATS_URL', 'tls://bus.example,nats://other.example'],
    ['EVENTS_NATS_CREDENTIALS', '/etc/nats/service.creds'],
  ])('refuses %s=%s', (name, value) => {
    expect(faultsOf({ ...COMPLETE, [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} `))]);
  });

  it.each([
    ['PORT', 'abc', 'PORT must be a whole number'],
    ['CHAIN_ID', 'base', 'CHAIN_ID must be a whole number'],
    ['INDEXER_ENABLED', 'yes', 'INDEXER_ENABLED must be true or false'],
    ['MCP_HOSTS', 'two hosts', 'MCP_HOSTS must be a list of host names, each with its port where it has one'],
  ])('says what %s must be where it is %s', (name, value, sentence) => {
    expect(faultsOf({ ...COMPLETE, [name]: value })).toEqual([sentence]);
  });

  it('has no default for anything secret or required', () => {
    expect(faultsOf({}).map((fault) => fault.split(' ')[0])).toEqual([
      'DATABASE_URL',
      'RPC_URL',
      'APP_SECRET',
      'CHAIN_ID',
      'ESCROW_FACTORY_ADDRESS',
    ]);
  });

  it('needs BASE_URL as soon as others than this machine can connect', () => {
    const { BASE_URL: _, ...local } = COMPLETE;
    expect(loadEnvironment({ ...local, PORT: '4000' }).baseUrl).toBe('http://127.0.0.1:4000');
    expect(faultsOf({ ...local, HOST: '0.0.0.0' })).toEqual(['BASE_URL is required']);
  });

  it('takes both halves of the key to the store of artifacts, or none', () => {
    const [id, secret] = [{ ARTIFACT_S3_ACCESS_KEY_ID: 'id' }, { ARTIFACT_S3_SECRET_ACCESS_KEY: 'hunter2' }];
    expect(faultsOf({ ...COMPLETE, ...id })).toEqual(['ARTIFACT_S3_SECRET_ACCESS_KEY is required']);
    expect(faultsOf({ ...COMPLETE, ...secret })).toEqual(['ARTIFACT_S3_ACCESS_KEY_ID is required']);
    expect(faultsOf({ ...COMPLETE, ...id, ...secret })).toEqual([]);
  });

  it('never says a value in a fault', () => {
    const faults = faultsOf({ ...COMPLETE, APP_SECRET: 'tiny-secret', DATABASE_URL: 'mysql://u:hunter2@db' });
    expect(faults.join()).not.toMatch(/tiny-secret|hunter2/);
  });

  it('is safe to print', () => {
    const environment = loadEnvironment({
      ...COMPLETE,
      REDIS_URL: 'redis://:hunter2@cache',
      ARTIFACT_S3_ACCESS_KEY_ID: 'token-abc',
      ARTIFACT_S3_SECRET_ACCESS_KEY: 'hunter2',
      EVENTS_NATS_URL: 'tls://service:hunter2@bus.example:4222,tls://bus-2.example',
      EVENTS_NATS_TOKEN: 'token-abc',
    });
    for (const text of [inspect(environment), JSON.stringify(environment)]) {
      expect(text).not.toMatch(/hunter2|token-abc|a secret/);
      expect(text).toContain('[secret]');
      expect(text).toContain('tasktree.example');
    }
  });
});

describe('variables in files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tasktree-env-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are read without the line end', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, `${SECRET}\n`);
    const { APP_SECRET: _, ...rest } = COMPLETE;
    expect(loadEnvironment({ ...rest, APP_SECRET_FILE: file }).appSecret).toBe(SECRET);
  });

  it('are faults when they cannot be read, or when both forms are given', () => {
    const { APP_SECRET: _, ...rest } = COMPLETE;
    expect(faultsOf({ ...rest, APP_SECRET_FILE: join(folder, 'none') })).toEqual([
      'APP_SECRET_FILE names a file that cannot be read',
    ]);
    expect(faultsOf({ ...COMPLETE, APP_SECRET_FILE: join(folder, 'none') })).toEqual([
      'APP_SECRET and APP_SECRET_FILE are both given; keep one',
    ]);
  });
});

it('tells a deployed service from the local market', () => {
  expect(deploymentVariables({})).toMatchObject({ given: [] });
  expect(deploymentVariables({ DATABASE_URL_FILE: '/x', RPC_URL: 'http://x' })).toEqual({
    given: ['DATABASE_URL', 'RPC_URL'],
    missing: ['ESCROW_FACTORY_ADDRESS'],
  });
  expect(deploymentVariables(COMPLETE).missing).toEqual([]);
});
