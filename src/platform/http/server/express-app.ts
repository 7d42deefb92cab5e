import express, { type Express } from 'express';

/**
 * The Express app. Its settings are made at once, because a router that is built before them ignores them.
 * @param trustedProxies networks whose `X-Forwarded-For` is believed; never everyone.
 */
export function createExpressApp(trustedProxies: readonly string[]): Express {
  const app = express();
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.disable('etag');
  app.disable('x-powered-by');
  // With this parser, repeated names stay visible as arrays, and brackets have no meaning.
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies.length === 0 ? false : [...trustedProxies]);
  return app;
}
