#!/usr/bin/env node
// `npm run contracts:deploy` and `npm run contracts:verify`; deploy/arguments.mjs has the usage.
// Exit status: 0 done, 1 the chain holds other code or does not answer, 2 called wrongly.
import { codeHash, CREATE2_DEPLOYER, deploymentPlan } from '../../../../dist/libs/contracts/src/index.js';
import { UsageError } from '../../../../dist/src/tools/usage-error.js';
import { readArguments, tokenFor, USAGE } from './deploy/arguments.mjs';
import { compileDeployment } from './deploy/build.mjs';
import { Chain, ChainFault } from './deploy/chain.mjs';
import { serveDeploymentPage } from './deploy/page.mjs';
import { recordFile, writeRecord, writeSafeBatch } from './deploy/record.mjs';

const POLL_MS = 1_000;
const CONTRACTS = ['factory', 'implementation'];

const say = (line) => process.stdout.write(`${line}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * What `deploymentPlan` gives, addresses and codes as text.
 * @typedef {{ usdc: string, factory: string, implementation: string,
 *   transaction: { to: string, data: string, gasLimit: number }, code: Record<string, string> }} Plan
 */

/**
 * Reads what both commands begin with. Throws when the token is not there.
 * @returns {Promise<{ chain: Chain, chainId: number, plan: Plan, usdcCodeHash: string }>}
 */
async function prepare({ rpc, usdc }) {
  const chain = new Chain(rpc);
  const chainId = await chain.id();
  /** @type {Plan} */
  const plan = deploymentPlan(tokenFor(chainId, usdc));
  const tokenCode = await chain.codeAt(plan.usdc);
  if (tokenCode === '0x') throw new ChainFault(`There is no token at ${plan.usdc} on chain ${chainId}.`);
  return { chain, chainId, plan, usdcCodeHash: codeHash(tokenCode) };
}

/** Throws when the code on the chain is not that of the sources, byte for byte. */
async function compare(chain, plan) {
  const { factory, implementation, usdc } = plan;
  const built = compileDeployment();
  const wanted = built.runtime({ factory, implementation, token: usdc });
  for (const contract of CONTRACTS) {
    if ((await chain.codeAt(plan[contract])) !== wanted[contract])
      throw new ChainFault(`The code of the ${contract} ${plan[contract]} is not what the sources compile to.`);
    if (wanted[contract] !== plan.code[contract])
      throw new ChainFault('The bindings are not what the sources compile to: run npm run contracts:build.');
  }
  return built;
}

async function deploy(wish) {
  const { chain, chainId, plan, usdcCodeHash } = await prepare(wish);
  const isThere = async () => (await chain.codeAt(plan.factory)) !== '0x';
  if (!(await isThere())) {
    if ((await chain.codeAt(CREATE2_DEPLOYER)) === '0x')
      throw new ChainFault(`Chain ${chainId} has no CREATE2 deployer at ${CREATE2_DEPLOYER}: deploy that first.`);
    const { to, data, gasLimit } = plan.transaction;
    if (wish.safe !== null) writeSafeBatch(wish.safe, chainId, plan.transaction);
    const open = {
      status: 'to_send',
      chain_id: chainId,
      factory: plan.factory,
      transaction: { to, data, gas: gasLimit },
    };
    if (wish.json && !wish.wait) return say(JSON.stringify(open, null, 2));
    if (!wish.json) {
      say(`Send this transaction on chain ${chainId} from any account, without value:\n`);
      say(`to    ${to}\ngas   ${gasLimit}\ndata  ${data}\n`);
      if (wish.safe !== null) say(`Batch for a Safe: ${wish.safe}`);
      say(`It deploys the factory ${plan.factory}, which makes the escrow ${plan.implementation}.`);
    }
    if (!wish.wait) return say('Then run this command again: it compares the code and writes the record.');
    const page = wish.page ? await serveDeploymentPage({ chain, chainId, plan }) : null;
    // On the error output, because the standard output is one JSON document where that is asked for.
    if (page !== null) process.stderr.write(`Send it with a wallet of your browser: ${page.url}\n`);
    while (!(await isThere())) await pause(POLL_MS);
    await page?.close();
  }
  const { storageLayout } = await compare(chain, plan);
  const block = await chain.firstBlockWithCode(plan.factory);
  const file = wish.out ?? recordFile(chainId);
  writeRecord(file, { chainId, plan, block, usdcCodeHash, storageLayout });
  const settings = {
    CHAIN_ID: String(chainId),
    ESCROW_FACTORY_ADDRESS: plan.factory,
    USDC_CODE_HASH: usdcCodeHash,
    ...(block === null ? {} : { CHAIN_START_BLOCK: String(block) }),
  };
  if (wish.json) return say(JSON.stringify({ status: 'deployed', record: file, settings }, null, 2));
  say(`The contracts are deployed and their code is that of the sources. Record: ${file}\nSettings of the service:\n`);
  for (const [name, value] of Object.entries(settings)) say(`${name}=${value}`);
}

async function verify(wish) {
  const { chain, chainId, plan } = await prepare(wish);
  if ((await chain.codeAt(plan.factory)) === '0x')
    throw new ChainFault(`Chain ${chainId} has no factory at ${plan.factory}: it is not deployed for this token.`);
  await compare(chain, plan);
  const { factory, implementation } = plan;
  if (wish.json) return say(JSON.stringify({ status: 'same', chain_id: chainId, factory, implementation }, null, 2));
  say(`Byte for byte what the sources compile to: factory ${factory}, escrow ${implementation}, chain ${chainId}.`);
}

async function main(args) {
  const wish = readArguments(args);
  if (wish.name === 'help') return say(USAGE);
  return wish.name === 'deploy' ? deploy(wish) : verify(wish);
}

main(process.argv.slice(2)).catch((error) => {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${error.message}${isUsage ? `\n\n${USAGE}` : ''}\n`);
  process.exitCode = isUsage ? 2 : 1;
});
