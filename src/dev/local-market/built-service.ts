import { existsSync } from 'node:fs';

/** Where it is for the local market that is part of the same bundle. */
const BESIDE = new URL('./main.js', import.meta.url);

/** What an operator starts: the service and its packages in a few files (bundle-service.mjs makes them of `dist/src`). */
export const BUILT_SERVICE = existsSync(BESIDE) ? BESIDE : new URL('../../../service/main.js', import.meta.url);
