import type { CookieOptions, Request, Response } from 'express';
import { Environment } from '../../../platform/config/environment.js';
import { BrowserCookies, newBrowserSecret } from './browser-cookies.js';

const cookiesAt = (baseUrl: string) => new BrowserCookies(Object.assign(new Environment(), { baseUrl }));
const requestWith = (cookie?: string) => ({ headers: cookie === undefined ? {} : { cookie } }) as Request;
const newResponse = () => {
  const set: { name: string; value: string; options: CookieOptions }[] = [];
  const cookie = (name: string, value: string, options: CookieOptions) => set.push({ name, value, options });
  const clearCookie = (name: string, options: CookieOptions) => cookie(name, '', options);
  return { set, response: { cookie, clearCookie } as unknown as Response };
};
const secret = newBrowserSecret();

describe('the cookies', () => {
  it.each([
    ['https://market.example', '__Host-', true, '/'],
    ['https://market.example/tasks', '__Secure-', true, '/tasks'],
    ['http://127.0.0.1:3000', '', false, '/'],
    ['http://127.0.0.1:3000/tasks', '', false, '/tasks'],
  ])('of %s begin with "%s" and have the attributes that it requires', (baseUrl, prefix, secure, path) => {
    const { set, response } = newResponse();
    const expires = new Date(1);
    const cookies = cookiesAt(baseUrl);
    cookies.bindingOf(requestWith(), response);
    cookies.writeSession(response, secret, expires);
    cookies.clearSession(response);
    const options = { httpOnly: true, sameSite: 'lax', secure, path };
    expect(set).toEqual([
      { name: `${prefix}tasktree_browser`, value: expect.stringMatching(/^[\w-]{43}$/), options },
      { name: `${prefix}tasktree_session`, value: secret, options: { ...options, expires } },
      { name: `${prefix}tasktree_session`, value: '', options },
    ]);
  });
});

describe('a browser', () => {
  const cookies = cookiesAt('https://market.example');

  it('keeps the secret that it has', () => {
    const { set, response } = newResponse();
    const request = requestWith(`theme=dark; __Host-tasktree_browser=${secret};__Host-tasktree_session=x`);
    expect(cookies.bindingOf(request, response)).toBe(secret);
    expect(set).toEqual([]);
  });

  it('is given one secret of 256 bits, however often a request asks', () => {
    const { set, response } = newResponse();
    const request = requestWith();
    const given = cookies.bindingOf(request, response);
    expect(Buffer.from(given, 'base64url')).toHaveLength(32);
    expect(cookies.bindingOf(request, response)).toBe(given);
    expect(set).toHaveLength(1);
    expect(cookies.bindingOf(requestWith(), response)).not.toBe(given);
  });

  it.each([
    ['without the prefix, which any host below could set', `tasktree_browser=${secret}`],
    ['of another length', `__Host-tasktree_browser=${secret}a`],
    ['with other characters', `__Host-tasktree_browser=${'"'.repeat(43)}`],
    ['that came twice', `__Host-tasktree_browser=${secret}; __Host-tasktree_browser=${newBrowserSecret()}`],
    ['of another name that ends like it', `x__Host-tasktree_browser=${secret}`],
  ])('gets a new secret instead of one %s', (_, cookie) => {
    const { set, response } = newResponse();
    expect(cookies.bindingOf(requestWith(cookie), response)).not.toBe(secret);
    expect(set).toHaveLength(1);
  });

  it('has a session only when the cookie has the format of one', () => {
    expect(cookies.readSession(requestWith(`__Host-tasktree_session=${secret}`))).toBe(secret);
    for (const cookie of [undefined, '', '__Host-tasktree_session=', `tasktree_session=${secret}`]) {
      expect(cookies.readSession(requestWith(cookie))).toBeNull();
    }
    const twice = `__Host-tasktree_session=${secret}; __Host-tasktree_session=${secret}`;
    expect(cookies.readSession(requestWith(twice))).toBeNull();
  });
});
