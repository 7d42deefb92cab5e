import { unknownVariables } from './unknown-variables.js';
import { VARIABLES } from './variables.js';

const told = (...names: string[]) => unknownVariables(Object.fromEntries(names.map((name) => [name, 'a secret'])));

it.each([
  ['RATE_LIMIT_X', 'RATE_LIMIT_X is no setting of Tasktree and changes nothing.'],
  ['OAUTH_X', 'OAUTH_X is no setting'],
  ['DATABASE_ULR', 'DATABASE_URL is one'],
  ['DATABSE_URL', 'DATABASE_URL is one'],
  ['REDIS_URI', 'REDIS_URL is one'],
  ['APP_SECRETS', 'APP_SECRET is one'],
  ['app_secret', 'APP_SECRET is one'],
  ['RATE_LIMIT_PRINCIPLE', 'is no setting'],
])('%s is told', (name, sentence) => {
  const [first, ...others] = told(name);
  expect([first, others]).toEqual([expect.stringContaining(sentence), []]);
  expect(first).toContain(name);
  expect(first).not.toContain('a secret');
});

it('nothing is said of settings, of what is not set, and of other programs', () => {
  expect(told(...VARIABLES.map(({ name }) => name), 'APP_SECRET_FILE')).toEqual([]);
  expect(unknownVariables({ RATE_LIMIT_X: '', OAUTH_X: undefined })).toEqual([]);
  expect(told('PATH', 'HOME', 'POST', 'HOSTS', 'TASKTREE_DIR', 'NODE_OPTIONS', 'TASKTREE_SERVICE_HOST')).toEqual([]);
});

it('a name with control characters does not steer the terminal', () => {
  expect(told('OAUTH_\u001b[2J')).toEqual([expect.stringContaining('OAUTH_?[2J')]);
});
