import { ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import type { EventGroup } from './event-group.js';

/**
 * What the events of access to an account say. An application is named by the grant and not by its own id, because
 * applications with `read` hear these events and may not learn which others a person uses.
 */
export class AccessEventData {
  @ApiPropertyOptional({
    type: [String],
    description: 'What the key or the application may do.',
    example: ['read', 'buyer'],
  })
  scopes?: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when, unless it is revoked before. That end has no event.',
    example: '2027-02-18T12:55:00.000Z',
  })
  expires_at?: string;

  @ApiPropertyOptional({ type: MoneyDto, description: 'Most that one payment of the application may ask for.' })
  funding_cap?: MoneyDto;

  @ApiPropertyOptional({
    type: String,
    description: 'The key that the new one replaces, which goes on until `replaced_until`.',
    example: 'key_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  replaces?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', example: '2026-11-21T12:55:00.000Z' })
  replaced_until?: string;
}

/** Told to the account alone. */
export type AccessEvents = AppEvents & ApiKeyEvents & WalletEvents;

interface AppEvents {
  'app.connected': AccessEventData;
  'app.revoked': AccessEventData;
}

interface ApiKeyEvents {
  'api_key.created': AccessEventData;
  'api_key.revoked': AccessEventData;
}

interface WalletEvents {
  'wallet.linked': AccessEventData;
  'wallet.unlinked': AccessEventData;
}

export const APP_EVENTS: EventGroup<AppEvents> = {
  data: AccessEventData,
  subject: { kind: 'app', id: '8c1f0a6e5d3b4c2a9f7e6d5c4b3a2918' },
  types: {
    'app.connected': {
      says: 'A person has allowed an application to act for the account.',
      example: {
        scopes: ['read', 'buyer'],
        expires_at: '2027-02-18T12:55:00.000Z',
        funding_cap: { amount: '250.00', currency: 'USDC' },
      },
    },
    'app.revoked': { says: 'What an application was allowed has ended before its time.', example: {} },
  },
};

export const API_KEY_EVENTS: EventGroup<ApiKeyEvents> = {
  data: AccessEventData,
  subject: { kind: 'api_key', id: 'key_01k9q2m4t8v6w0y2z4a6c8e0g2' },
  types: {
    'api_key.created': {
      says: 'There is a new key; one that replaces another names it.',
      example: {
        scopes: ['buyer'],
        expires_at: '2027-02-18T12:55:00.000Z',
        replaces: 'key_01k9q2m4t8v6w0y2z4a6c8e0g1',
        replaced_until: '2026-11-21T12:55:00.000Z',
      },
    },
    'api_key.revoked': { says: 'A key has ended before its time.', example: { scopes: ['buyer'] } },
  },
};

export const WALLET_EVENTS: EventGroup<WalletEvents> = {
  data: AccessEventData,
  subject: { kind: 'wallet', id: '0x52908400098527886E0F7030069857D2E4169EE7' },
  types: {
    'wallet.linked': { says: 'A wallet has proved that it belongs to the account.', example: {} },
    'wallet.unlinked': { says: 'A wallet was removed from the account.', example: {} },
  },
};
