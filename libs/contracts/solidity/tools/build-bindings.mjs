#!/usr/bin/env node
// Compiles the contracts as they are deployed (profile `ir`) and writes their ABI and code as TypeScript to
// libs/contracts/src/generated: the creation code of what is deployed by itself, and the code that must be on the chain of
// what a service trusts. With `--check` it writes nothing and exits 1 when the committed files differ.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatted } from './builds/formatted.mjs';
import { forge } from './forge.mjs';
import { immutableGaps } from './immutables.mjs';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(project, '..', 'src', 'generated');

/**
 * Contract name, its folder below src where it has one, file name and prefix of the exported constants; `creation` where it
 * is deployed by itself (the factory makes the escrow), `runtime` where the code on the chain is compared.
 */
const BINDINGS = [
  { contract: 'TaskEscrow', file: 'task-escrow.ts', prefix: 'taskEscrow', creation: false, runtime: true },
  { contract: 'TaskEscrowFactory', file: 'task-escrow-factory.ts', prefix: 'taskEscrowFactory', runtime: true },
  { contract: 'LocalUsdc', file: 'local-usdc.ts', prefix: 'localUsdc' },
  {
    contract: 'UndeployedWalletCheck',
    folder: 'offchain/',
    file: 'undeployed-wallet-check.ts',
    prefix: 'undeployedWalletCheck',
  },
];

/** Sources that declare immutables of the deployed contracts. */
const IMMUTABLES_IN = ['CloneParties', 'TaskEscrow', 'TaskEscrowFactory'];

function readArtifact(contract) {
  return JSON.parse(readFileSync(join(project, 'out-ir', `${contract}.sol`, `${contract}.json`), 'utf8'));
}

/** The lines with the creation code. */
function renderCreation(prefix, { object }) {
  return [
    '',
    '/** Creation code; constructor arguments follow it. */',
    `export const ${prefix}Bytecode = '${object}';`,
  ];
}

/** The lines with the runtime code and the gaps in it. */
function renderRuntime(prefix, { object, immutableReferences }) {
  const gaps = immutableGaps(
    IMMUTABLES_IN.map((contract) => readArtifact(contract).ast),
    immutableReferences,
  );
  const sorted = Object.fromEntries(Object.entries(gaps).sort(([one], [other]) => (one < other ? -1 : 1)));
  return [
    '',
    '/** Code on the chain, with zeros where its immutables are. */',
    `export const ${prefix}Runtime = '${object}';`,
    '',
    '/** Where the 32-byte words of the immutables begin in the code, in bytes. */',
    `export const ${prefix}Immutables = ${JSON.stringify(sorted)} as const;`,
  ];
}

/** The TypeScript module of one contract, formatted as the rest of the repository is. */
async function render({ contract, folder = '', file, prefix, creation = true, runtime = false }) {
  const artifact = readArtifact(contract);
  if (!/^0x[0-9a-f]+$/.test(artifact.bytecode.object)) throw new Error(`${contract} has unlinked code`);
  const text = [
    `// Generated from libs/contracts/solidity/src/${folder}${contract}.sol by tools/build-bindings.mjs. Do not edit.`,
    '',
    `export const ${prefix}Abi = ${JSON.stringify(artifact.abi)} as const;`,
    ...(creation ? renderCreation(prefix, artifact.bytecode) : []),
    ...(runtime ? renderRuntime(prefix, artifact.deployedBytecode) : []),
  ].join('\n');
  return formatted(join(target, file), text);
}

const status = forge(['build', 'src'], { profile: 'ir', quiet: true });
if (status !== 0) process.exit(status);
const check = process.argv.includes('--check');
let stale = 0;
mkdirSync(target, { recursive: true });
for (const binding of BINDINGS) {
  const path = join(target, binding.file);
  const text = await render(binding);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  const shown = relative(process.cwd(), path);
  if (check) process.stderr.write(`${shown} is not what the contracts compile to\n`);
  else writeFileSync(path, text);
  if (!check) process.stdout.write(`wrote ${shown}\n`);
  stale += 1;
}
if (check && stale > 0) process.exit(1);
