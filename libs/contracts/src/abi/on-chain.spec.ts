import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childPath, FIRST_WITHDRAWAL_NONCE, parentPath, requestDigest } from '#libs/kernel';
import { ContractFactory, id, isCallException, JsonRpcProvider, NonceManager, Wallet, ZeroAddress } from 'ethers';
import { actionIdHash, asHex, checksumAddress, predictEscrowAddress, treeIdOf } from './addresses.js';
import { decodeFact, FACT_TOPICS } from './decode.js';
import * as encode from './encode.js';
import { localUsdcAbi, localUsdcBytecode } from '../generated/local-usdc.js';
import { deploymentPlan } from '../deployment/deployment-plan.js';
import { effectiveState, withdrawableOf } from '../tree/node-clock.js';
import { FundingMode, NodeState, Outcome } from '../tree/node-states.js';
import { nodeNonce, NonceBitmapWord } from './nonce-bitmap.js';
import { decodeRevert } from './reverts.js';
import { taskStatusOf } from '../tree/task-status.js';
import { projectTree } from '../tree/project-tree.js';
import type { ChainedFact } from '../tree/tree-projection.types.js';
import type { ActionFields, EscrowMessages, EscrowPrimaryType, NodeTerms } from '#libs/prepared-action';
import { escrowTypedData, type TypedData, typedDataDigest, usdcTypedData } from './typed-data.js';
import * as views from './views.js';

/*
 * The bindings against the real contracts on anvil: calls that are encoded and signed here are executed there, and the
 * projection of the logs must equal the contract's storage.
 */

const DAY = 86_400;
const CHAIN_ID = 31_337;
const TASK_ID = 'task_01arz3ndektsv4rrffq69g5fav';
const treeId = treeIdOf(TASK_ID);
const wallet = (name: string) => new Wallet(id(`${name} of on-chain.spec`));
const buyer = wallet('buyer');
const worker = wallet('worker');
const helper = wallet('helper');
let arbiter = wallet('arbiter');

let anvil: ChildProcess;
let provider: JsonRpcProvider;
let relayer: NonceManager;
let token: string;
let implementation: string;
let factory: string;
let escrow: string;
let now: number;

async function startAnvil(): Promise<string> {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const binary = require.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`);
  anvil = spawn(binary, ['--port', '0', '--chain-id', String(CHAIN_ID), '--hardfork', 'cancun']);
  for await (const line of createInterface({ input: anvil.stdout! })) {
    const address = /Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (address !== undefined) return `http://${address}`;
  }
  throw new Error('anvil ended before it listened');
}

async function deploy(abi: readonly object[], bytecode: string, ...args: string[]): Promise<string> {
  const contract = await new ContractFactory([...abi], bytecode, relayer).deploy(...args);
  await contract.waitForDeployment();
  return contract.getAddress();
}

async function send(to: string, data: string): Promise<void> {
  const { value: _none, ...call } = encode.contractCall(to, asHex(data));
  await (await relayer.sendTransaction(call)).wait();
}

/** Versions that the nodes are at, as the signers know them. */
const versions = new Map<bigint, number>();
let withdrawals = 0n;

function fields(nonce: bigint): ActionFields {
  const actionId = actionIdHash(`act_${nonce}`);
  return {
    actionId,
    requestDigest: requestDigest({ nonce: nonce.toString() }),
    nonce,
    validUntil: BigInt(now + 5 * DAY),
  };
}

/** What an action about a node carries; `moves` when the node is at its next version afterwards. */
function nodeFields(path: bigint, moves = true): ActionFields {
  const version = versions.get(path) ?? 0;
  if (moves) versions.set(path, version + 1);
  return fields(nodeNonce(path, version));
}

function withdrawalFields(): ActionFields {
  withdrawals += 1n;
  return fields(FIRST_WITHDRAWAL_NONCE + withdrawals - 1n);
}

function sign(signer: Wallet, data: TypedData) {
  return asHex(signer.signingKey.sign(typedDataDigest(data)).serialized);
}

/** A signed authorisation of an action; `own` are the members of its message but the four common ones. */
function authorise<P extends EscrowPrimaryType>(
  signer: Wallet,
  type: P,
  own: Omit<EscrowMessages[P], keyof ActionFields>,
  common: ActionFields,
) {
  const message = { ...own, ...common } as unknown as EscrowMessages[P];
  return {
    ...common,
    signature: sign(signer, escrowTypedData(type, { chainId: CHAIN_ID, escrowAddress: escrow }, message)),
  };
}

