import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import type { Principal } from '../../platform/http/principal.js';
import { DEFAULT_PAGE_SIZE } from '../../platform/operations/page.query.js';
import { principalLimits } from '../../platform/rate-limit/principal-limits.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AccountWallets } from '../accounts/wallets/account-wallets.js';
import { AgentListService } from '../agents/search/agent-list.service.js';
import { SpendLedger } from '../prepared-actions/spending/spend-ledger.js';
import { type MeDto, MyAccountDto, MyCredentialDto, MyLimitDto, MyWalletDto } from './dto/me.dto.js';

/** Tells a caller who it is. */
@Injectable()
export class MeService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly wallets: AccountWallets,
    private readonly agents: AgentListService,
    private readonly ledger: SpendLedger,
    private readonly environment: Environment,
  ) {}

  /** The account, what belongs to it, and the credential of this request with its limits; of agents a first page. */
  async get(principal: Principal): Promise<MeDto> {
    const { accountId, spendPolicyId } = principal;
    const [account, wallets, agents, spending] = await Promise.all([
      this.accounts.find(accountId),
      this.wallets.list(accountId),
      this.agents.own(accountId, { limit: DEFAULT_PAGE_SIZE }),
      spendPolicyId === undefined ? null : this.ledger.standingOf(spendPolicyId),
    ]);
    return {
      account: MyAccountDto.from(account),
      wallets: wallets.map((wallet) => MyWalletDto.from(wallet)),
      credential: MyCredentialDto.from(principal, spending),
      limits: principalLimits(this.environment).map((limit) => MyLimitDto.from(limit)),
      agents: agents.data,
      ...(agents.next_page === null ? {} : { agents_url: `${this.environment.baseUrl}/v1/agents?mine=true` }),
    };
  }
}
