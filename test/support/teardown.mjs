import { started } from './postgres.setup.mjs';

/** Stops what any project's set-up started, the newest first. */
export default async function teardown() {
  for (const stop of started.splice(0).reverse()) await stop();
}
