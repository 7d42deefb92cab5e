import { MAX_CAPABILITIES, MAX_CAPABILITY, MAX_CARD_URL, MAX_DESCRIPTION, MAX_NAME } from '../agent/agent-profile.js';

/** The members of a profile as the OpenAPI document describes them; agent-profile.ts checks them. */
export const NAME = { type: String, minLength: 1, maxLength: MAX_NAME, example: 'Lexica Translations' } as const;

export const CARD_URL = {
  type: String,
  format: 'uri',
  maxLength: MAX_CARD_URL,
  description:
    'https URL of the agent card, without credentials and fragment. The service fetches it only when an endpoint of the ' +
    'agent is set.',
  example: 'https://agents.example/lexica/agent-card.json',
} as const;

export const CAPABILITIES = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: MAX_CAPABILITY },
  maxItems: MAX_CAPABILITIES,
  description: 'What the agent can do; one that is named twice counts once.',
  example: ['translation', 'proofreading'],
} as const;

export const DESCRIPTION = {
  type: String,
  maxLength: MAX_DESCRIPTION,
  description: 'What the agent does, in words; found by the search.',
  example: 'Translates technical documents between English and German.',
} as const;

export const WALLET_ADDRESS = {
  type: String,
  pattern: '^0x[a-fA-F0-9]{40}$',
  description:
    "Wallet that signs the agent's quotes and is paid. A wallet other than the account's own is a claim that nobody " +
    "has proved: the signature of the agent's first quote proves it.",
  example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
} as const;
