import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { KINDS } from '#libs/prepared-action';

const IDENTIFIER = '^[A-Za-z0-9_-]{1,128}$';
const ADDRESS = '^0x[a-fA-F0-9]{40}$';
const ALL_KINDS = Object.keys(KINDS).join(', ');

/** A wallet-reviewable envelope (docs/decisions/interface.md#prepared-actions). */
export class PreparedActionDto {
  @ApiProperty({ type: String, pattern: IDENTIFIER, example: 'act_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  action_id!: string;

  @ApiProperty({
    type: String,
    description: `Values: ${ALL_KINDS}. Open enumeration; refuse a kind you did not ask for.`,
    example: 'abandon_node',
  })
  kind!: string;

  @ApiProperty({
    type: String,
    pattern: IDENTIFIER,
    description: 'The authenticated principal the action was prepared for.',
    example: 'acct_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  principal!: string;

  @ApiPropertyOptional({
    type: String,
    pattern: ADDRESS,
    description: 'The wallet expected to sign.',
    example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  })
  wallet_address?: string;

  @ApiPropertyOptional({ type: String, pattern: IDENTIFIER, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  task_id?: string;

  @ApiPropertyOptional({ type: String, pattern: IDENTIFIER, example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1-2' })
  node_id?: string;

  @ApiProperty({ type: 'integer', description: 'EIP-155 chain id.', example: 8453 })
  chain_id!: number;

  @ApiProperty({
    type: String,
    pattern: ADDRESS,
    description: 'The per-tree escrow contract the signed action authorizes.',
    example: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  })
  escrow_address!: string;

  @ApiProperty({
    type: String,
    description:
      'Single-use; decimal integer. For an action about a node: its path times 256, plus its version. What leads to a new ' +
      'node (`submit_quote`, `select_agent`, `fund_task`, `subcontract`) has the nonce of that node at version 0, which for ' +
      '`subcontract` is not that of `node_id`. 0 for `create_task`, 2^255 and more for withdrawals.',
    // Of the node of `node_id`, which has just been paid.
    example: '4294967809',
  })
  nonce!: string;

  @ApiProperty({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'SHA-256 of the RFC 8785 bytes of the request body; of zero bytes when there was none.',
    example: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })
  request_digest!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'EIP-712 typed data that eth_signTypedData_v4 accepts as it stands, and in `transaction` the call with which ' +
      'the wallet can execute the action itself without a signature. With a payment that the token takes by signature, ' +
      '`authorizes` is the action itself: its digest is the `nonce` of an EIP-3009 payment, and the call that follows a ' +
      'permit carries its terms. Recompute and compare before signing.',
  })
  payload!: Record<string, unknown>;

  @ApiProperty({
    type: String,
    format: 'uri',
    description: 'Short-lived page of this one action.',
    example: 'https://api.example.com/sign/9J2x0s4mJ5n7q3Y1c8b6e0R4t2v9w7z5A3d1F8g6H4k',
  })
  signing_url!: string;

  @ApiProperty({
    // Answers that were stored before it was added have none.
    required: false,
    type: String,
    description:
      'Two words and a number made of what is signed. The approval page shows the same ones: show them beside the link.',
    example: 'OLIVE TIGER 42',
  })
  match_code!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-20T13:10:00.000Z' })
  expires_at!: string;

  @ApiPropertyOptional({
    type: MoneyDto,
    description:
      'Withdrawals: what time has sent back beyond the 20 nodes that one call finalizes. Prepare the withdrawal again once ' +
      'the chain has this one.',
    example: { amount: '115.00', currency: 'USDC' },
  })
  remaining?: MoneyDto;
}
