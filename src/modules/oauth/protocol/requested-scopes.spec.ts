import { permissionsIn, technicalScopesIn, withDefaultScope } from './requested-scopes.js';

it.each([
  [undefined, 'read'],
  ['', 'read'],
  ['openid offline_access', 'openid offline_access read'],
  ['admin', 'admin read'],
  ['worker', 'worker'],
  ['openid buyer', 'openid buyer'],
])('the scope %j becomes %j: nobody asks for no permission at all', (asked, expected) => {
  expect(withDefaultScope(asked)).toBe(expected);
});

it('permissions are the four and no other, in their order, once each', () => {
  expect(permissionsIn('worker read admin read openid READ agent-owner')).toEqual(['read', 'worker', 'agent-owner']);
  expect(permissionsIn(undefined)).toEqual([]);
  expect(permissionsIn(['read'])).toEqual([]);
});

it('technical scopes are no permissions', () => {
  expect(technicalScopesIn('read openid admin offline_access')).toEqual(['offline_access', 'openid']);
});
