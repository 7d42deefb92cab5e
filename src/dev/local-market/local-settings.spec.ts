import { ignoredVariables, localSettings } from './local-settings.js';
import { exitCodeOf } from '../processes/local-fault.js';

it('passes on the settings that the service reads, and no other variable', () => {
  const variables = { RATE_LIMIT_IP: '5', RATE_LIMIT_X: '5', LOG_LEVEL: '', CHAIN_ID: '1', HOME: '/' };
  expect(localSettings([], variables).service).toEqual({ RATE_LIMIT_IP: '5' });
});

it('names each variable of a deployed service that is set and not used', () => {
  const used = { RATE_LIMIT_IP: '5', LOG_LEVEL: 'info', PORT: '3000', TASKTREE_DIR: 'x', MANAGEMENT_PORT: '' };
  expect(ignoredVariables({ ...used, APP_SECRET_FILE: '/x', MANAGEMENT_HOST: '::1', CHAIN_ID: '1' })).toEqual([
    'MANAGEMENT_HOST',
    'APP_SECRET_FILE',
    'CHAIN_ID',
  ]);
});

it('refuses an unknown option with the usage and exit code 2', () => {
  for (const args of [['--rest'], ['there'], ['--port']]) {
    let fault: unknown;
    try {
      localSettings(args, {});
    } catch (error) {
      fault = error;
    }
    expect([String(fault), exitCodeOf(fault)]).toEqual([expect.stringContaining('npm start -- --data-dir FOLDER'), 2]);
  }
});
