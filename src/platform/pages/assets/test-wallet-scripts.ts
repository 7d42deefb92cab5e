import type { Environment } from '../../config/environment.js';
import type { AssetName } from './assets.js';

/** The script by which a page that talks to wallets offers the test wallet; none anywhere but in the local market. */
export function testWalletScripts({ testWalletUrl }: Pick<Environment, 'testWalletUrl'>): readonly AssetName[] {
  return testWalletUrl === null ? [] : ['test-wallet.js'];
}
