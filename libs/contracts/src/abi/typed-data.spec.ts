import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childPath, requestDigest } from '#libs/kernel';
import { id, TypedDataEncoder, verifyTypedData, Wallet } from 'ethers';
import { actionIdHash, checksumAddress } from './addresses.js';
import {
  type ActionFields,
  ESCROW_TYPES,
  type EscrowMessages,
  type EscrowPrimaryType,
  type NodeTerms,
  USDC_TYPES,
  type UsdcMessages,
  type UsdcPrimaryType,
} from '#libs/prepared-action';
import { FundingMode } from '../tree/node-states.js';
import { nodeNonce } from './nonce-bitmap.js';
import { escrowTypedData, type TypedData, typedDataDigest, typedDataStructHash, usdcTypedData } from './typed-data.js';

const ESCROW_PAGE = join(__dirname, '../../../../docs/decisions/escrow.md');
const VECTORS = join(__dirname, '../../solidity/test/vectors/typed-data.json');

const account = (name: string) => checksumAddress(`0x${id(name).slice(26)}`);
const buyer = account('buyer');
const arbiter = account('arbiter');
const worker = account('worker');
const token = account('token');
const recipient = account('recipient');
const chainId = 31337;
const escrowAddress = account('escrow');
const amount = 250_123_456n;
const artifactHash = id('artifact');

/** Every vector gets other common members, so that a mixed-up struct cannot pass by chance. */
function fields(primaryType: string, nonce: bigint): ActionFields {
  return {
    actionId: actionIdHash(`act_${primaryType}`),
    requestDigest: requestDigest({ primaryType }),
    nonce,
    validUntil: 1_900_000_000n + (nonce & 0xffffn),
  };
}

const rootTerms: NodeTerms = {
  nodeId: 1n,
  worker,
  amount,
  floor: 125_061_728n,
  workSeconds: 604_800,
  acceptWindow: 259_200,
  maxRevisions: 3,
  hirerFunded: true,
  termsHash: id('terms'),
};
/** Every number is as wide as its type lets it be. */
const childTerms: NodeTerms = {
  ...rootTerms,
  nodeId: 2n ** 192n - 1n,
  worker: account('child worker'),
  amount: 2n ** 64n - 1n,
  floor: 2n ** 64n - 2n,
  workSeconds: 2 ** 32 - 1,
  acceptWindow: 2 ** 24 - 1,
  maxRevisions: 255,
  hirerFunded: false,
};
const nodeId = childPath(childPath(1n, 2), 16_777_215);

const messages: EscrowMessages = {
  CreateTask: { buyer, arbiter, token, budget: 2n ** 200n + 1n, termsHash: id('terms'), ...fields('CreateTask', 0n) },
  SubmitQuote: { terms: rootTerms, hirer: buyer, arbiter, token, ...fields('SubmitQuote', 256n) },
  SelectAgent: { terms: rootTerms, token, ...fields('SelectAgent', 1n) },
  FundTask: { terms: rootTerms, token, fundingMode: FundingMode.Authorization3009, ...fields('FundTask', 2n) },
  Subcontract: { terms: childTerms, token, fundingMode: FundingMode.ParentNode, ...fields('Subcontract', 255n) },
  Deliver: { nodeId, artifactHash, payOut: true, ...fields('Deliver', nodeNonce(nodeId, 1)) },
  ResolveTask: { nodeId, worker, token, amount, artifactHash, ...fields('ResolveTask', 3n) },
  RejectTask: { nodeId, artifactHash, reasonHash: id('reason'), ...fields('RejectTask', 4n) },
  AbandonNode: { nodeId: 1n, token, amount, ...fields('AbandonNode', nodeNonce(2n ** 192n - 1n, 255)) },
  ClaimNonDelivery: { nodeId, token, amount, ...fields('ClaimNonDelivery', 5n) },
  WithdrawEarnings: { nodeId, recipient, token, amount, ...fields('WithdrawEarnings', 2n ** 255n) },
  WithdrawRefund: { account: buyer, recipient, token, amount, ...fields('WithdrawRefund', 2n ** 256n - 1n) },
  DisputeNode: { nodeId, evidenceHash: id('evidence'), ...fields('DisputeNode', 8n) },
  RuleDispute: { nodeId, token, workerShare: 125_061_728n, rulingHash: id('ruling'), ...fields('RuleDispute', 9n) },
  AgreeSplit: { nodeId, hirer: buyer, worker, token, amount, workerShare: 100_000_001n, ...fields('AgreeSplit', 10n) },
};
const escrowDomain = { chainId, escrowAddress };
const tokenDomain = { chainId, tokenAddress: token, name: 'USD Coin', version: '2' };
const tokenMessages: UsdcMessages = {
  ReceiveWithAuthorization: {
    from: buyer,
    to: escrowAddress,
    value: amount,
    validAfter: 0n,
    validBefore: messages.FundTask.validUntil + 1n,
    nonce: typedDataDigest(escrowTypedData('FundTask', escrowDomain, messages.FundTask)),
  },
  Permit: { owner: buyer, spender: escrowAddress, value: amount, nonce: 3n, deadline: 1_900_000_011n },
};

