import express, { type Express } from 'express';

/**
 * The Express app, strict from its first moment: set later, the router has been built without these settings.
 * @param trustedProxies networks whose `X-Forwarded-For` is believed; never everyone.
 */
export function createExpressApp(trustedProxies: readonly string[]): Express {
  const app = express();
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.disable('etag');
  app.disable('x-powered-by');
  // Repeated names stay visible as arrays, and brackets mean nothing.
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies.length === 0 ? false : [...trustedProxies]);
  return app;
}
