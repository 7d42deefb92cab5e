import { mintApiKey } from '../../src/modules/credentials/api-keys/api-key-format.js';
import { Environment } from '../../src/platform/config/environment.js';
import { Sealer } from '../../src/platform/secrets/sealer.js';

const stranger = new Sealer(
  Object.assign(new Environment(), { appSecret: 'a secret that no service of the specs has' }),
);

/** A well-formed API key with a valid checksum that no service has made. */
export function madeUpKey(environment: 'live' | 'test' = 'test'): string {
  return mintApiKey(environment, 'read', stranger);
}
