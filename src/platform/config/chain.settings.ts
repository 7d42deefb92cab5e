import {
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEthereumAddress,
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { ProcessSettings } from './process.settings.js';

/** Where the candidates of a match can be searched for. */
const MATCHING_INDEXES = ['sql', 'memory'] as const;
type MatchingIndex = (typeof MATCHING_INDEXES)[number];

/** Versions of ERC-4337's EntryPoint whose operations can be sponsored. */
const ENTRY_POINT_VERSIONS = ['0.6', '0.7', '0.8'] as const;
export type EntryPointVersion = (typeof ENTRY_POINT_VERSIONS)[number];

/** EIP-155 id of a local development chain; keys made beside it are `test` keys. */
export const LOCAL_CHAIN_ID = 31337;

const LOOPBACK_URL = /^http:\/\/127\.0\.0\.1:[0-9]{1,5}$/;
const EXPLORER_URL = /^https?:\/\/[^/\s?#{}]+\/[^\s{}]*\{hash\}[^\s{}]*$/;
/** In clear text to this machine alone: the URL may hold a key. */
const PAYMASTER_URL =
  /^(?:https:\/\/[^\s/?#]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?)(?:[/?][^\s#]*)?$/;
const CODE_HASH = /^0x[0-9a-fA-F]{64}$/;
const DAY_SECONDS = 86_400;

/**
 * Settings of the chain that is read, of what is computed from it, and of the actions that wallets are asked to sign.
 */
export abstract class ChainSettings extends ProcessSettings {
  /** EIP-155 chain id that `rpcUrl` must serve. */
  @IsInt()
  @Min(1)
  chainId!: number;

  @IsEthereumAddress()
  escrowFactoryAddress!: string;

  /** Keccak-256 of the token's own code; null = any token of the factory that behaves as USDC does. */
  @IsOptional()
  @Matches(CODE_HASH, { message: 'must be 0x and 64 hexadecimal digits' })
  usdcCodeHash: string | null = null;

  /** Identity registries (ERC-8004) of this chain whose agents may be linked to agents here; none: the feature is off. */
  @IsEthereumAddress({ each: true })
  erc8004Registries: readonly string[] = [];

  /** First block that can hold an event of the factory. */
  @IsInt()
  @Min(0)
  chainStartBlock = 0;

  /** Blocks that must lie above a block before its events count. */
  @IsInt()
  @Min(0)
  @Max(10_000)
  chainConfirmations = 0;

  /** Milliseconds between two looks at the chain's head. */
  @IsInt()
  @Min(50)
  @Max(600_000)
  chainPollMs = 1000;

  /** False: this process serves HTTP only. */
  @IsBoolean()
  indexerEnabled = true;

  /** Seconds from one trust run to the next. */
  @IsInt()
  @Min(10)
  @Max(DAY_SECONDS)
  trustIntervalSeconds = 600;

  /** Where the candidates for a task come from: `sql`, the postings in the database; `memory`, an index of this process. */
  @IsIn(MATCHING_INDEXES)
  matchingIndex: MatchingIndex = 'sql';

  /** How long a prepared action may be signed. */
  @IsInt()
  @Min(60)
  @Max(3600)
  actionTtlSeconds = 900;

  /**
   * True: earnings and refunds are prepared for the wallet that signs alone
   * (docs/decisions/escrow.md#withdrawals-to-another-address).
   */
  @IsBoolean()
  withdrawToSignerOnly = false;

  /** Page of a transaction in an explorer, with `{hash}` in it; null = the usual one of the chain, if there is one. */
  @IsOptional()
  @Matches(EXPLORER_URL, { message: 'must be an https:// URL with {hash} in it' })
  explorerTransactionUrl: string | null = null;

  /** Paymaster service (ERC-7677) that pays the network's fee of what wallets send from our pages; null = nobody pays it. */
  @IsOptional()
  @Matches(PAYMASTER_URL, { message: 'must be an https:// URL, or an http:// URL of this machine' })
  paymasterUrl: string | null = null;

  /** What that service is told beside each operation, a JSON object, such as the policy by which it pays. */
  @ValidateBy({
    name: 'isObjectText',
    validator: { validate: isObjectText, defaultMessage: () => 'must be a JSON object' },
  })
  paymasterContext = '{}';

  /** Versions of the EntryPoint contract (ERC-4337) for which that service pays. */
  @IsArray()
  @ArrayUnique()
  @IsIn(ENTRY_POINT_VERSIONS, { each: true, message: `must be a list of ${ENTRY_POINT_VERSIONS.join(', ')}` })
  paymasterEntryPoints: readonly EntryPointVersion[] = ENTRY_POINT_VERSIONS;

  /** Where the local market keeps its test wallet, whose keys this process never has; null = there is none. */
  @ValidateIf(hasTestWallet)
  @Matches(LOOPBACK_URL, { message: 'must be http://127.0.0.1:PORT' })
  @ValidateBy({
    name: 'isOfLocalChain',
    validator: {
      validate: (_url, at) => at?.object instanceof ChainSettings && at.object.chainId === LOCAL_CHAIN_ID,
      defaultMessage: () => `is for the chain ${LOCAL_CHAIN_ID} alone`,
    },
  })
  testWalletUrl: string | null = null;
}

function hasTestWallet({ testWalletUrl }: ChainSettings): boolean {
  return testWalletUrl !== null;
}

function isObjectText(text: unknown): boolean {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
