import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { requestDigest } from '#libs/kernel';
import { ContractFactory, id, isCallException, JsonRpcProvider, NonceManager, Wallet, ZeroAddress } from 'ethers';
import { actionIdHash, asHex, checksumAddress, predictEscrowAddress, treeIdOf } from './addresses.js';
import { decodeFact, FACT_TOPICS } from './decode.js';
import * as encode from './encode.js';
import { localUsdcAbi, localUsdcBytecode } from '../generated/local-usdc.js';
import { deploymentPlan } from '../deployment/deployment-plan.js';
import { effectiveState } from '../tree/node-clock.js';
import { FundingMode, NodeState, Outcome } from '../tree/node-states.js';
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
const arbiter = wallet('arbiter');

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

const nonces = new Map<string, bigint>();
function fields(signer: Wallet): ActionFields {
  const nonce = nonces.get(signer.address) ?? 0n;
  nonces.set(signer.address, nonce + 1n);
  const actionId = actionIdHash(`act_${signer.address}_${nonce}`);
  return {
    actionId,
    requestDigest: requestDigest({ nonce: nonce.toString() }),
    nonce,
    validUntil: BigInt(now + 5 * DAY),
  };
}

function sign(signer: Wallet, data: TypedData) {
  return asHex(signer.signingKey.sign(typedDataDigest(data)).serialized);
}

/** A signed authorisation of an action; `own` are the members of its message but the four common ones. */
function authorise<P extends EscrowPrimaryType>(
  signer: Wallet,
  type: P,
  own: Omit<EscrowMessages[P], keyof ActionFields>,
) {
  const common = fields(signer);
  const message = { ...own, ...common } as unknown as EscrowMessages[P];
  return {
    ...common,
    signature: sign(signer, escrowTypedData(type, { chainId: CHAIN_ID, escrowAddress: escrow }, message)),
  };
}

/** The buyer's one signature that both pays and authorises: EIP-3009 with the digest of FundTask as its nonce. */
function authorisePayment(nodeId: number, amount: bigint) {
  const common = fields(buyer);
  const domain = { chainId: CHAIN_ID, escrowAddress: escrow };
  const fund = escrowTypedData('FundTask', domain, { nodeId, worker: worker.address, token, amount, ...common });
  const payment = usdcTypedData(
    'ReceiveWithAuthorization',
    { chainId: CHAIN_ID, tokenAddress: token, name: 'USD Coin', version: '2' },
    {
      from: buyer.address,
      to: escrow,
      value: amount,
      validAfter: 0n,
      validBefore: common.validUntil,
      nonce: typedDataDigest(fund),
    },
  );
  return { ...common, signature: sign(buyer, payment) };
}

function termsOf(nodeId: number, parentNodeId: number, by: Wallet, amount: bigint): NodeTerms {
  const times = { deliverBy: now + 20 * DAY, acceptWindow: 2 * DAY };
  const hirerFunded = parentNodeId === 0;
  return { nodeId, parentNodeId, worker: by.address, amount, ...times, hirerFunded, termsHash: id('terms') };
}

function quote(terms: NodeTerms, by: Wallet, hirer: Wallet) {
  return authorise(by, 'SubmitQuote', { terms, hirer: hirer.address, arbiter: arbiter.address, token });
}

function subcontract(terms: NodeTerms) {
  const hirerAuth = authorise(worker, 'Subcontract', { terms, token });
  return encode.encodeSubcontract(terms, { mode: FundingMode.ParentNode }, hirerAuth, quote(terms, helper, worker));
}

function deliver(nodeId: number, by: Wallet, artifact: string) {
  const artifactHash = id(artifact);
  return encode.encodeDeliver(nodeId, artifactHash, authorise(by, 'Deliver', { nodeId, artifactHash }));
}

function resolve(nodeId: number, by: Wallet, of: Wallet, amount: bigint, artifact: string) {
  const own = { nodeId, worker: of.address, token, amount, artifactHash: id(artifact) };
  return encode.encodeResolveTask(nodeId, own.artifactHash, authorise(by, 'ResolveTask', own));
}

function reject(nodeId: number, by: Wallet, artifact: string) {
  const own = { nodeId, artifactHash: id(artifact), reasonHash: id('reason') };
  return encode.encodeRejectTask(nodeId, own.artifactHash, own.reasonHash, authorise(by, 'RejectTask', own));
}

function withdraw(nodeId: number, by: Wallet, amount: bigint) {
  const own = { nodeId, recipient: by.address, token, amount };
  const auth = authorise(by, 'WithdrawEarnings', own);
  return encode.encodeWithdrawEarnings(nodeId, by.address, amount, auth);
}

