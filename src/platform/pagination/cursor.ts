import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../http/api-error.js';
import { Sealer } from '../secrets/sealer.js';
import { Clock } from '../time/clock.js';

/** What a cursor is bound to: used by anyone else, elsewhere or with other filters it does not open. */
export interface CursorBinding {
  accountId: string;
  operationId: string;
  filters: Readonly<Record<string, string | undefined>>;
}

const HOUR_MS = 3_600_000;
/** Counted from the end of the hour in which it is sealed. */
const CURSOR_LIFETIME_MS = 72 * HOUR_MS;
const KEPT = 1_000;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * Opaque cursors: a position in a list, sealed (docs/decisions/interface.md#pagination). They live 72 hours, at most one
 * more. Every process seals a position alike within an hour of the clock, so that who polls a first page gets the same
 * bytes, and so the same `ETag`, while nothing changes.
 */
@Injectable()
export class Cursors {
  /** Of the newest positions, because it costs more to seal one than to read its page. */
  private readonly sealed = new LRUCache<string, { cursor: string; endsMs: number }>({ max: KEPT });

  constructor(
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  /** Seals the position behind the last row shown. */
  seal(binding: CursorBinding, position: readonly string[]): string {
    const endsMs = (Math.floor(this.clock.nowMs() / HOUR_MS) + 1) * HOUR_MS + CURSOR_LIFETIME_MS;
    const bound = bindingText(binding);
    const place = `${bound}${JSON.stringify(position)}`;
    const known = this.sealed.get(place);
    if (known?.endsMs === endsMs) return known.cursor;
    const plain = JSON.stringify([String(endsMs), ...position]);
    const cursor = this.sealer.sealAlike('cursor', Buffer.from(plain, 'utf8'), bound).toString('base64url');
    this.sealed.set(place, { cursor, endsMs });
    return cursor;
  }

  /** The position in a cursor. Throws ApiError `invalid_cursor`, with one body for every cause. */
  open(binding: CursorBinding, cursor: string): string[] {
    const sealed = BASE64URL.test(cursor) ? Buffer.from(cursor, 'base64url') : null;
    // Only the spelling that was handed out is accepted, not others that decode to the same bytes.
    const plain =
      sealed?.toString('base64url') === cursor ? this.sealer.open('cursor', sealed, bindingText(binding)) : null;
    if (plain === null) throw invalidCursor();
    const [expiresMs, ...position] = strings(JSON.parse(plain.toString('utf8')));
    if (expiresMs === undefined || Number(expiresMs) <= this.clock.nowMs()) throw invalidCursor();
    return position;
  }
}

/** One text per binding, whatever the order of the filters. */
function bindingText({ accountId, operationId, filters }: CursorBinding): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify([accountId, operationId, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function strings(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw invalidCursor();
  return value;
}

function invalidCursor(): ApiError {
  return new ApiError(
    'invalid_cursor',
    'The cursor is not valid for this caller, operation and filters, or has expired.',
    'Start again without a cursor, or send next_page of the previous page with the same filters.',
  );
}
