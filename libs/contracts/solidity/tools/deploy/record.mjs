// What is kept of a deployment: enough to run a service, to verify the source at an explorer, and to compare later.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeHash, ESCROW_TYPES } from '../../../../../dist/libs/contracts/src/index.js';
import { PROJECT } from '../project-copy.mjs';
import { compilerVersion, deploymentInput } from './build.mjs';

/** File of a chain's record, unless another is named. */
export function recordFile(chainId) {
  return join(PROJECT, '..', 'deployments', `${chainId}.json`);
}

/** Commit of the sources with `+` behind it when they were changed since; null outside a repository. */
function commit() {
  const git = (...args) => spawnSync('git', args, { cwd: PROJECT, encoding: 'utf8' });
  const head = git('rev-parse', 'HEAD');
  if (head.status !== 0) return null;
  return head.stdout.trim() + (git('status', '--porcelain', '--', 'src').stdout === '' ? '' : '+');
}

/** Writes the record of a deployment whose code has been compared. */
export function writeRecord(file, { chainId, plan, block, usdcCodeHash, storageLayout }) {
  const input = deploymentInput();
  const record = {
    chain_id: chainId,
    usdc: plan.usdc,
    factory: plan.factory,
    implementation: plan.implementation,
    block,
    code_hashes: {
      factory: codeHash(plan.code.factory),
      implementation: codeHash(plan.code.implementation),
      usdc: usdcCodeHash,
    },
    commit: commit(),
    compiler: { version: compilerVersion(), settings: input.settings },
    storage_layout: storageLayout,
    typed_data: ESCROW_TYPES,
    standard_json_input: input,
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** Writes the transaction as a batch of the Safe's transaction builder. */
export function writeSafeBatch(file, chainId, { to, data }) {
  const batch = {
    version: '1.0',
    chainId: String(chainId),
    createdAt: Date.now(),
    meta: { name: 'Deploy the Tasktree escrow', description: 'One transaction: the factory makes the implementation.' },
    transactions: [{ to, value: '0', data, contractMethod: null, contractInputsValues: null }],
  };
  writeFileSync(file, `${JSON.stringify(batch, null, 2)}\n`);
}
