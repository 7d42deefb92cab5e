import { Webhook } from 'standardwebhooks';
import { unwrapWebhook, WebhookRejected } from './webhook-signature.js';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const NOW = 1_795_348_800_000;
const BODY = JSON.stringify({ id: 'evt_1', type: 'moon.risen', data: { name: 'été' } });

function headers(body = BODY, secret = SECRET, atMs = NOW): Record<string, string> {
  const signature = new Webhook(secret).sign('evt_1', new Date(atMs), body);
  return {
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(atMs / 1000),
    'webhook-signature': `v1a,abc ${signature}`,
  };
}

it.each([
  ['an object of headers, text', headers(), BODY],
  ['Headers, bytes', new Headers(headers()), new TextEncoder().encode(BODY)],
])('a message that is signed is its event, also of an unknown type (%s)', async (_what, given, body) => {
  await expect(unwrapWebhook(body, given, SECRET, NOW)).resolves.toMatchObject({ type: 'moon.risen' });
});

it('either secret does while one is replaced', async () => {
  await expect(unwrapWebhook(BODY, headers(BODY, OTHER), [SECRET, OTHER], NOW)).resolves.toBeDefined();
});

it.each<[string, string, Record<string, string | undefined>]>([
  ['with another body', BODY.replace('evt_1', 'evt_2'), headers()],
  ['with another secret', BODY, headers(BODY, OTHER)],
  ['from six minutes ago', BODY, headers(BODY, SECRET, NOW - 360_000)],
  ['from six minutes ahead', BODY, headers(BODY, SECRET, NOW + 360_000)],
  ['without headers', BODY, {}],
  ['without a signature', BODY, { ...headers(), 'webhook-signature': undefined }],
  ['with a signature that is no base64', BODY, { ...headers(), 'webhook-signature': 'v1,***' }],
  ['at no time', BODY, { ...headers(), 'webhook-timestamp': 'now' }],
  ['under another id', BODY, { ...headers(), 'Webhook-Id': 'evt_2' }],
])('a message %s is refused', async (_what, body, given) => {
  await expect(unwrapWebhook(body, given, SECRET, NOW)).rejects.toThrow(WebhookRejected);
});
