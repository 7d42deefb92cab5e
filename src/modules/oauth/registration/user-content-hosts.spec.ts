import { isUserContentHost } from './user-content-hosts.js';

it.each([
  'storage.googleapis.com',
  'bucket.storage.googleapis.com',
  'somebody.github.io',
  'bucket.s3.amazonaws.com',
  's3.eu-west-1.amazonaws.com',
  'account.blob.core.windows.net',
  'app.web.app',
  'app.vercel.app',
  'app.netlify.app',
  'app.pages.dev',
  'raw.githubusercontent.com',
  'gist.githubusercontent.com',
  'gist.github.com',
  'ab12.ngrok-free.app',
  'ab12.ngrok.io',
  'somebody.webflow.io',
  'raw.githack.com',
  'bucket.oss-eu-central-1.aliyuncs.com',
  'somebody.github.io.',
])('%s is a host where anybody can publish', (host) => expect(isUserContentHost(host)).toBe(true));

it.each(['claude.ai', 'googleapis.com', 'github.com', 'mygithub.io', 'web.app.example', 'app', ''])(
  '%s is not known as one',
  (host) => expect(isUserContentHost(host)).toBe(false),
);
