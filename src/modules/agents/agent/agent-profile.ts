import { readAddressText } from '#libs/contracts';
import { hidesText } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import type { OwnerStatus } from './agent.lifecycle.js';

/** What an owner says about an agent. Ranges: docs/decisions/interface.md#fields-and-ranges. */
export interface AgentProfile {
  /** 1–120 characters. */
  name: string;
  /** An https URL of at most 2,048 characters. It is shown, and fetched only for the agent's endpoint. */
  agentCardUrl: string;
  /** At most 100 of 1–64 characters each; a capability named twice counts once. */
  capabilities?: readonly string[];
  /** At most 4,000 characters. */
  description?: string;
  /** Wallet that signs the agent's quotes and is paid; absent: the account's. */
  walletAddress?: string;
}

/** What an owner changes about an agent; absent members stay as they are. */
export interface AgentChange extends Partial<AgentProfile> {
  status?: OwnerStatus;
}

/** A profile within its ranges: texts trimmed, lines ended by line feeds alone, the wallet EIP-55. */
export interface CheckedProfile {
  name: string;
  agentCardUrl: string;
  capabilities: string[];
  description: string;
  walletAddress: string;
}

/** What one member of a profile may be. */
export interface MemberRule<T> {
  /** The rule in words, without a full stop. */
  text: string;
  /** The member as it is kept, or null when it is out of range. */
  readonly clean: (value: unknown) => T | null;
}

export const MAX_NAME = 120;
export const MAX_CAPABILITIES = 100;
export const MAX_CAPABILITY = 64;
export const MAX_DESCRIPTION = 4_000;
export const MAX_CARD_URL = 2_048;
const VISIBLE = 'without characters that a reader cannot see';
/**
 * Runs of white space, without the byte order mark and the line and paragraph separators, which a reader cannot see.
 */
const BLANKS = /[^\S\ufeff\u2028\u2029]+/g;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** The ranges of a profile, one rule per member. */
export const PROFILE_RULES = {
  name: { text: `name has 1 to ${MAX_NAME} characters, ${VISIBLE}`, clean: (value) => line(value, MAX_NAME) },
  agentCardUrl: {
    text: `agent_card_url is an https URL of at most ${MAX_CARD_URL} characters without credentials and fragment`,
    clean: cardUrl,
  },
  capabilities: {
    text: `capabilities are at most ${MAX_CAPABILITIES} texts of 1 to ${MAX_CAPABILITY} characters, ${VISIBLE}`,
    clean: capabilitiesWithin,
  },
  description: {
    text: `description has at most ${MAX_DESCRIPTION} characters, ${VISIBLE}`,
    clean: (value) => textWithin(value, 0, MAX_DESCRIPTION),
  },
  walletAddress: {
    text: 'wallet_address is an EVM address other than zero; in mixed case its checksum holds',
    clean: wallet,
  },
} as const satisfies { [Member in keyof CheckedProfile]: MemberRule<CheckedProfile[Member]> };

/**
 * Checks a profile against its ranges.
 * @param accountWallet the owner's wallet, used when the profile names none.
 * @throws ApiError `invalid_body` for a member out of range, `wallet_mismatch` when there is no wallet at all.
 */
export function checkProfile(profile: AgentProfile, accountWallet: string | null): CheckedProfile {
  const { name, agentCardUrl, capabilities = [], description = '', walletAddress } = profile;
  return {
    name: within(PROFILE_RULES.name, name),
    agentCardUrl: within(PROFILE_RULES.agentCardUrl, agentCardUrl),
    capabilities: within(PROFILE_RULES.capabilities, capabilities),
    description: within(PROFILE_RULES.description, description),
    walletAddress: within(PROFILE_RULES.walletAddress, walletAddress ?? walletOf(accountWallet)),
  };
}

/**
 * Checks the given members of a profile and leaves the others out.
 * @throws ApiError `invalid_body` for a member out of range.
 */
export function checkProfileChange(change: Partial<AgentProfile>): Partial<CheckedProfile> {
  const { name, agentCardUrl, capabilities, description, walletAddress } = change;
  return {
    ...(name === undefined ? {} : { name: within(PROFILE_RULES.name, name) }),
    ...(agentCardUrl === undefined ? {} : { agentCardUrl: within(PROFILE_RULES.agentCardUrl, agentCardUrl) }),
    ...(capabilities === undefined ? {} : { capabilities: within(PROFILE_RULES.capabilities, capabilities) }),
    ...(description === undefined ? {} : { description: within(PROFILE_RULES.description, description) }),
    ...(walletAddress === undefined ? {} : { walletAddress: within(PROFILE_RULES.walletAddress, walletAddress) }),
  };
}

function within<T>({ clean, text }: MemberRule<T>, value: unknown): T {
  const cleaned = clean(value);
  if (cleaned === null) throw new ApiError('invalid_body', `${text}.`);
  return cleaned;
}

function walletOf(accountWallet: string | null): string {
  if (accountWallet !== null) return accountWallet;
  throw new ApiError(
    'wallet_mismatch',
    'The account has no wallet for the agent.',
    'Name a wallet_address, or link a wallet to the account first.',
  );
}

function textWithin(value: unknown, min: number, max: number): string | null {
  if (typeof value !== 'string') return null;
  const clean = value.replace(/\r\n?/g, '\n').trim();
  // A character takes at most two UTF-16 units.
  if (clean.length > 2 * max || hidesText(clean)) return null;
  // Characters, not UTF-16 units: an emoji is one.
  const length = Array.from(clean).length;
  return length >= min && length <= max ? clean : null;
}

/** Makes a text of one line, because a text shown in a list must not break out of its row. */
function line(value: unknown, max: number): string | null {
  return typeof value === 'string' ? textWithin(value.replace(BLANKS, ' '), 1, max) : null;
}

function capabilitiesWithin(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length > MAX_CAPABILITIES) return null;
  const clean = value.map((capability) => line(capability, MAX_CAPABILITY));
  return clean.every((capability) => capability !== null) ? [...new Set(clean)] : null;
}

function cardUrl(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= MAX_CARD_URL && URL.canParse(value) ? new URL(value) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  // The normalised URL may be longer than the text, because other scripts are escaped in it.
  return url.href.length <= MAX_CARD_URL && !url.href.includes('#') ? url.href : null;
}

function wallet(value: unknown): string | null {
  const address = readAddressText(value);
  return address === ZERO_ADDRESS ? null : address;
}
