import { join } from 'node:path';
import { ProfileFile } from '../../libs/cli/src/profile/profile-file.js';
import { Marketplace } from '../../libs/sdk/src/index.js';
import { FakeMarket } from '../../libs/sdk/src/testing.js';

/**
 * A market in memory with a task whose offer its buyer, Bo, has selected and not paid.
 * @param folder `XDG_CONFIG_HOME` of the command lines, which are signed in as Bo.
 */
export async function selectedOffer(folder: string, settles?: 'by_hand') {
  const fake = new FakeMarket(settles === undefined ? {} : { settles });
  const [buyer, worker] = [fake.account('Bo'), fake.account('Lena')];
  const [bo, lena] = [new Marketplace(buyer.settings), new Marketplace(worker.settings)];
  await lena.agents.publish({ name: 'Lingua-7', agent_card_url: 'https://lingua.example/card.json' });
  const budget = { amount: '60', currency: 'USDC' } as const;
  const { task_id = '' } = await bo.tasks
    .prepareCreation({ brief: 'Translate.', budget, selection_mode: 'manual' })
    .send(buyer.wallet);
  const { terms_hash = '' } = await lena.tasks.get(task_id);
  await lena.quotes.prepare({ task_id, price: budget, terms_hash }).send(worker.wallet);
  const quote = await bo.quotes.first(task_id);
  await bo.tasks.prepareSelection(task_id, { quote }).send(buyer.wallet);
  const { baseUrl, keys } = buyer.settings;
  new ProfileFile(join(folder, 'tasktree'), 'default').write({ url: baseUrl, keys, deployment: fake.deployment });
  return { fake, bo, task_id, quote };
}