/** Deploys the tree and hires and pays for its first node in one transaction. */
function hireFirst(terms: NodeTerms) {
  const task = { buyer: buyer.address, arbiter: arbiter.address, token, budget: 200n, termsHash: id('terms') };
  return encode.encodeCreateTree({ buyer: buyer.address, arbiter: arbiter.address, treeId }, [
    encode.encodeCreateTask(task, authorise(buyer, 'CreateTask', task)),
    encode.encodeSelectAgent(terms, authorise(buyer, 'SelectAgent', { terms, token }), quote(terms, worker, buyer)),
    encode.encodeFundTask(1, { mode: FundingMode.Authorization3009 }, authorisePayment(1, terms.amount)),
  ]);
}

async function indexedFacts(): Promise<ChainedFact[]> {
  const logs = await provider.getLogs({ address: [factory, escrow], topics: [[...FACT_TOPICS]], fromBlock: 0 });
  return Promise.all(
    logs.map(async (log) => ({
      fact: decodeFact(log)!,
      blockNumber: log.blockNumber,
      blockHash: asHex(log.blockHash),
      blockTime: (await provider.getBlock(log.blockNumber))!.timestamp,
      logIndex: log.index,
      transactionHash: asHex(log.transactionHash),
    })),
  );
}

async function expectSameOnChain(): Promise<ReturnType<typeof projectTree>> {
  const tree = projectTree(await indexedFacts());
  for (const node of tree.nodes) {
    const stored = views.decodeNodeResult(await provider.call({ to: escrow, data: views.encodeNodeCall(node.number) }));
    expect(stored).toEqual({
      worker: node.worker,
      amount: node.pool,
      allocated: node.allocated,
      deliverBy: node.deliverBy,
      // Selected is the one state whose clock no event carries.
      clock: node.state === NodeState.Selected ? stored.clock : node.clock,
      parent: node.parentNumber,
      acceptWindow: node.acceptWindow,
      state: node.state,
      hirerFunded: node.hirerFunded,
      artifactHash: node.artifactHash ?? `0x${'0'.repeat(64)}`,
    });
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

test('a tree lives its whole life on chain as it does in the fold', async () => {
  await send(factory, hireFirst(termsOf(1, 0, worker, 100n)));
  expect(taskStatusOf(await expectSameOnChain())).toBe('funded');

  await send(escrow, subcontract(termsOf(2, 1, helper, 40n)));
  await send(escrow, subcontract(termsOf(3, 1, helper, 30n)));
  const abandon = { nodeId: 3, token, amount: 30n };
  await send(escrow, encode.encodeAbandonNode(3, authorise(helper, 'AbandonNode', abandon)));
  await send(escrow, deliver(2, helper, 'draft'));
  await send(escrow, reject(2, worker, 'draft'));
  expect((await expectSameOnChain()).nodes.map(({ state }) => state)).toEqual([
    NodeState.Funded,
    NodeState.Rejected,
    NodeState.Abandoned,
  ]);

  const evidence = { nodeId: 2, evidenceHash: id('evidence') };
  await send(escrow, encode.encodeDisputeNode(2, evidence.evidenceHash, authorise(helper, 'DisputeNode', evidence)));
  const ruling = { nodeId: 2, token, workerShare: 25n, rulingHash: id('ruling') };
  const ruled = authorise(arbiter, 'RuleDispute', ruling);
  await send(escrow, encode.encodeRuleDispute(2, 25n, ruling.rulingHash, ruled));
  await send(escrow, encode.encodeMulticall([deliver(1, worker, 'work'), resolve(1, buyer, worker, 100n, 'work')]));
  await send(escrow, withdraw(2, helper, 25n));
  await send(escrow, withdraw(1, worker, 70n));
  const tree = await expectSameOnChain();
  expect(taskStatusOf(tree)).toBe('resolved');
  expect(tree.ledger).toEqual({ funded: 100n, held: 5n, paid: 95n, refundable: 0n });
  expect(tree.nodes[1]).toMatchObject({ outcome: Outcome.Ruled, workerShare: 25n, withdrawn: 25n });
});

test('money that came back pays for the next root node, and what is left is withdrawn', async () => {
  const terms = termsOf(4, 0, worker, 50n);
  const select = encode.encodeSelectAgent(
    terms,
    authorise(buyer, 'SelectAgent', { terms, token }),
    quote(terms, worker, buyer),
  );
  await send(
    escrow,
    encode.encodeMulticall([
      select,
      encode.encodeFundTask(4, { mode: FundingMode.Authorization3009 }, authorisePayment(4, 50n)),
    ]),
  );
  const split = { nodeId: 4, token, amount: 50n, workerShare: 10n };
  const both = [authorise(buyer, 'AgreeSplit', split), authorise(worker, 'AgreeSplit', split)] as const;
  await send(escrow, encode.encodeAgreeSplit(4, 10n, ...both));
  expect((await expectSameOnChain()).refundOf.get(checksumAddress(buyer.address))).toBe(40n);

  const again = termsOf(5, 0, worker, 15n);
  const selected = authorise(buyer, 'SelectAgent', { terms: again, token });
  await send(escrow, encode.encodeSelectAgent(again, selected, quote(again, worker, buyer)));
  expect((await expectSameOnChain()).selectedNodes).toEqual([5]);
  const fund = { nodeId: 5, worker: worker.address, token, amount: 15n };
  const refundBalance = { mode: FundingMode.RefundBalance };
  await send(escrow, encode.encodeFundTask(5, refundBalance, authorise(buyer, 'FundTask', fund)));
  const rest = { account: buyer.address, recipient: helper.address, token, amount: 25n };
  const refund = authorise(buyer, 'WithdrawRefund', rest);
  await send(escrow, encode.encodeWithdrawRefund(buyer.address, helper.address, 25n, refund));
  expect((await expectSameOnChain()).refundOf.size).toBe(0);
});

test('what silence decides is written down by anyone and known before', async () => {
  await send(escrow, deliver(5, worker, 'late work'));
  const before = await expectSameOnChain();
  await provider.send('evm_increaseTime', [3 * DAY]);
  await provider.send('evm_mine', []);
  now += 3 * DAY;
  const node = before.nodes.find(({ number }) => number === 5)!;
  expect([node.state, effectiveState(node, now)]).toEqual([NodeState.Delivered, NodeState.Settled]);
  await send(escrow, encode.encodeFinalize(5));
  expect((await expectSameOnChain()).nodes.at(-1)).toMatchObject({ outcome: Outcome.AcceptWindowLapsed });

  const terms = termsOf(6, 0, worker, 5n);
  const select = authorise(buyer, 'SelectAgent', { terms, token });
  await send(
    escrow,
    encode.encodeMulticall([
      encode.encodeSelectAgent(terms, select, quote(terms, worker, buyer)),
      encode.encodeFundTask(6, { mode: FundingMode.Authorization3009 }, authorisePayment(6, 5n)),
    ]),
  );
  await provider.send('evm_increaseTime', [21 * DAY]);
  await provider.send('evm_mine', []);
  now += 21 * DAY;
  const claim = authorise(helper, 'ClaimNonDelivery', { nodeId: 6, token, amount: 5n });
  await send(escrow, encode.encodeClaimNonDelivery(6, helper.address, claim));
  expect((await expectSameOnChain()).nodes.at(-1)).toMatchObject({ outcome: Outcome.NonDelivery });
});

test('a used nonce shows in the bitmap and a cancelled one in the facts', async () => {
  const word = await provider.call({ to: escrow, data: views.encodeNonceBitmapCall(buyer.address, 0n) });
  const used = nonces.get(buyer.address)!;
  expect(views.decodeNonceBitmapResult(word)).toBe((1n << used) - 1n);
  await send(escrow, encode.encodeInvalidateNonces(1n, 6n));
  const tree = await expectSameOnChain();
  expect(tree.invalidatedNonces).toEqual([{ signer: await relayer.getAddress(), word: 1n, mask: 6n }]);
  const ofBuyer = tree.consumedActions.filter(({ signer }) => signer === buyer.address);
  expect(ofBuyer.map(({ actionIdHash: action }) => action)).toEqual(
    Array.from({ length: Number(used) }, (_, nonce) => actionIdHash(`act_${buyer.address}_${nonce}`)),
  );
});

test('a refusal of the contract is named', async () => {
  const data = encode.encodeAbandonNode(1, encode.senderAuth(fields(worker)));
  const refusal = await provider.call({ to: escrow, data, from: worker.address }).catch((error: unknown) => error);
  if (!isCallException(refusal as Error)) throw refusal;
  const revert = decodeRevert(asHex(String((refusal as { data?: string }).data)));
  expect(revert).toEqual({ name: 'WrongState', args: { nodeId: 1n, state: BigInt(NodeState.Settled) } });
});
