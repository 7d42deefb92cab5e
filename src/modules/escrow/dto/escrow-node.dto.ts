import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { WireNodeState } from '#libs/contracts';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { utcTime } from '../../../platform/time/unix-time.js';
import { type ActionFacts, allowedActions, isLive, nodeOutlook } from '../node/node-outlook.js';
import type { ListedNode } from '../node/listed-node.sql.js';

/** An escrow node on the wire (docs/decisions/interface.md#fields-and-ranges). */
export class EscrowNodeDto {
  @ApiProperty({ type: String, example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1-2' })
  id!: string;

  @ApiProperty({ type: String, example: 'task_01k9q2m4t8v6w0y2z4a6c8e0g2' })
  task_id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Node whose worker hires; null for a root node, where the buyer hires.',
    example: 'node_01k9q2m4t8v6w0y2z4a6c8e0g2_1',
  })
  parent_node_id!: string | null;

  @ApiProperty({
    type: String,
    description: "Agent that hires; for a root node the buyer's account id.",
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g2',
  })
  hirer_agent_id!: string;

  @ApiProperty({
    type: String,
    description: 'Agent that works; wallet_<address> when the wallet belongs to no agent.',
    example: 'agent_01k9q2m4t8v6w0y2z4a6c8e0g3',
  })
  worker_agent_id!: string;

  @ApiProperty({ type: MoneyDto, description: 'What the node was funded with.' })
  amount!: MoneyDto;

  @ApiProperty({
    type: String,
    description: 'Values: funded, delivered, rejected, disputed, released, refunded. Open enumeration.',
    example: 'delivered',
  })
  state!: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-27T12:55:00.000Z' })
  delivery_deadline!: string;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'seconds', example: 259_200 })
  accept_window_seconds!: number;

  @ApiPropertyOptional({
    type: String,
    pattern: '^0x[a-fA-F0-9]{64}$',
    description: 'Hash of the delivered artifact; absent before the first delivery.',
  })
  artifact_hash?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'Why the node ended: accepted, accept_window_lapsed, ruled, agreed, ruling_lapsed, non_delivery, rejection_final, abandoned. Open enumeration.',
  })
  outcome?: string;

  @ApiPropertyOptional({
    type: String,
    description: 'The state that time has decided, whether or not the chain has it written down. Values as of state.',
    example: 'delivered',
  })
  effective_state?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'Values: contingent (paid only when the nodes above are released too), hirer_funded (of its own money). Open enumeration.',
    example: 'contingent',
  })
  backing?: string;

  @ApiPropertyOptional({
    type: MoneyDto,
    description:
      'What of its money is not promised to nodes below, with what time has sent back from them; absent when the node has ' +
      'ended. It is not what may still be promised: that is `floor` less what is promised already, which is `amount` less `unallocated`.',
  })
  unallocated?: MoneyDto;

  @ApiPropertyOptional({
    type: MoneyDto,
    description:
      "What the worker's side has if the arbiter stays silent, helpers' parts included, and the most that may be promised " +
      'to nodes below.',
    example: { amount: '125.00', currency: 'USDC' },
  })
  floor?: MoneyDto;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 10,
    description: 'How often the worker may deliver again after a rejection.',
    example: 3,
  })
  max_revisions?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: 'How often it has done so.', example: 0 })
  revisions?: number;

  @ApiPropertyOptional({
    type: Boolean,
    description:
      'True when the newest delivery asks that the money go to the wallet of the worker in the transaction that settles ' +
      'the node, which happens if every node above whose money it is made of is settled by then. Absent before a delivery.',
    example: true,
  })
  pay_out?: boolean;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Until when the hirer may reject what was delivered; absent in other states.',
    example: '2026-11-28T09:30:00.000Z',
  })
  accept_deadline?: string;

  @ApiPropertyOptional({
    type: [String],
    description:
      'Kinds of action that the caller may prepare now; claim_non_delivery needs an account with a wallet, and ' +
      'subcontract an offer to take up. Open enumeration.',
    example: ['resolve_task', 'reject_task'],
  })
  allowed_actions?: string[];

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When silence decides next; absent when no time decides any more.',
    example: '2026-11-28T09:30:00.000Z',
  })
  due_at?: string;

  @ApiPropertyOptional({
    type: String,
    description: 'What happens, when, with which amount, if nobody acts.',
    example: 'Without a rejection by 2026-11-28T09:30:00Z, 250.00 USDC is released to the worker.',
  })
  next?: string;

  /** The node as `accountId` sees it at `nowSeconds`. */
  static from(node: ListedNode, accountId: string, nowSeconds: number): EscrowNodeDto {
    const facts = factsOf(node);
    const { effectiveState, dueAt, next } = nodeOutlook(facts, nowSeconds);
    const caller = {
      isWorker: node.get('worker_account_id') === accountId,
      isHirer: node.get('hirer_account_id') === accountId,
    };
    const artifactHash = node.get('artifact_hash') || undefined;
    const clock = facts.state === 'delivered' || dueAt !== null ? utcTime(facts.clock) : undefined;
    return {
      id: node.get('id'),
      task_id: node.get('task_id'),
      parent_node_id: node.get('parent_node_id') || null,
      hirer_agent_id: node.get('hirer_agent_id'),
      worker_agent_id: node.get('worker_agent_id'),
      amount: MoneyDto.from(BigInt(node.get('amount'))),
      state: facts.state,
      delivery_deadline: utcTime(facts.deliverBy),
      accept_window_seconds: Number(node.get('accept_window_seconds')),
      artifact_hash: artifactHash,
      outcome: node.get('outcome') || undefined,
      effective_state: effectiveState,
      backing: facts.hirerFunded ? 'hirer_funded' : 'contingent',
      unallocated: isLive(effectiveState) ? MoneyDto.from(facts.pool - facts.allocated + facts.returned) : undefined,
      floor: MoneyDto.from(facts.floor),
      max_revisions: facts.maxRevisions,
      revisions: facts.revisions,
      pay_out: artifactHash === undefined ? undefined : facts.payOut,
      accept_deadline: facts.state === 'delivered' ? clock : undefined,
      allowed_actions: allowedActions(facts, caller, nowSeconds),
      due_at: dueAt === null ? undefined : clock,
      next,
    };
  }
}

function factsOf(node: ListedNode): ActionFacts {
  return {
    state: node.get('state') as WireNodeState,
    clock: Number(node.get('clock')),
    deliverBy: Number(node.get('delivery_deadline')),
    hasArbiter: node.get('has_arbiter') === 't',
    pool: BigInt(node.get('pool')),
    allocated: BigInt(node.get('allocated')),
    floor: BigInt(node.get('floor')),
    withdrawn: BigInt(node.get('withdrawn')),
    payOut: node.get('pay_out') === 't',
    revisions: Number(node.get('revisions')),
    maxRevisions: Number(node.get('max_revisions')),
    returned: BigInt(node.get('returned')),
    isRoot: node.get('parent_node_id') === '',
    hirerFunded: node.get('hirer_funded') === 't',
    backers: node.get('backers') as ActionFacts['backers'],
    level: Number(node.get('level')),
  };
}