/** The buyer's one signature that both pays and authorises: EIP-3009 with the digest of FundTask as its nonce. */
function authorisePayment(terms: NodeTerms, common: ActionFields) {
  const domain = { chainId: CHAIN_ID, escrowAddress: escrow };
  const own = { terms, token, fundingMode: FundingMode.Authorization3009 };
  const fund = escrowTypedData('FundTask', domain, { ...own, ...common });
  const payment = usdcTypedData(
    'ReceiveWithAuthorization',
    { chainId: CHAIN_ID, tokenAddress: token, name: 'USD Coin', version: '2' },
    {
      from: buyer.address,
      to: escrow,
      value: terms.amount,
      validAfter: 0n,
      validBefore: common.validUntil + 1n,
      nonce: typedDataDigest(fund),
    },
  );
  return { ...common, signature: sign(buyer, payment) };
}

function termsOf(nodeId: bigint, by: Wallet, amount: bigint, floor = amount / 2n): NodeTerms {
  const times = { workSeconds: 20 * DAY, acceptWindow: 2 * DAY, maxRevisions: 2 };
  const hirerFunded = parentPath(nodeId) === 0n;
  return { nodeId, worker: by.address, amount, floor, ...times, hirerFunded, termsHash: id('terms') };
}

function quote(terms: NodeTerms, by: Wallet, hirer: Wallet) {
  const own = { terms, hirer: hirer.address, arbiter: arbiter.address, token };
  return authorise(by, 'SubmitQuote', own, nodeFields(terms.nodeId, false));
}

/** The buyer takes up the worker's quote, with new money or out of what came back. */
function hire(terms: NodeTerms, mode: FundingMode = FundingMode.Authorization3009) {
  const workerAuth = quote(terms, worker, buyer);
  const common = nodeFields(terms.nodeId);
  const hirerAuth =
    mode === FundingMode.Authorization3009
      ? authorisePayment(terms, common)
      : authorise(buyer, 'FundTask', { terms, token, fundingMode: mode }, common);
  return encode.encodeFundTask(terms, { mode }, hirerAuth, workerAuth);
}

function subcontract(terms: NodeTerms) {
  const mode = FundingMode.ParentNode;
  const workerAuth = quote(terms, helper, worker);
  const own = { terms, token, fundingMode: mode };
  const hirerAuth = authorise(worker, 'Subcontract', own, nodeFields(terms.nodeId));
  return encode.encodeSubcontract(terms, { mode }, hirerAuth, workerAuth);
}

function deliver(nodeId: bigint, by: Wallet, artifact: string, payOut = false) {
  const own = { nodeId, artifactHash: id(artifact), payOut };
  return encode.encodeDeliver(nodeId, own.artifactHash, payOut, authorise(by, 'Deliver', own, nodeFields(nodeId)));
}

function resolve(nodeId: bigint, by: Wallet, of: Wallet, amount: bigint, artifact: string) {
  const own = { nodeId, worker: of.address, token, amount, artifactHash: id(artifact) };
  return encode.encodeResolveTask(nodeId, own.artifactHash, authorise(by, 'ResolveTask', own, nodeFields(nodeId)));
}

function reject(nodeId: bigint, by: Wallet, artifact: string) {
  const own = { nodeId, artifactHash: id(artifact), reasonHash: id('reason') };
  const auth = authorise(by, 'RejectTask', own, nodeFields(nodeId));
  return encode.encodeRejectTask(nodeId, own.artifactHash, own.reasonHash, auth);
}

function withdraw(nodeId: bigint, by: Wallet, amount: bigint) {
  const own = { nodeId, recipient: by.address, token, amount };
  const auth = authorise(by, 'WithdrawEarnings', own, withdrawalFields());
  return encode.encodeWithdrawEarnings(nodeId, by.address, amount, auth);
}

/** Deploys the tree and hires and pays for its first node in one transaction. */
function hireFirst(terms: NodeTerms) {
  return encode.encodeCreateTree({ buyer: buyer.address, arbiter: arbiter.address, treeId }, hire(terms));
}

async function isNonceUsed(signer: Wallet, nonce: bigint): Promise<boolean> {
  const data = views.encodeNonceUsedCall(signer.address, nonce);
  return views.decodeNonceUsedResult(await provider.call({ to: escrow, data }));
}

