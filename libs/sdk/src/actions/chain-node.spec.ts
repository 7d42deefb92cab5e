import { DEPLOYMENT, signable } from '../../../../test/support/signable-actions.js';
import type { Fetch } from '../http/retrying-fetch.js';
import { askOf, readerOf } from './chain-node.js';

/** A node that takes every question and answers none. */
const silent: Fetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('given up'))));

it('a node that does not answer is not waited for for ever: what it does not say is missing', async () => {
  const { action, intent } = signable('abandon_node');
  const read = readerOf(askOf('https://node.example', silent, 20), DEPLOYMENT);
  await expect(read(action, intent)).resolves.toEqual([{ source: 'wallet' }]);
}, 2_000);
