import { encodeEscrowOfCall, encodeNodeCall, NodeState, treeIdOf } from '#libs/contracts';

/** A request that anybody can send to any node of the network, and the expected answer. */
export interface ReceiptCheck {
  /** What the answer proves, as a sentence. */
  shows: string;
  /** Body of a JSON-RPC request, one line. */
  request: string;
  /** Texts that the answer must contain, in lower case: a 32-byte word without `0x`, or a member's value. */
  answers: readonly { where: string; value: string }[];
}

/** The facts of a receipt that the checks need. */
export interface CheckedReceipt {
  taskId: string;
  nodePath: bigint;
  outcome: string;
  reason: string | null;
  transactionHash: string;
  blockNumber: number;
  escrowAddress: string;
  buyerWallet: string;
  arbiterWallet: string;
  artifactHash: string | null;
}

/** Word numbers of a node's members in the result of `node(uint192)` (libs/contracts/src/abi/views.ts), counted from one. */
const STATE_WORD = 12;
const ARTIFACT_WORD = 14;
const WORD_DIGITS = 64;

/** The checks by which a receipt is verified without this service, in their order. */
export function receiptChecks(receipt: CheckedReceipt, factoryAddress: string): ReceiptCheck[] {
  const { taskId, nodePath, transactionHash, blockNumber, escrowAddress, artifactHash } = receipt;
  const tree = { buyer: receipt.buyerWallet, arbiter: receipt.arbiterWallet, treeId: treeIdOf(taskId) };
  const delivered =
    artifactHash === null ? [] : [{ where: `word ${ARTIFACT_WORD} of the result`, value: artifactHash.slice(2) }];
  return [
    {
      shows: 'The transaction was executed in this block.',
      request: requestBody('eth_getTransactionReceipt', [transactionHash]),
      answers: [
        { where: 'status', value: '0x1' },
        { where: 'blockNumber', value: `0x${blockNumber.toString(16)}` },
      ],
    },
    {
      shows: 'The escrow contract is the one of this task: the factory names it for the task’s buyer and arbiter.',
      request: requestBody('eth_call', [{ to: factoryAddress, data: encodeEscrowOfCall(tree) }, 'latest']),
      answers: [{ where: 'the result', value: word(BigInt(escrowAddress)) }],
    },
    {
      shows: 'The escrow contract has the job as ended like this.',
      request: requestBody('eth_call', [{ to: escrowAddress, data: encodeNodeCall(nodePath) }, 'latest']),
      answers: [{ where: `word ${STATE_WORD} of the result`, value: word(BigInt(endOf(receipt))) }, ...delivered],
    },
  ];
}

function endOf({ outcome, reason }: CheckedReceipt): NodeState {
  if (outcome === 'released') return NodeState.Settled;
  return reason === 'abandoned' ? NodeState.Abandoned : NodeState.Refunded;
}

function requestBody(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0');
}
