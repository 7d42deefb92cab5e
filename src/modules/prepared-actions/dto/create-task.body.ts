import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, ValidateBy } from 'class-validator';
import { readAddressText } from '#libs/contracts';
import { EVM_ADDRESS_PATTERN, hidesText } from '#libs/kernel';
import { checkedInstant, IsInstant } from '../../../platform/http/input/instant.js';
import { MoneyBody, MoneyMember, unitsOf } from '../../../platform/http/input/money.body.js';
import { IsIntegerBetween, IsOneOf, MayBeAbsent } from '../../../platform/http/input/value-rules.js';
import type { TaskDraft } from '../../tasks/task-drafts.js';
import { TASK_DEFAULTS } from '../../tasks/task/task-defaults.js';

/** Ranges: docs/decisions/interface.md#fields-and-ranges. */
const MAX_BRIEF = 20_000;
const MAX_TITLE = 200;
const MAX_CRITERIA = 50;
const MAX_CRITERION = 2_000;
const ACCEPT_WINDOW = { minimum: 172_800, maximum: 7_776_000 } as const;
const DELIVERY_WINDOW = { minimum: 86_400, maximum: 31_536_000 } as const;
const VISIBLE = 'without characters that a reader cannot see (line feed and tab are fine)';

/** What a buyer says about a task. Unknown members are refused, and so is `null` for an optional one. */
export class CreateTaskBody {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_BRIEF,
    description: `What is to be done; ${VISIBLE}. Part of the frozen terms as it is sent.`,
    example: 'Translate the attached 40 pages.',
  })
  @Text(MAX_BRIEF)
  brief!: string;

  @MoneyMember('The most that the buyer would pay for the task; at least 1 USDC. Nothing is paid now.')
  budget!: MoneyBody;

  @ApiProperty({
    enum: ['manual', 'auto'],
    description:
      'Who names the agent. `manual`: the buyer. `auto`: the service, with the best eligible offer; the buyer still signs.',
    example: 'manual',
  })
  @IsOneOf(['manual', 'auto'])
  selection_mode!: 'manual' | 'auto';

  @ApiPropertyOptional({ type: String, minLength: 1, maxLength: MAX_TITLE, example: 'Translate 40 pages' })
  @MayBeAbsent()
  @Text(MAX_TITLE)
  title?: string;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: MAX_CRITERION },
    maxItems: MAX_CRITERIA,
    description: 'What a delivery is accepted by.',
    example: ['Every page is translated'],
  })
  @MayBeAbsent()
  @ArrayMaxSize(MAX_CRITERIA, { message: `criteria are at most ${MAX_CRITERIA}` })
  @IsArray({ message: 'criteria are a list of texts' })
  @Text(MAX_CRITERION, true)
  criteria?: string[];

  @ApiPropertyOptional({
    type: 'integer',
    ...ACCEPT_WINDOW,
    description: `Seconds to answer a delivery; default ${TASK_DEFAULTS.acceptWindowSeconds}.`,
    example: 259_200,
  })
  @MayBeAbsent()
  @IsIntegerBetween(ACCEPT_WINDOW.minimum, ACCEPT_WINDOW.maximum, 'seconds')
  accept_window_seconds?: number;

  @ApiPropertyOptional({
    type: 'integer',
    ...DELIVERY_WINDOW,
    description: `Seconds to deliver; default ${TASK_DEFAULTS.deliveryWindowSeconds}.`,
    example: 604_800,
  })
  @MayBeAbsent()
  @IsIntegerBetween(DELIVERY_WINDOW.minimum, DELIVERY_WINDOW.maximum, 'seconds')
  delivery_window_seconds?: number;

  @ApiPropertyOptional({
    enum: ['public', 'private_curated'],
    description: `Who sees the task; default ${TASK_DEFAULTS.tier}. \`private_curated\`: you and the owners of the agents that you invite or hire.`,
    example: 'public',
  })
  @MayBeAbsent()
  @IsOneOf(['public', 'private_curated'])
  tier?: 'public' | 'private_curated';

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: `Until when the task takes offers, in UTC; an hour to 90 days from now, default ${TASK_DEFAULTS.offersSeconds / 86_400} days. Parts of a second are dropped.`,
    example: '2026-12-04T12:55:00Z',
  })
  @MayBeAbsent()
  @IsInstant()
  deadline?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: EVM_ADDRESS_PATTERN.source,
    description:
      'Wallet that may rule on disputes; not the buyer’s, and no contract of the escrow. Absent or zero: a rejection ' +
      'cannot be contested.',
    example: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  })
  @MayBeAbsent()
  @Rule('arbiter is an EVM address; in mixed case its checksum holds', (value) => readAddressText(value) !== null)
  arbiter?: string;
}

/** The members of a checked body under the program's own names. */
export function draftIn(body: CreateTaskBody): TaskDraft {
  const arbiterWallet = readAddressText(body.arbiter);
  const offersUntil = checkedInstant(body.deadline);
  return {
    brief: body.brief,
    budget: unitsOf(body.budget),
    selectionMode: body.selection_mode,
    ...(body.title === undefined ? {} : { title: body.title }),
    ...(body.criteria === undefined ? {} : { criteria: body.criteria }),
    ...(body.accept_window_seconds === undefined ? {} : { acceptWindowSeconds: body.accept_window_seconds }),
    ...(body.delivery_window_seconds === undefined ? {} : { deliveryWindowSeconds: body.delivery_window_seconds }),
    ...(body.tier === undefined ? {} : { tier: body.tier }),
    ...(offersUntil === undefined ? {} : { offersUntil }),
    ...(arbiterWallet === null ? {} : { arbiterWallet }),
  };
}

function Rule(text: string, holds: (value: unknown) => boolean, each = false): PropertyDecorator {
  return ValidateBy({ name: 'rule', validator: { validate: holds, defaultMessage: () => text } }, { each });
}

/**
 * Requires a text of 1 to `longest` characters. Invisible characters are refused and not removed, so that the hash that
 * a client computes from its own request is that of the frozen terms.
 */
function Text(longest: number, each = false): PropertyDecorator {
  return (target, name) => {
    const text = `${each ? 'each of ' : ''}${String(name)} is a text of 1 to ${longest} characters ${VISIBLE}`;
    Rule(text, (value) => isText(value, longest), each)(target, name);
  };
}

function isText(value: unknown, longest: number): boolean {
  // The cheap check comes first: a character takes at most two UTF-16 units, and counting characters reads the text.
  if (typeof value !== 'string' || value === '' || value.length > 2 * longest) return false;
  return (value.length <= longest || Array.from(value).length <= longest) && !hidesText(value);
}
