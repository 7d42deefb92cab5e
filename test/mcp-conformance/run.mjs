// `npm run test:mcp-conformance`: installs the official MCP conformance suite, and the Node 22 that it needs, into a folder
// that is thrown away, and lets test/integration/mcp/mcp-conformance.int-spec.ts run it on the endpoint. Where they cannot be
// installed it says so and ends with 0: that is no failure of the project. What is excluded, and why, stands in the spec.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';

const SPEC = 'test/integration/mcp/mcp-conformance.int-spec.ts';
const NEEDED = 22;

const folder = mkdtempSync(join(tmpdir(), 'tasktree-mcp-conformance-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Resolves to the exit code. */
function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
  copyFileSync(join(import.meta.dirname, name), join(folder, name));
}
const quiet = { cwd: folder, stdio: 'ignore' };
const isReachable = (await run('npm', ['view', '@modelcontextprotocol/conformance', 'version'], quiet)) === 0;
const installed = isReachable ? await run('npm', ['ci', '--loglevel=error'], { cwd: folder }) : 0;
const own = join(folder, 'node_modules', `node-${platform()}-${arch()}`, 'bin/node');
const node = existsSync(own) ? own : process.execPath;
const isNewEnough = existsSync(own) || Number(process.versions.node.split('.')[0]) >= NEEDED;
if (installed !== 0) {
  process.exitCode = 1;
} else if (!isReachable || !isNewEnough) {
  const reason = isReachable ? 'there is no Node 22 for this machine' : 'the registry cannot be reached';
  process.stdout.write(`The conformance suite was not run: ${reason}.\n`);
} else {
  const env = { ...process.env, MCP_CONFORMANCE: folder, MCP_CONFORMANCE_NODE: node };
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'integration', '--runTestsByPath', SPEC];
  process.exitCode = await run(process.execPath, jest, { env });
}