async function indexedFacts(): Promise<ChainedFact[]> {
  const logs = await provider.getLogs({ address: [factory, escrow], topics: [[...FACT_TOPICS]], fromBlock: 0 });
  const facts = await Promise.all(
    logs.map(async (log) => ({
      fact: decodeFact(log)!,
      blockNumber: log.blockNumber,
      blockHash: asHex(log.blockHash),
      blockTime: (await provider.getBlock(log.blockNumber))!.timestamp,
      logIndex: log.index,
      transactionHash: asHex(log.transactionHash),
    })),
  );
  // The factory names the trees of all.
  return facts.filter(({ fact }) => fact.type !== 'TreeCreated' || fact.escrow === escrow);
}

async function expectSameOnChain(): Promise<ReturnType<typeof projectTree>> {
  const tree = projectTree(await indexedFacts());
  for (const node of tree.nodes) {
    const stored = views.decodeNodeResult(await provider.call({ to: escrow, data: views.encodeNodeCall(node.path) }));
    expect(stored).toEqual({
      worker: node.worker,
      floor: node.floor,
      acceptWindow: node.acceptWindow,
      hirerFunded: node.hirerFunded,
      amount: node.pool,
      allocated: node.allocated,
      deliverBy: node.deliverBy,
      clock: node.clock,
      version: node.version,
      revisions: node.revisions,
      maxRevisions: node.maxRevisions,
      state: node.state,
      payOut: node.payOut,
      artifactHash: node.artifactHash ?? `0x${'0'.repeat(64)}`,
    });
    const data = views.encodeWithdrawableCall(node.path);
    const latest = (await provider.getBlock('latest'))!.timestamp;
    const withdrawable = views.decodeAmountResult(await provider.call({ to: escrow, data }));
    expect(withdrawableOf(tree.nodes, node, latest)).toBe(withdrawable);
  }
  const balance = BigInt(await provider.call({ to: token, data: `0x70a08231${escrow.slice(2).padStart(64, '0')}` }));
  expect(tree.ledger.held + tree.ledger.refundable).toBe(balance);
  expect(tree.ledger.funded).toBe(tree.ledger.held + tree.ledger.paid + tree.ledger.refundable);
  return tree;
}

beforeAll(async () => {
  provider = new JsonRpcProvider(await startAnvil(), CHAIN_ID, { staticNetwork: true, cacheTimeout: -1 });
  relayer = new NonceManager(await provider.getSigner(0));
  token = await deploy(localUsdcAbi, localUsdcBytecode, await relayer.getAddress());
  const plan = deploymentPlan(token);
  await (await relayer.sendTransaction(plan.transaction)).wait();
  ({ factory, implementation } = plan);
  const parts = { factory, implementation, buyer: buyer.address, arbiter: arbiter.address, treeId };
  escrow = predictEscrowAddress(parts);
  now = (await provider.getBlock('latest'))!.timestamp;
  const mint = new ContractFactory([...localUsdcAbi], localUsdcBytecode).interface;
  await send(token, mint.encodeFunctionData('mint', [buyer.address, 1_000n]));
});

afterAll(() => {
  provider?.destroy();
  anvil?.kill('SIGKILL');
});

test('one transaction deploys the planned code at the planned addresses', async () => {
  const plan = deploymentPlan(token);
  const found = await Promise.all([plan.factory, plan.implementation].map((at) => provider.getCode(at)));
  expect(found).toEqual([plan.code.factory, plan.code.implementation]);
});

test.each([
  ['an arbiter', arbiter.address],
  ['no arbiter', ZeroAddress],
])('the address of a tree with %s is predicted as the factory computes it', async (_what, by) => {
  const tree = { buyer: buyer.address, arbiter: by, treeId };
  const data = await provider.call({ to: factory, data: views.encodeEscrowOfCall(tree) });
  expect(predictEscrowAddress({ factory, implementation, ...tree })).toBe(views.decodeEscrowOfResult(data));
});

const ROOT = 1n;
const CHILD = childPath(ROOT, 16_777_215);
const OTHER_CHILD = childPath(ROOT, 2);

