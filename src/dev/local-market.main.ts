import 'reflect-metadata';
import { deploymentVariables } from '../platform/config/variables.js';
import { BUILT_SERVICE } from './local-market/built-service.js';

// `npm start`: the local market when nothing is configured, else the deployed service. Either is loaded alone.
if (process.argv.includes('--help')) {
  const { START_USAGE } = await import('./local-market/local-settings.js');
  process.stdout.write(`${START_USAGE}\n`);
} else if (deploymentVariables().given.length > 0) {
  await import(BUILT_SERVICE.href);
} else {
  const { runLocalMarket } = await import('./local-market/local-market.js');
  await runLocalMarket();
}
