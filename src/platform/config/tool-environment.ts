import type { Environment } from './environment.js';
import { loadEnvironment } from './load-environment.js';
import type { VariableSource } from './variables.js';

/** Values of variables that a tool never uses, so that nobody has to set them to run one. */
const UNUSED: VariableSource = {
  RPC_URL: 'http://unused.invalid',
  ESCROW_FACTORY_ADDRESS: '0x0000000000000000000000000000000000000000',
  CHAIN_ID: '1',
};

/** True when the tool was told, directly or by `DATABASE_URL_FILE`, which database to work on. */
export function isDatabaseGiven(source: VariableSource = process.env): boolean {
  return Boolean(source.DATABASE_URL || source.DATABASE_URL_FILE);
}

/**
 * The configuration of a command-line tool that works on the database alone: `DATABASE_URL` and `APP_SECRET`, and
 * `KEY_ENVIRONMENT` or `CHAIN_ID` where they are not those of a live deployment.
 * @param found values for what the environment variables do not state.
 * @throws EnvironmentError with every fault.
 */
export function loadToolEnvironment(found: VariableSource = {}, source: VariableSource = process.env): Environment {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => Boolean(value)));
  return loadEnvironment({ ...UNUSED, ...found, ...given });
}