test('a tree lives its whole life on chain as it does in the fold', async () => {
  await send(factory, hireFirst(termsOf(ROOT, worker, 100n, 70n)));
  expect(taskStatusOf(await expectSameOnChain())).toBe('funded');

  await send(escrow, subcontract({ ...termsOf(CHILD, helper, 40n), workSeconds: 10 * DAY }));
  await send(escrow, subcontract({ ...termsOf(OTHER_CHILD, helper, 30n), workSeconds: 10 * DAY }));
  const abandon = { nodeId: OTHER_CHILD, token, amount: 30n };
  const given = authorise(helper, 'AbandonNode', abandon, nodeFields(OTHER_CHILD));
  await send(escrow, encode.encodeAbandonNode(OTHER_CHILD, given));
  await send(escrow, deliver(CHILD, helper, 'draft'));
  await send(escrow, reject(CHILD, worker, 'draft'));
  await send(escrow, deliver(CHILD, helper, 'second draft', true));
  await send(escrow, reject(CHILD, worker, 'second draft'));
  const rejected = await expectSameOnChain();
  expect(rejected.nodes.map(({ state }) => state)).toEqual([NodeState.Funded, NodeState.Rejected, NodeState.Abandoned]);
  expect(rejected.nodes[1]).toMatchObject({ version: 5, revisions: 1, payOut: true });

  const evidence = { nodeId: CHILD, evidenceHash: id('evidence') };
  const disputed = authorise(helper, 'DisputeNode', evidence, nodeFields(CHILD));
  await send(escrow, encode.encodeDisputeNode(CHILD, evidence.evidenceHash, disputed));
  const ruling = { nodeId: CHILD, token, workerShare: 25n, rulingHash: id('ruling') };
  const ruled = authorise(arbiter, 'RuleDispute', ruling, nodeFields(CHILD));
  await send(escrow, encode.encodeRuleDispute(CHILD, 25n, ruling.rulingHash, ruled));
  await send(
    escrow,
    encode.encodeMulticall([deliver(ROOT, worker, 'work', true), resolve(ROOT, buyer, worker, 100n, 'work')]),
  );
  // The worker is paid with the acceptance; its helper, whose ruling came before, by whoever asks.
  expect((await expectSameOnChain()).ledger).toEqual({ funded: 100n, held: 25n, paid: 75n, refundable: 0n });
  await send(escrow, withdraw(CHILD, helper, 5n));
  await send(escrow, encode.encodeFinalize(CHILD));
  const tree = await expectSameOnChain();
  expect(taskStatusOf(tree)).toBe('resolved');
  expect(tree.ledger).toEqual({ funded: 100n, held: 0n, paid: 100n, refundable: 0n });
  expect(tree.nodes[1]).toMatchObject({ outcome: Outcome.Ruled, workerShare: 25n, withdrawn: 25n });
});

test('money that came back pays for the next root node, and what is left is withdrawn', async () => {
  await send(escrow, hire(termsOf(4n, worker, 50n)));
  const split = { nodeId: 4n, hirer: buyer.address, worker: worker.address, token, amount: 50n, workerShare: 10n };
  const both = [
    authorise(buyer, 'AgreeSplit', split, nodeFields(4n, false)),
    authorise(worker, 'AgreeSplit', split, nodeFields(4n)),
  ] as const;
  await send(escrow, encode.encodeAgreeSplit(4n, 10n, ...both));
  expect((await expectSameOnChain()).refundOf.get(checksumAddress(buyer.address))).toBe(40n);

  await send(escrow, hire(termsOf(5n, worker, 15n), FundingMode.RefundBalance));
  const rest = { account: buyer.address, recipient: helper.address, token, amount: 25n };
  const refund = authorise(buyer, 'WithdrawRefund', rest, withdrawalFields());
  await send(escrow, encode.encodeWithdrawRefund(buyer.address, helper.address, 25n, refund));
  expect((await expectSameOnChain()).refundOf.size).toBe(0);
});

test('a rejection that nothing can answer ends the node in one transition', async () => {
  const bare = { buyer: buyer.address, arbiter: ZeroAddress, treeId: treeIdOf('task without an arbiter') };
  const [withArbiter, ruler, known] = [escrow, arbiter, new Map(versions)];
  escrow = predictEscrowAddress({ factory, implementation, ...bare });
  arbiter = { address: ZeroAddress } as Wallet;
  versions.clear();
  await send(factory, encode.encodeCreateTree(bare, hire({ ...termsOf(ROOT, worker, 9n), maxRevisions: 0 })));
  await send(escrow, deliver(ROOT, worker, 'only draft'));
  await send(escrow, reject(ROOT, buyer, 'only draft'));
  const tree = projectTree(await indexedFacts());
  const stored = views.decodeNodeResult(await provider.call({ to: escrow, data: views.encodeNodeCall(ROOT) }));
  expect(tree.nodes).toMatchObject([{ state: NodeState.Refunded, version: 3, clock: stored.clock }]);
  expect([stored.state, stored.version]).toEqual([NodeState.Refunded, 3]);
  [escrow, arbiter] = [withArbiter, ruler];
  for (const [path, version] of known) versions.set(path, version);
});

