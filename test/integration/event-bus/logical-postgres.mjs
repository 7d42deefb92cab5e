import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../../support/postgres.setup.mjs';

// A Postgres that decodes its log, in a process of its own because Jest cannot load the programs' package. Prints `url URL`, and
// stops when its input ends, so also when the spec is killed.
const { startPostgres } = await built('local-market/embedded-postgres.js');
const { MarketFolder } = await built('market-folder/market-folder.js');
const folder = new MarketFolder(mkdtempSync(join(tmpdir(), 'tasktree-decoding-')));
// As root, Postgres runs as another user, who must be able to enter this folder.
chmodSync(folder.path, 0o711);
// What a commit has not flushed is not decoded yet.
const settings = { wal_level: 'logical', synchronous_commit: 'on', shared_buffers: '16MB' };
const { url, child } = await startPostgres(folder, { password: 'password', settings }, () => {});
process.stdout.write(`url ${url}\n`);
for await (const _ of process.stdin);
await child.stop();
folder.remove();
