import { inspect } from 'node:util';
import { AccessSettings } from './access.settings.js';

export { type EntryPointVersion, LOCAL_CHAIN_ID } from './chain.settings.js';
export type { LogLevel } from './process.settings.js';

/** Members that hold, or may hold, a secret: never printed. */
const CONFIDENTIAL: ReadonlySet<string> = new Set([
  'databaseUrl',
  'rpcUrl',
  'redisUrl',
  'paymasterUrl',
  'paymasterContext',
  'appSecret',
  'appSecretPrevious',
  'eventsNatsUrl',
  'eventsNatsCredentials',
  'eventsNatsToken',
  'artifactS3AccessKeyId',
  'artifactS3SecretAccessKey',
]);

/**
 * The whole configuration of one service process; made by `loadEnvironment` and injected by its type. Its members are
 * declared in one file for each subject (`*.settings.ts`), whose classes extend one another, so that the object is as
 * flat as the variables are.
 */
export class Environment extends AccessSettings {
  /** The configuration with everything confidential masked: what may be printed. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this).map(([name, value]) => [
        name,
        CONFIDENTIAL.has(name) && value !== null && value !== undefined ? '[secret]' : value,
      ]),
    );
  }

  /** So that `console` and error messages of Node print no secret either. */
  [inspect.custom](): Record<string, unknown> {
    return this.toJSON();
  }
}