const escrowTypes = Object.keys(ESCROW_TYPES) as EscrowPrimaryType[];
const tokenTypes = Object.keys(USDC_TYPES) as UsdcPrimaryType[];
const escrowData = escrowTypes.map((type) => escrowTypedData(type, escrowDomain, messages[type]));
const tokenData = tokenTypes.map((type) => usdcTypedData(type, tokenDomain, tokenMessages[type]));
const everyData = [...escrowData, ...tokenData];

function vector(data: TypedData) {
  const { domain, primaryType, message } = data;
  return {
    primaryType,
    domain: { ...domain, chainId: String(domain.chainId) },
    message,
    structHash: typedDataStructHash(data),
    digest: typedDataDigest(data),
  };
}

/** The types as ethers wants them for its own derivation: without the domain. */
function ethersTypes({ types }: TypedData): Record<string, { name: string; type: string }[]> {
  const { EIP712Domain: _domain, ...own } = types;
  return own as Record<string, { name: string; type: string }[]>;
}

test('the vectors that Foundry reads are what typed-data.ts computes', () => {
  const text = `${JSON.stringify({ vectors: everyData.map(vector) }, null, 2)}\n`;
  if (process.env.UPDATE_VECTORS === '1') writeFileSync(VECTORS, text);
  expect(readFileSync(VECTORS, 'utf8')).toBe(text);
});

test.each(everyData)('$primaryType hashes as ethers hashes it without our caches', (data) => {
  expect(typedDataDigest(data)).toBe(TypedDataEncoder.hash(data.domain, ethersTypes(data), data.message));
  expect(typedDataStructHash(data)).toBe(
    TypedDataEncoder.from(ethersTypes(data)).hashStruct(data.primaryType, data.message),
  );
});

test.each(everyData)('$primaryType is signed and recovered by a wallet after a trip through JSON', (data) => {
  const wallet = new Wallet(id('a key of the tests'));
  const received = JSON.parse(JSON.stringify(data)) as TypedData;
  expect(received).toEqual(data);
  const signature = wallet.signingKey.sign(typedDataDigest(received)).serialized;
  expect(verifyTypedData(received.domain, ethersTypes(received), received.message, signature)).toBe(wallet.address);
});

test.each(everyData)('$primaryType carries every type that eth_signTypedData_v4 needs, and no other', (data) => {
  const used = new Set(['EIP712Domain', data.primaryType]);
  for (const member of data.types[data.primaryType]!) if (member.type === 'NodeTerms') used.add('NodeTerms');
  expect(Object.keys(data.types).sort()).toEqual([...used].sort());
  expect(Object.keys(data.message)).toEqual(data.types[data.primaryType]!.map(({ name }) => name));
});

test('the structs are those of the contract, to the letter', () => {
  const h = 'bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil';
  const nodeTerms =
    'NodeTerms(uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,uint8 maxRevisions,bool hirerFunded,bytes32 termsHash)';
  const encoded = Object.fromEntries(everyData.map((d) => [d.primaryType, TypedDataEncoder.from(ethersTypes(d))]));
  expect(Object.fromEntries(Object.entries(encoded).map(([type, e]) => [type, e.encodeType(type)]))).toEqual({
    CreateTask: `CreateTask(address buyer,address arbiter,address token,uint256 budget,bytes32 termsHash,${h})`,
    SubmitQuote: `SubmitQuote(NodeTerms terms,address hirer,address arbiter,address token,${h})${nodeTerms}`,
    SelectAgent: `SelectAgent(NodeTerms terms,address token,${h})${nodeTerms}`,
    FundTask: `FundTask(NodeTerms terms,address token,uint8 fundingMode,${h})${nodeTerms}`,
    Subcontract: `Subcontract(NodeTerms terms,address token,uint8 fundingMode,${h})${nodeTerms}`,
    Deliver: `Deliver(uint192 nodeId,bytes32 artifactHash,bool payOut,${h})`,
    ResolveTask: `ResolveTask(uint192 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash,${h})`,
    RejectTask: `RejectTask(uint192 nodeId,bytes32 artifactHash,bytes32 reasonHash,${h})`,
    AbandonNode: `AbandonNode(uint192 nodeId,address token,uint256 amount,${h})`,
    ClaimNonDelivery: `ClaimNonDelivery(uint192 nodeId,address token,uint256 amount,${h})`,
    WithdrawEarnings: `WithdrawEarnings(uint192 nodeId,address recipient,address token,uint256 amount,${h})`,
    WithdrawRefund: `WithdrawRefund(address account,address recipient,address token,uint256 amount,${h})`,
    DisputeNode: `DisputeNode(uint192 nodeId,bytes32 evidenceHash,${h})`,
    RuleDispute: `RuleDispute(uint192 nodeId,address token,uint256 workerShare,bytes32 rulingHash,${h})`,
    AgreeSplit: `AgreeSplit(uint192 nodeId,address hirer,address worker,address token,uint256 amount,uint256 workerShare,${h})`,
    ReceiveWithAuthorization:
      'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
    Permit: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
  });
});

