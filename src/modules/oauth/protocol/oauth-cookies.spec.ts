import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { cookieSettings } from './oauth-cookies.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)] as const;
const keysOf = (appSecret: string, ...appSecretPrevious: string[]) => {
  const sealer = new Sealer(Object.assign(new Environment(), { appSecret, appSecretPrevious }));
  return cookieSettings('https://market.example', sealer).keys as string[];
};

it('cookies are signed with the current secret, and those signed with an earlier one are still accepted', () => {
  expect(keysOf(NEW, OLD)).toEqual([...keysOf(NEW), ...keysOf(OLD)]);
  expect(keysOf(NEW)).toHaveLength(1);
  expect(keysOf(NEW)).not.toEqual(keysOf(OLD));
});
