import type { Request } from 'express';
import { pinnedTo } from './public-origin.js';

function pinned(baseUrl: string, url: string, headers: Record<string, string> = {}) {
  const request = { url, originalUrl: url, headers: { host: 'evil.example', ...headers } };
  pinnedTo(baseUrl)(request as unknown as Request);
  return request;
}

it('replaces what a request says of its host, scheme and port', () => {
  const { headers } = pinned('https://api.example:8443', '/oauth/token', {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': '1',
    forwarded: 'host=evil.example',
  });
  expect(headers).toEqual({
    host: 'api.example:8443',
    'x-forwarded-host': 'api.example:8443',
    'x-forwarded-proto': 'https',
  });
});

it.each([
  ['/oauth/token?a=b', '/oauth/token?a=b'],
  ['http://evil.example/oauth/token?a=b', '/oauth/token?a=b'],
  ['https://evil.example:1/oauth/authorize', '/oauth/authorize'],
])('the target %s is %s, in whichever form it comes', (given, target) => {
  expect(pinned('https://api.example', given)).toMatchObject({ url: target, originalUrl: target });
});

it('puts the prefix back that the gateway has taken off', () => {
  const request = pinned('https://api.example/market', '/oauth/token');
  expect([request.url, request.originalUrl]).toEqual(['/oauth/token', '/market/oauth/token']);
});
