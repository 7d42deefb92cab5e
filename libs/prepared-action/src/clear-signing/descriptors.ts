import { type FieldDisplay, FUNDING_MODE_TEXTS, MESSAGE_DISPLAYS } from './clear-signing.js';
import { pinnedMembers, pinnedTypes } from '../checks/eip712-schema-check.js';
import {
  ESCROW_DOMAIN_NAME,
  ESCROW_DOMAIN_VERSION,
  ESCROW_TYPES,
  isEscrowPrimaryType,
  isUsdcPrimaryType,
  USDC_TYPES,
} from '../typed-data/typed-data-schemas.js';
import { encodeType } from '../typed-data/typed-data-hash.js';

const SCHEMA = 'https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json';
const OWNER = 'Tasktree';

/** The files of `descriptors/`, by their names: what a wallet needs to show our messages in words (ERC-7730 v2). */
export function clearSigningDescriptors(): Record<string, object> {
  return {
    'eip712-tasktree-escrow.json': descriptor(
      'Tasktree escrow',
      // No list of deployments: every task has an escrow of its own, at an address that nobody knows before.
      { name: ESCROW_DOMAIN_NAME, version: ESCROW_DOMAIN_VERSION },
      Object.keys(ESCROW_TYPES),
      'token',
      { enums: { fundingMode: FUNDING_MODE_TEXTS } },
    ),
    'eip712-tasktree-payments.json': descriptor(
      'Payments into a Tasktree escrow',
      { name: 'USD Coin', version: '2' },
      Object.keys(USDC_TYPES),
      '@.to',
    ),
  };
}

function descriptor(
  contractName: string,
  domain: { name: string; version: string },
  primaryTypes: readonly string[],
  tokenPath: string,
  lists: object = {},
): object {
  return {
    $schema: SCHEMA,
    context: { $id: contractName, eip712: { domain } },
    metadata: { owner: OWNER, contractName, ...lists },
    display: { formats: Object.fromEntries(primaryTypes.map((type) => [keyOf(type), formatOf(type, tokenPath)])) },
  };
}

/** Formats of typed messages are keyed by the EIP-712 `encodeType` of the primary type. */
function keyOf(primaryType: string): string {
  const types = pinnedTypes(primaryType, pinnedMembers(primaryType) ?? []);
  return encodeType(primaryType, new Map(Object.entries(types)));
}

function formatOf(primaryType: string, tokenPath: string): object {
  if (!isEscrowPrimaryType(primaryType) && !isUsdcPrimaryType(primaryType))
    throw new TypeError('Not a message of ours');
  const { intent, interpolatedIntent, fields } = MESSAGE_DISPLAYS[primaryType];
  return { intent, interpolatedIntent, fields: fields.map((field) => fieldOf(field, tokenPath)) };
}

function fieldOf({ path, label, format, isOptional }: FieldDisplay, tokenPath: string): object {
  return {
    path,
    label,
    format: format === 'path' ? 'raw' : format,
    ...paramsOf(format, tokenPath),
    ...(isOptional === true ? { visible: 'optional' } : {}),
  };
}

function paramsOf(format: FieldDisplay['format'], tokenPath: string): { params?: object } {
  switch (format) {
    case 'tokenAmount':
      return { params: { tokenPath } };
    case 'addressName':
      return { params: { types: ['wallet', 'eoa', 'contract', 'token'], sources: ['local', 'ens'] } };
    case 'date':
      return { params: { encoding: 'timestamp' } };
    case 'enum':
      return { params: { $ref: '$.metadata.enums.fundingMode' } };
    case 'duration':
    case 'path':
    case 'raw':
      return {};
  }
}
