import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { LocalFault } from '../processes/local-fault.js';
import type { MarketFolder } from './market-folder.js';
import { readPrivateJson, writePrivateJson } from './private-json.js';

/** Secrets that a local market needs to read its own stored data; generated once per folder, mode 0600. */
export interface LocalSecrets {
  /** APP_SECRET of the service. */
  app_secret: string;
  database_password: string;
}

/** The folder's secrets; generates them at the first start. Throws LocalFault when the file is damaged. */
export function localSecrets(folder: MarketFolder): LocalSecrets {
  if (!existsSync(folder.secrets)) {
    const made = {
      app_secret: randomBytes(48).toString('base64url'),
      database_password: randomBytes(18).toString('hex'),
    };
    writePrivateJson(folder.secrets, made);
    return made;
  }
  const known = readPrivateJson(folder.secrets);
  if (isLocalSecrets(known)) return known;
  throw new LocalFault(`${folder.secrets} is damaged. Start with an empty market: \`${folder.reset}\`.`);
}

function isLocalSecrets(value: unknown): value is LocalSecrets {
  if (typeof value !== 'object' || value === null || !('app_secret' in value) || !('database_password' in value))
    return false;
  return typeof value.app_secret === 'string' && typeof value.database_password === 'string';
}
