import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProfileFile } from './profile-file.js';
import { marketUrl, Settings } from './settings.js';

const URL = 'https://market.example';
const DEPLOYMENT = { chainId: 8453 } as never;
let folder: string;
let file: ProfileFile;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-profile-'));
  file = new ProfileFile(join(folder, 'tasktree'), 'default');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const settings = (env: Record<string, string> = {}, name?: string) =>
  new Settings({ XDG_CONFIG_HOME: folder, ...env }, name);

describe('a profile', () => {
  it('is a file that its owner alone can read', () => {
    file.write({ url: URL });
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'tasktree'))).toEqual(['default.json']);
    expect(file.read()).toEqual({ url: URL });
  });

  it.each([0o640, 0o604, 0o644])('is refused with the mode %o', (mode) => {
    file.write({ url: URL });
    chmodSync(file.path, mode);
    expect(() => settings()).toThrow('Others can read');
  });

  it.each(['', 'null', '[]', '{"url":1}', '{'])('is refused when it holds %j', (text) => {
    file.write({ url: URL });
    writeFileSync(file.path, text);
    expect(() => settings()).toThrow('is damaged');
  });

  it.each(['../other', 'a/b', '', '.hidden'])('is not called %j', (name) => {
    expect(() => settings({}, name)).toThrow('The name of a profile');
  });

  it('whose lock cannot be made says so, instead of waiting for somebody who has it', async () => {
    // A folder in which nobody can make a file, not even root.
    const other = new ProfileFile('/proc/self', 'default');
    await expect(other.alone(async () => undefined, AbortSignal.timeout(500))).rejects.toMatchObject({
      code: expect.stringMatching(/^E/),
    });
  });

  it('is changed by one process after the other', async () => {
    const order: string[] = [];
    const slow = file.alone(async () => {
      order.push('one begins');
      await new Promise((resolve) => setImmediate(resolve));
      order.push('one ends');
    });
    await Promise.all([slow, file.alone(async () => void order.push('two'))]);
    expect(order).toEqual(['one begins', 'one ends', 'two']);
  });
});

describe('credentials of a profile', () => {
  beforeEach(() => file.write({ url: URL, keys: { read: 'k' }, deployment: DEPLOYMENT, rpcUrl: 'http://node' }));

  it('are those of its market', () => {
    expect(settings()).toMatchObject({ url: URL, deployment: DEPLOYMENT, rpcUrl: 'http://node' });
    expect(settings().credentials).toEqual({ type: 'keys', keys: { read: 'k' }, from: 'profile default' });
  });

  it('go to no other market, nor do its contracts', () => {
    const other = settings({ TASKTREE_URL: 'https://other.example' });
    expect([other.credentials, other.deployment, other.rpcUrl]).toEqual([undefined, undefined, undefined]);
    expect(() => other.save({ keys: { read: 'other' } })).toThrow(`is of ${URL}`);
  });

  it('come after those of the environment', () => {
    expect(settings({ TASKTREE_TOKEN: 't' }).credentials).toMatchObject({ type: 'token', token: 't' });
    expect(settings({ TASKTREE_AGENT_OWNER_KEY: 'o' }).credentials).toMatchObject({ keys: { 'agent-owner': 'o' } });
  });

  it('are of the profile that is named', () => {
    expect(() => settings({ TASKTREE_PROFILE: 'work' }).url).toThrow('No market is known');
    expect(settings({ TASKTREE_PROFILE: 'work' }, 'default').url).toBe(URL);
  });
});

describe('the address of a market', () => {
  it.each([
    ['https://market.example/', URL],
    ['https://market.example/base//', `${URL}/base`],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://localhost:3000/?x#y', 'http://localhost:3000'],
  ])('%s', (text, url) => {
    expect(marketUrl(text)).toBe(url);
  });

  it.each(['market.example', 'http://market.example', 'ftp://127.0.0.1', 'https://me:pass@market.example', ''])(
    'is not %j',
    (text) => {
      expect(() => marketUrl(text)).toThrow(/address/);
    },
  );
});
