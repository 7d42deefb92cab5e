import type { Environment } from '../platform/config/environment.js';
import { isDatabaseGiven, loadToolEnvironment } from '../platform/config/tool-environment.js';
import { localMarketVariables } from './local-market-variables.js';

/** The database to work on: the one that the environment variables name, else the local market's. */
export function operatorTarget(dataDirectory: string): Environment {
  return isDatabaseGiven() ? loadToolEnvironment() : loadToolEnvironment(localMarketVariables(dataDirectory));
}
