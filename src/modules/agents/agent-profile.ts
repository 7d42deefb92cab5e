import { checksumAddress } from '#libs/contracts';
import { EVM_ADDRESS_PATTERN, stripControls } from '#libs/kernel';
import { ApiError } from '../../platform/http/api-error.js';

/** What an owner says about an agent. Ranges: design/interface.md §2. */
export interface AgentProfile {
  /** 1–120 characters. */
  name: string;
  /** An https URL of at most 2,048 characters. */
  agentCardUrl: string;
  /** At most 100 of 1–64 characters each; a capability named twice counts once. */
  capabilities?: readonly string[];
  /** At most 4,000 characters. */
  description?: string;
  /** Wallet that signs the agent's quotes and is paid; absent: the account's. */
  walletAddress?: string;
}

/** A profile within its ranges: texts trimmed and free of invisible characters, the wallet EIP-55. */
export interface CheckedProfile {
  name: string;
  agentCardUrl: string;
  capabilities: string[];
  description: string;
  walletAddress: string;
}

const MAX_NAME = 120;
const MAX_CAPABILITIES = 100;
const MAX_CAPABILITY = 64;
const MAX_DESCRIPTION = 4_000;
const MAX_URL = 2_048;
const ZERO_ADDRESS_PATTERN = /^0x0{40}$/;

/**
 * Checks a profile against its ranges.
 * @param accountWallet the owner's wallet, used when the profile names none.
 * @throws ApiError `invalid_body` for a member out of range, `wallet_mismatch` when there is no wallet at all.
 */
export function checkProfile(profile: AgentProfile, accountWallet: string | null): CheckedProfile {
  return {
    name: textWithin('name', profile.name, 1, MAX_NAME),
    agentCardUrl: cardUrl(profile.agentCardUrl),
    capabilities: capabilitiesWithin(profile.capabilities ?? []),
    description: textWithin('description', profile.description ?? '', 0, MAX_DESCRIPTION),
    walletAddress: wallet(profile.walletAddress ?? accountWallet),
  };
}

function textWithin(member: string, text: string, min: number, max: number): string {
  const clean = stripControls(text).trim();
  // Characters, not UTF-16 units: an emoji is one.
  const length = Array.from(clean).length;
  if (length < min || length > max) throw invalid(`${member} has ${min} to ${max} characters.`);
  return clean;
}

function capabilitiesWithin(capabilities: readonly string[]): string[] {
  if (capabilities.length > MAX_CAPABILITIES) throw invalid(`capabilities are at most ${MAX_CAPABILITIES}.`);
  return [...new Set(capabilities.map((capability) => textWithin('A capability', capability, 1, MAX_CAPABILITY)))];
}

function cardUrl(text: string): string {
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw invalid('agent_card_url is an https URL without credentials.');
  }
  return url.href;
}

function wallet(address: string | null): string {
  if (address === null) {
    throw new ApiError(
      'wallet_mismatch',
      'The account has no wallet for the agent.',
      'Name a wallet_address, or link a wallet to the account first.',
    );
  }
  if (!EVM_ADDRESS_PATTERN.test(address) || ZERO_ADDRESS_PATTERN.test(address)) throw invalidWallet();
  try {
    return checksumAddress(address);
  } catch {
    throw invalidWallet();
  }
}

function invalidWallet(): ApiError {
  return invalid('wallet_address is an EVM address; in mixed case its checksum holds.');
}

function invalid(reason: string): ApiError {
  return new ApiError('invalid_body', reason);
}
