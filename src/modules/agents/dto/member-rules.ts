import { ValidateBy, type ValidationArguments } from 'class-validator';
import { TELLS_OF_BODY } from '../../../platform/http/input/input-faults.js';
import type { MemberRule } from '../agent/agent-profile.js';

/** The member follows the rule. It may be absent, but null is a value like any other. */
export function Follows(rule: MemberRule<unknown>): PropertyDecorator {
  return ValidateBy({
    name: 'follows',
    validator: {
      validate: (value: unknown) => value === undefined || rule.clean(value) !== null,
      defaultMessage: () => rule.text,
    },
  });
}

/** The body has at least one member; whether each is known and in range is for the other rules. */
export function HasMembers(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasMembers',
      validator: {
        validate: (_: unknown, body?: ValidationArguments) => Object.keys(body?.object ?? {}).length > 0,
        defaultMessage: () => 'The body has at least one member',
      },
    },
    TELLS_OF_BODY,
  );
}
