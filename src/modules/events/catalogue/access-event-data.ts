import { ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';

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

/**
 * Told to the account alone.
 *
 * - `app.connected`, `app.revoked`: a person has allowed an application to act, and that has ended before its time.
 * - `api_key.created`, `api_key.revoked`: a key; one that is rolled is created with the key that it replaces.
 * - `wallet.linked`, `wallet.unlinked`: a wallet has proved that it is the account's, and its removal was carried out.
 */
export interface AccessEvents {
  'app.connected': AccessEventData;
  'app.revoked': AccessEventData;
  'api_key.created': AccessEventData;
  'api_key.revoked': AccessEventData;
  'wallet.linked': AccessEventData;
  'wallet.unlinked': AccessEventData;
}
