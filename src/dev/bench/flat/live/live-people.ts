import { Wallet } from 'ethers';
import { AccountEntity } from '../../../../modules/accounts/account.entity.js';
import { LOCAL_CHAIN_ID } from '../../../local-chain/anvil.js';
import { LocalChain } from '../../../local-chain/local-chain.js';
import type { LocalFile } from '../../../market-folder/local-file.js';
import { ActionSigner } from '../../../sample-market/seeds/action-signer.js';
import type { Participant } from '../../../sample-market/seeds/participant.js';
import { settle } from '../../../sample-market/seed-participants.js';
import { ScenarioContext } from '../../../sample-market/scenarios/scenario-context.js';
import type { SeedServices } from '../../../sample-market/seeds/seed-services.js';
import { putRegistry } from './wallet-identities.js';
import { makeLiveStates, makeOverdue } from './live-states.js';

/** Makes participants that can act on the chain, because the bench holds their wallet keys. */
export class LivePeople {
  private readonly chain: LocalChain;

  constructor(
    private readonly services: SeedServices,
    private readonly file: LocalFile,
  ) {
    this.chain = new LocalChain(file.rpc_url);
  }

  /** A new account with a wallet, money and one agent. */
  settle(name: string): Promise<Participant> {
    const member = { name, agents: [agentNamed(name)] };
    return settle(this.services, this.chain, this.file.usdc_address, member);
  }

  /** An account of the sample market, given one more agent. */
  async known(accountId: string): Promise<Participant> {
    const local = this.file.accounts.find(({ account_id: id }) => id === accountId);
    if (!local) throw new Error(`Nobody of the sample market is ${accountId}`);
    const account = await this.services.transactions.manager.findOneByOrFail(AccountEntity, { id: accountId });
    const agent = await this.services.agents.publish(account, {
      ...agentNamed(local.name),
      agentCardUrl: 'https://agents.example/card',
    });
    return { account, wallet: new Wallet(local.wallet_private_key), agents: [agent] };
  }

  /** Gives each participant one of everything that an operation can act on. */
  async live(people: readonly Participant[]): Promise<void> {
    const [buyer, worker, arbiter] = [
      await this.settle('Hirer'),
      await this.settle('Hand'),
      await this.settle('Judge'),
    ];
    const { usdc_address: usdc, escrow_factory_address: factory } = this.file;
    const signer = new ActionSigner(this.services, { chainId: LOCAL_CHAIN_ID, usdc });
    const stage = { chain: this.chain, signer, usdc, factory };
    await putRegistry(this.chain);
    const everybody = [...people, buyer, worker];
    const contextNow = (): ScenarioContext => {
      const now = Math.floor(this.services.nowMs / 1000);
      return new ScenarioContext(this.services, stage, everybody, arbiter, now);
    };
    const skipped = await makeOverdue(contextNow(), people, worker);
    await this.chain.travel(skipped);
    this.services.setTime(() => Date.now() + skipped * 1000);
    await makeLiveStates(contextNow(), people, { buyer, worker });
  }

  close(): void {
    this.chain.close();
  }
}

function agentNamed(name: string) {
  return { name: `Hand of ${name}`, description: 'Works on handbooks.', capabilities: ['handbook'] };
}
