import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionFields, NodeTerms } from '../../libs/contracts/src/index.js';
import type { Hex } from '../../libs/kernel/src/index.js';

/** One message with the hashes that the contract itself computed for it (libs/contracts/solidity/test/vectors). */
export interface TypedDataVector {
  primaryType: string;
  domain: { chainId: string; verifyingContract: Hex };
  message: Record<string, any>;
  structHash: string;
  digest: string;
}

const file = join(process.cwd(), 'libs/contracts/solidity/test/vectors/typed-data.json');
const { vectors }: { vectors: TypedDataVector[] } = JSON.parse(readFileSync(file, 'utf8'));

/** The vector of a primary type. */
export function typedDataVector(primaryType: string): TypedDataVector {
  const vector = vectors.find((one) => one.primaryType === primaryType);
  if (!vector) throw new Error(`There is no vector of ${primaryType}`);
  return vector;
}

/** The members that every message of the escrow ends with. */
export function fieldsOf({ message }: TypedDataVector): ActionFields {
  return {
    actionId: message['actionId'],
    requestDigest: message['requestDigest'],
    nonce: BigInt(message['nonce']),
    validUntil: BigInt(message['validUntil']),
  };
}

/** The terms in the message of an action that hires. */
export function termsOf({ message: { terms } }: TypedDataVector): NodeTerms {
  return {
    nodeId: BigInt(terms.nodeId),
    worker: terms.worker,
    amount: BigInt(terms.amount),
    floor: BigInt(terms.floor),
    workSeconds: Number(terms.workSeconds),
    acceptWindow: Number(terms.acceptWindow),
    maxRevisions: Number(terms.maxRevisions),
    hirerFunded: terms.hirerFunded,
    termsHash: terms.termsHash,
  };
}