test('what silence decides is written down by anyone and known before', async () => {
  await send(escrow, deliver(5n, worker, 'late work'));
  const before = await expectSameOnChain();
  await provider.send('evm_increaseTime', [3 * DAY]);
  await provider.send('evm_mine', []);
  now += 3 * DAY;
  const node = before.nodes.find(({ path }) => path === 5n)!;
  expect([node.state, effectiveState(node, now)]).toEqual([NodeState.Delivered, NodeState.Settled]);
  await send(escrow, encode.encodeFinalize(5n));
  expect((await expectSameOnChain()).nodes.at(-1)).toMatchObject({ outcome: Outcome.AcceptWindowLapsed });

  await send(escrow, hire(termsOf(6n, worker, 5n)));
  await provider.send('evm_increaseTime', [21 * DAY]);
  await provider.send('evm_mine', []);
  now += 21 * DAY;
  const asked = { nodeId: 6n, token, amount: 5n };
  const claim = authorise(helper, 'ClaimNonDelivery', asked, nodeFields(6n));
  await send(escrow, encode.encodeClaimNonDelivery(6n, helper.address, claim));
  expect((await expectSameOnChain()).nodes.at(-1)).toMatchObject({ outcome: Outcome.NonDelivery });
});

test('a nonce turns used with its action, and a cancelled one shows in the facts', async () => {
  const next = nodeNonce(7n, 0);
  expect(await isNonceUsed(buyer, next)).toBe(false);
  await send(escrow, hire(termsOf(7n, worker, 5n)));
  expect(await isNonceUsed(buyer, next)).toBe(true);
  expect(await isNonceUsed(buyer, nodeNonce(7n, 1))).toBe(false);

  const word = NonceBitmapWord.indexOf(FIRST_WITHDRAWAL_NONCE);
  const bits = await provider.call({ to: escrow, data: views.encodeNonceBitmapCall(buyer.address, word) });
  expect(views.decodeNonceBitmapResult(bits)).toBe(0b10n);
  expect(await isNonceUsed(buyer, FIRST_WITHDRAWAL_NONCE + 1n)).toBe(true);
  expect(await isNonceUsed(buyer, FIRST_WITHDRAWAL_NONCE + 2n)).toBe(false);
  await send(escrow, encode.encodeInvalidateNonces(7n, 6n));
  const tree = await expectSameOnChain();
  expect(tree.invalidatedNonces).toEqual([{ signer: await relayer.getAddress(), word: 7n, mask: 6n }]);
  const ofBuyer = tree.consumedActions.filter(({ signer }) => signer === buyer.address);
  for (const { actionIdHash: action, nonce } of ofBuyer) expect(action).toBe(actionIdHash(`act_${nonce}`));
  expect(ofBuyer.map(({ nonce }) => nonce)).toContain(next);
});

test('a member of a batch that was executed before is left out, and is no fact', async () => {
  const delivery = deliver(7n, worker, 'work');
  await send(escrow, delivery);
  await send(escrow, encode.encodeMulticall([delivery, resolve(7n, buyer, worker, 5n, 'work')]));
  expect((await expectSameOnChain()).nodes.at(-1)).toMatchObject({ state: NodeState.Settled, version: 3 });
});

test('a refusal of the contract is named', async () => {
  const refusalOf = async (data: string) => {
    const refusal = await provider.call({ to: escrow, data, from: worker.address }).catch((error: unknown) => error);
    if (!isCallException(refusal as Error)) throw refusal;
    return decodeRevert(asHex(String((refusal as { data?: string }).data)));
  };
  const closed = encode.encodeAbandonNode(ROOT, encode.senderAuth(fields(nodeNonce(ROOT, 3))));
  expect(await refusalOf(closed)).toEqual({
    name: 'WrongState',
    args: { nodeId: ROOT, state: BigInt(NodeState.Settled) },
  });
  await send(escrow, hire(termsOf(8n, worker, 5n)));
  const stale = encode.encodeAbandonNode(8n, encode.senderAuth(fields(nodeNonce(8n, 0))));
  expect(await refusalOf(stale)).toEqual({
    name: 'WrongNonce',
    args: { expected: nodeNonce(8n, 1), actual: nodeNonce(8n, 0) },
  });
});
