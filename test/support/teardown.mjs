import { started } from './postgres.setup.mjs';

/** Stops everything that the set-up of any project has started, the newest first. */
export default async function teardown() {
  for (const stop of started.splice(0).reverse()) await stop();
}
