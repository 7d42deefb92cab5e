// `npm run test:mcp-conformance`: installs the official MCP conformance suite, and the Node 22 that it needs, into a folder
// that is thrown away, and lets test/integration/mcp/mcp-conformance.int-spec.ts run it on the endpoint. Where they cannot be
// installed it says so and ends with 0: that is no failure of the project. What is excluded, and why, stands in the spec.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../clients/commands.mjs';
import { installNode } from '../clients/installs.mjs';

const SPEC = 'test/integration/mcp/mcp-conformance.int-spec.ts';
const NEEDED = 22;

const folder = mkdtempSync(join(tmpdir(), 'tasktree-mcp-conformance-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Installs the suite. @returns the program of Node that runs it. */
async function installed() {
  const own = join(await installNode(folder, import.meta.dirname), `node-${platform()}-${arch()}`, 'bin/node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  throw new Unavailable(`there is no Node ${NEEDED} for this machine`);
}

try {
  const env = { ...process.env, MCP_CONFORMANCE: folder, MCP_CONFORMANCE_NODE: await installed() };
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'integration', '--runTestsByPath', SPEC];
  process.exitCode = spawnSync(process.execPath, jest, { env, stdio: 'inherit' }).status ?? 1;
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  process.stdout.write(`The conformance suite was not run: ${error.message}.\n`);
}
