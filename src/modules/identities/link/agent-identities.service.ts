import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AgentReader } from '../../agents/agent-reader.js';
import { type CardChange, changeCard, tellCardChanged } from '../../agents/changed-card.js';
import { checkChangeable, lockAgents } from '../../agents/locked-agent.js';
import { AgentIdentityEntity } from './agent-identity.entity.js';
import { LOCK_IDENTITY } from './identity-lock.sql.js';
import { type IdentityClaim, identityDigest } from './identity-typed-data.js';
import { IdentityRegistry } from './identity-registry.js';
import { IdentitySigner } from './identity-signer.js';

/** How long a claim may be signed and handed in. */
const CLAIM_SECONDS = 3_600;

/** An identity by the name of its registry, which the operator must have named, and its token. */
export interface NamedIdentity {
  readonly agentRegistry: string;
  readonly tokenId: bigint;
}

/** A claim that its wallet has signed. */
export interface SignedClaim extends NamedIdentity {
  /** In seconds, as in the signed claim. */
  readonly expiresAt: number;
  readonly signature: Hex;
}

/** A link with what the chain says of it. */
export interface CheckedIdentity {
  readonly identity: AgentIdentityEntity;
  /** False: the wallet that signed does not own the token any more, or the operator serves its registry no more. */
  readonly holds: boolean;
  readonly checkedAt: Date;
}

/** Links agents to identities of ERC-8004, by the signature of the wallet that owns the identity. */
@Injectable()
export class AgentIdentitiesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly agents: AgentReader,
    private readonly registry: IdentityRegistry,
    private readonly signer: IdentitySigner,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * The claim that the identity's owner is to sign for the owner's agent, within the hour.
   * @throws ApiError `not_found` (also where no registry is served), `invalid_body`, `state_conflict` for a retired agent.
   */
  async claim(accountId: string, agentId: string, { agentRegistry, tokenId }: NamedIdentity): Promise<IdentityClaim> {
    const registry = this.registry.addressOf(agentRegistry);
    checkChangeable(await this.agents.findOwned({ id: accountId }, agentId));
    return this.claimOf(agentId, registry, tokenId, this.clock.nowSeconds() + CLAIM_SECONDS);
  }

  /**
   * Links the owner's agent to the identity, instead of another one. An agent that had this identity before loses it,
   * because the token's owner, who may be another by now, has signed for this one; its owner is told. The chain is asked, so
   * do not call it within a transaction.
   * @throws ApiError as `claim`; `invalid_body` also for a claim whose time is over or too far ahead, an identity that does
   *   not exist, and a signature that is not its owner's; `wallet_mismatch` when that owner is no wallet of the account.
   * @throws ChainUnavailableError.
   */
  async link(accountId: string, agentId: string, signed: SignedClaim): Promise<AgentIdentityEntity> {
    const registry = this.registry.addressOf(signed.agentRegistry);
    const agent = await this.agents.findOwned({ id: accountId }, agentId);
    checkChangeable(agent);
    const ahead = signed.expiresAt - this.clock.nowSeconds();
    if (ahead <= 0 || ahead > CLAIM_SECONDS) {
      throw new ApiError('invalid_body', 'expires_at is over, or more than an hour ahead.', 'Ask for a new message.');
    }
    const { tokenId } = signed;
    const owner = await this.registry.ownerOf(registry, tokenId);
    if (owner === null) throw new ApiError('invalid_body', 'There is no such identity in the registry.');
    const digest = identityDigest(this.claimOf(agentId, registry, tokenId, signed.expiresAt));
    await this.signer.check(agent, owner, { digest, signature: signed.signature });
    const at = this.clock.now();
    const row = Object.assign(new AgentIdentityEntity(), {
      agentId,
      registry,
      tokenId,
      ownerWallet: owner,
      linkedAt: at,
    });
    await this.transactions.run((manager) =>
      this.replace(manager, row, { accountId, agentId, at, changed: 'identity' }),
    );
    return row;
  }

  /**
   * Stores a link instead of those that its agent and its identity had. The identity is locked before its agents: nobody
   * who holds one of these waits for another link to the same identity.
   */
  private async replace(manager: EntityManager, row: AgentIdentityEntity, change: CardChange): Promise<void> {
    const { agentId, registry, tokenId } = row;
    await manager.query(LOCK_IDENTITY, [`${registry}/${tokenId}`]);
    const held = await manager.findOneBy(AgentIdentityEntity, { registry, tokenId });
    const agents = await lockAgents(manager, [agentId, ...(held ? [held.agentId] : [])]);
    await changeCard(manager, change, async () => {
      // None is deleted when that agent's link ended, or went to another identity, before its row was locked.
      const { affected } = await manager.delete(AgentIdentityEntity, { registry, tokenId });
      const loser = agents.find(({ id }) => id !== agentId && affected !== 0);
      if (loser) await tellCardChanged(manager, { ...change, agentId: loser.id, accountId: loser.accountId });
      await manager.upsert(AgentIdentityEntity, row, ['agentId']);
    });
  }

  /** Ends the link. @returns it as it was. @throws ApiError `not_found`, `state_conflict` for a retired agent. */
  unlink(accountId: string, agentId: string): Promise<AgentIdentityEntity> {
    this.registry.assertServed();
    return this.transactions.run((manager) =>
      changeCard(manager, { accountId, agentId, at: this.clock.now(), changed: 'identity' }, async () => {
        const found = await manager.findOneBy(AgentIdentityEntity, { agentId });
        if (!found) throw noIdentity();
        await manager.delete(AgentIdentityEntity, { agentId });
        return found;
      }),
    );
  }

  /**
   * The identity of an agent, and whether its wallet owns it now; null when the agent has none.
   * @throws ApiError `not_found` where no registry is served; ChainUnavailableError.
   */
  async of(agentId: string): Promise<CheckedIdentity | null> {
    this.registry.assertServed();
    const identity = await this.transactions.manager.findOneBy(AgentIdentityEntity, { agentId });
    if (!identity) return null;
    const { registry, tokenId, ownerWallet } = identity;
    const holds = this.registry.serves(registry) && (await this.registry.ownerOf(registry, tokenId)) === ownerWallet;
    return { identity, holds, checkedAt: this.clock.now() };
  }

  private claimOf(agent: string, registry: string, tokenId: bigint, expiresAt: number): IdentityClaim {
    const { baseUrl: market, chainId } = this.environment;
    return { market, agent, chainId, registry, tokenId, expiresAt };
  }
}

/** The refusal of an agent without an identity. */
export function noIdentity(): ApiError {
  return new ApiError('not_found', 'The agent has no on-chain identity.');
}
