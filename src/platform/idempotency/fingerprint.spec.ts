import { EMPTY_REQUEST_DIGEST, requestDigest } from '#libs/kernel';
import { canonicalPath, requestFingerprint, scopeHash } from './fingerprint.js';

const TEMPLATE = '/v1/tasks/:task_id/nodes/:node_id/abandon-intents';

describe('the canonical path', () => {
  it('is the template with the decoded parameters', () => {
    expect(canonicalPath(TEMPLATE, { task_id: 't1', node_id: 'n1' })).toBe('/v1/tasks/t1/nodes/n1/abandon-intents');
  });

  it('cannot be made equal by a parameter that holds a slash', () => {
    const path = canonicalPath('/v1/:a/:b', { a: 'x/y', b: 'z' });
    expect(path).not.toBe(canonicalPath('/v1/:a/:b', { a: 'x', b: 'y/z' }));
  });

  it('needs every parameter of the template', () => {
    expect(() => canonicalPath(TEMPLATE, { task_id: 't1' })).toThrow('node_id');
  });
});

describe('the scope of a key', () => {
  const base = scopeHash('acct_1', 'op', 'key');

  it.each([
    ['principal', scopeHash('acct_2', 'op', 'key')],
    ['operation', scopeHash('acct_1', 'op2', 'key')],
    ['letter case of the key', scopeHash('acct_1', 'op', 'Key')],
    ['border between its parts', scopeHash('acct_1', 'opk', 'ey')],
  ])('depends on the %s', (_, other) => {
    expect(other.equals(base)).toBe(false);
  });
});

describe('the fingerprint', () => {
  it('depends on path and body, and tells no body from an empty object', () => {
    const prints = [
      requestFingerprint('/a', EMPTY_REQUEST_DIGEST),
      requestFingerprint('/a', requestDigest({})),
      requestFingerprint('/b', requestDigest({})),
    ].map((print) => print.toString('hex'));
    expect(new Set(prints).size).toBe(3);
  });

  it('does not depend on the order of members', () => {
    const one = requestFingerprint('/a', requestDigest({ a: 1, b: 2 }));
    expect(one.equals(requestFingerprint('/a', requestDigest({ b: 2, a: 1 })))).toBe(true);
  });
});
