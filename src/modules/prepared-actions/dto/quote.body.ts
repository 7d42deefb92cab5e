import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MIN_WORK_SECONDS } from '#libs/contracts';
import { BYTES32_PATTERN, IDENTIFIER_PATTERN, parseUsdc } from '#libs/kernel';
import { IsBoolean, ValidateBy, type ValidationArguments } from 'class-validator';
import { MoneyBody, MoneyMember, unitsOf } from '../../../platform/http/input/money.body.js';
import { checkedInstant, IsInstant } from '../../../platform/http/input/instant.js';
import { IsBytes32, IsIdentifier, IsIntegerBetween, MayBeAbsent } from '../../../platform/http/input/value-rules.js';
import { DEFAULT_REVISIONS, MAX_REVISIONS, type OfferTerms } from '../../quotes/quote/quote-offer.js';
import { MAX_WORK_SECONDS } from '../../quotes/quote/quote-validity.js';
import { FloorBody, FloorMember } from './floor.body.js';

/** 48 hours and 90 days. rule: docs/decisions/interface.md#fields-and-ranges */
const MIN_ACCEPT_WINDOW = 172_800;
const MAX_ACCEPT_WINDOW = 7_776_000;

/** An offer as a request makes it. */
export interface SubmitQuoteInput extends Omit<OfferTerms, 'parentNodePath' | 'validUntil'> {
  /** Null for a root node. */
  readonly parentNodeId: string | null;
  /** The time to work as the moment until when it would last if it began now; only without `workSeconds`. */
  readonly deadline?: Date;
  /** Whole seconds. Absent: 72 hours from now. */
  readonly validUntil?: Date;
}

export class QuoteBody {
  @ApiProperty({ type: String, pattern: IDENTIFIER_PATTERN.source, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  @IsIdentifier()
  task_id!: string;

  @MoneyMember(
    "At least 1 USDC; for a root node at most the task's budget. Under another node at most what is left of its floor, " +
      'unless it is `hirer_funded`.',
  )
  price!: MoneyBody;

  @ApiProperty({
    type: String,
    pattern: BYTES32_PATTERN.source,
    description: "The task's `terms_hash`: what you sign is for these terms and no others.",
    example: '0x5f16f4c7f149ac4f9510d9cf8cf384038ad348b3bcdc01915f95de12df9d1b02',
  })
  @IsBytes32()
  terms_hash!: string;

  @FloorMember()
  floor?: FloorBody;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: MIN_WORK_SECONDS,
    maximum: MAX_WORK_SECONDS,
    description:
      'Seconds that you need to deliver, from the payment on; at least 86400 for a root node. Under another node they must ' +
      'end by its `delivery_deadline` even if they begin only ten minutes from now (409 `nesting_violation`), and the ' +
      'offer is paid for at the latest `work_seconds` before that deadline. Absent: until `deadline`, else the ' +
      "task's `delivery_window_seconds`, or under another node the time that is left of that node's, less ten minutes, " +
      'where that is less.',
    example: 604_800,
  })
  @MayBeAbsent()
  @IsIntegerBetween(MIN_WORK_SECONDS, MAX_WORK_SECONDS, 'seconds')
  work_seconds?: number;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'Instead of `work_seconds`: as many seconds as there are from now until then. What is ' +
      'signed are these seconds, and they count from the payment on. Under another node at least ten minutes before its ' +
      '`delivery_deadline`. Taken in whole seconds.',
    example: '2026-11-27T12:55:00Z',
  })
  @WithoutWorkSeconds()
  @IsInstant()
  deadline?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_REVISIONS,
    description: `How often you may deliver again after a rejection. Absent: ${DEFAULT_REVISIONS}.`,
    example: 3,
  })
  @MayBeAbsent()
  @IsIntegerBetween(0, MAX_REVISIONS)
  max_revisions?: number;

  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description:
      "Who offers. Absent: the account's only active agent; of several the one that works with the account's wallet, else " +
      'the best matched one. An error where two are equally good.',
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  @MayBeAbsent()
  @IsIdentifier()
  agent_id?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'The node to work under, for its worker. Absent: a root node, for the buyer.',
    example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
  })
  @MayBeAbsent()
  @IsIdentifier()
  parent_node_id?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description:
      'Until when the offer stands: 10 minutes to 30 days from now. Absent: 72 hours from now. Taken in whole seconds.',
    example: '2026-11-23T12:55:00Z',
  })
  @IsInstant()
  valid_until?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: MIN_ACCEPT_WINDOW,
    maximum: MAX_ACCEPT_WINDOW,
    description: "Seconds that the hirer has to answer a delivery. Absent: the task's; a root node has no other.",
    example: 259_200,
  })
  @MayBeAbsent()
  @IsIntegerBetween(MIN_ACCEPT_WINDOW, MAX_ACCEPT_WINDOW, 'seconds')
  accept_window_seconds?: number;

  @ApiPropertyOptional({
    type: Boolean,
    description:
      "For a node under another: true when the hirer pays it from its own wallet, so that it does not depend on the nodes above. Absent: it lives on its parent's money. A root node is always paid by the buyer.",
    example: false,
  })
  @MayBeAbsent()
  @IsBoolean({ message: 'hirer_funded is true or false' })
  hirer_funded?: boolean;
}

/** The members of a checked body under the program's own names. */
export function quoteIn(body: QuoteBody): SubmitQuoteInput {
  const deadline = checkedInstant(body.deadline);
  const validUntil = checkedInstant(body.valid_until);
  const { agent_id: agentId, accept_window_seconds: acceptWindowSeconds, hirer_funded: hirerFunded } = body;
  const { floor, work_seconds: workSeconds, max_revisions: maxRevisions } = body;
  return {
    taskId: body.task_id,
    price: unitsOf(body.price),
    termsHash: body.terms_hash,
    parentNodeId: body.parent_node_id ?? null,
    ...(floor === undefined ? {} : { floor: parseUsdc(floor.amount) }),
    ...(workSeconds === undefined ? {} : { workSeconds }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(maxRevisions === undefined ? {} : { maxRevisions }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(validUntil === undefined ? {} : { validUntil }),
    ...(acceptWindowSeconds === undefined ? {} : { acceptWindowSeconds }),
    ...(hirerFunded === undefined ? {} : { hirerFunded }),
  };
}

function WithoutWorkSeconds(): PropertyDecorator {
  return ValidateBy({
    name: 'withoutWorkSeconds',
    validator: {
      validate: (value: unknown, checked?: ValidationArguments) =>
        value === undefined || !(checked?.object instanceof QuoteBody) || checked.object.work_seconds === undefined,
      defaultMessage: () => 'deadline and work_seconds say the same: name one of them',
    },
  });
}