test('docs/decisions/escrow.md prints every struct of the escrow as it is encoded', () => {
  const [, printed = ''] = /## Signed actions[^]*?```\n([^]*?)```/.exec(readFileSync(ESCROW_PAGE, 'utf8')) ?? [];
  const closing = 'bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil';
  const structs = printed.split('\n').filter((line) => line !== '');
  const [nodeTerms = ''] = structs;
  const encoded = escrowData.map((data) =>
    TypedDataEncoder.from(ethersTypes(data)).encodeType(data.primaryType).replace(nodeTerms, ''),
  );
  expect(new Set(structs.slice(1).map((line) => line.replace(/H\)$/, `${closing})`)))).toEqual(new Set(encoded));
});

test('integers are decimal text and addresses are checksummed whatever the caller passed', () => {
  const data = escrowTypedData(
    'SelectAgent',
    { chainId, escrowAddress: escrowAddress.toLowerCase() },
    { ...messages.SelectAgent, token: token.toLowerCase(), terms: { ...rootTerms, worker: worker.toLowerCase() } },
  );
  expect(data).toEqual(escrowData.find(({ primaryType }) => primaryType === 'SelectAgent'));
  expect(data.message).toMatchObject({
    token,
    nonce: '1',
    terms: { amount: '250123456', nodeId: '1', maxRevisions: '3' },
  });
});

test('another chain and another tree give other digests', () => {
  const digests = [
    { chainId, escrowAddress },
    { chainId: 8453, escrowAddress },
    { chainId, escrowAddress: account('another escrow') },
  ].map((domain) => typedDataDigest(escrowTypedData('AbandonNode', domain, messages.AbandonNode)));
  expect(new Set(digests).size).toBe(3);
});

test.each<[string, Partial<EscrowMessages['AbandonNode']>]>([
  ['a node id of 193 bits', { nodeId: 2n ** 192n }],
  ['a negative node id', { nodeId: -1n }],
  ['a nonce of 257 bits', { nonce: 2n ** 256n }],
  ['an amount of 257 bits', { amount: 2n ** 256n }],
  ['a negative amount', { amount: -1n }],
])('a message with %s is refused', (_what, change) => {
  const message = { ...messages.AbandonNode, ...change };
  expect(() => escrowTypedData('AbandonNode', escrowDomain, message)).toThrow(RangeError);
});

test.each<[string, Partial<EscrowMessages['AbandonNode']>]>([
  ['a token that is no address', { token: '0x1234' }],
  ['a token with a wrong checksum', { token: token.replace(/[a-f]/, (digit) => digit.toUpperCase()) }],
  ['an action id that is no digest', { actionId: '0x12' }],
])('a message with %s is refused', (_what, change) => {
  const message = { ...messages.AbandonNode, ...change };
  expect(() => escrowTypedData('AbandonNode', escrowDomain, message)).toThrow(TypeError);
});

test.each<[string, Partial<NodeTerms>]>([
  ['an amount of 65 bits', { amount: 2n ** 64n }],
  ['a floor of 65 bits', { floor: 2n ** 64n }],
  ['a window of 25 bits', { acceptWindow: 2 ** 24 }],
  ['256 revisions', { maxRevisions: 256 }],
  ['half a second to work', { workSeconds: 0.5 }],
])('terms with %s are refused', (_what, change) => {
  const message = { ...messages.FundTask, terms: { ...rootTerms, ...change } };
  expect(() => escrowTypedData('FundTask', escrowDomain, message)).toThrow(RangeError);
});

test('typed data of a type that is not pinned has no digest', () => {
  expect(() => typedDataDigest({ ...escrowData[0]!, primaryType: 'Permit2' })).toThrow('Not a primary type');
});
