import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { ZeroAddress } from 'ethers';
import { checksumAddress, readAddressText } from '#libs/contracts';
import { EVM_ADDRESS_PATTERN, type Hex, IDENTIFIER_PATTERN } from '#libs/kernel';
import { Holds, IsIdentifier, MayBeAbsent } from '../../../platform/http/input/value-rules.js';

const ADDRESS_RULE = 'is an EVM address other than zero; in mixed case its checksum holds';

/** Where returned money goes, and from which wallet's balance. */
export class RefundWithdrawalBody {
  @Destination()
  destination!: string;

  @ApiPropertyOptional({
    type: String,
    pattern: EVM_ADDRESS_PATTERN.source,
    description:
      'The wallet whose money came back; it signs, and is one by which the account has paid into the task. Absent: that with ' +
      'most to withdraw.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  @MayBeAbsent()
  @Holds(ADDRESS_RULE, isUsedAddress)
  wallet?: string;
}

/** Where earned money goes, and out of which node. */
export class EarningsWithdrawalBody {
  @Destination()
  destination!: string;

  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'Whose earnings. Absent: the task with most to withdraw.',
    example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  @MayBeAbsent()
  @IsIdentifier()
  task_id?: string;

  @ApiPropertyOptional({
    type: String,
    pattern: IDENTIFIER_PATTERN.source,
    description: 'A node of that task. Absent: its node with most to withdraw.',
    example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
  })
  @MayBeAbsent()
  @ValidateBy({
    name: 'needsTask',
    validator: { validate: isBesideTask, defaultMessage: () => 'node_id is given together with task_id' },
  })
  @IsIdentifier()
  node_id?: string;
}

/** The addresses of a checked body in EIP-55, as the typed data writes them. */
export function refundIn({ destination, wallet }: RefundWithdrawalBody): { destination: Hex; wallet?: Hex } {
  return {
    destination: checksumAddress(destination),
    ...(wallet === undefined ? {} : { wallet: checksumAddress(wallet) }),
  };
}

/** The members of a checked body under the program's own names. */
export function earningsIn(body: EarningsWithdrawalBody): { destination: Hex; taskId?: string; nodeId?: string } {
  const { destination, task_id: taskId, node_id: nodeId } = body;
  return {
    destination: checksumAddress(destination),
    ...(taskId === undefined ? {} : { taskId }),
    ...(nodeId === undefined ? {} : { nodeId }),
  };
}

function Destination(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: String,
      pattern: EVM_ADDRESS_PATTERN.source,
      description:
        'Who gets the money; the wallet that signs, or any other that is no contract of this market. A deployment may allow no other than the wallet that signs.',
      example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    }),
    Holds(ADDRESS_RULE, isUsedAddress),
  );
}

function isUsedAddress(value: unknown): boolean {
  const address = readAddressText(value);
  return address !== null && address !== ZeroAddress;
}

function isBesideTask(_value: unknown, args?: ValidationArguments): boolean {
  return args?.object instanceof EarningsWithdrawalBody && args.object.task_id !== undefined;
}
