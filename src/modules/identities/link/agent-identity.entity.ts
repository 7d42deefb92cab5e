import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../../platform/database/columns/base-units.column.js';

/** The link of an agent to its identity in a registry of ERC-8004 on the configured chain. */
@Entity('agent_identities')
@ForeignKey('agents', ['agentId'], ['id'], { name: 'agent_identities_agent_id_fkey' })
@Index('agent_identities_registry_token_id_key', ['registry', 'tokenId'], { unique: true })
export class AgentIdentityEntity {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId!: string;

  /** EIP-55. */
  @Column({ type: 'text' })
  registry!: string;

  /** `agentId` of ERC-8004: the token in the registry. */
  @Column({ name: 'token_id', ...baseUnits })
  tokenId!: bigint;

  /** EIP-55; the wallet that owned the token and signed. The link holds while it owns the token. */
  @Column({ name: 'owner_wallet', type: 'text' })
  ownerWallet!: string;

  @Column({ name: 'linked_at', type: 'timestamptz', precision: 3 })
  linkedAt!: Date;
}
