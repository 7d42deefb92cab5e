import { Clusters } from '../../trust/clusters.js';
import { FUNDED_BUYERS, WALLETS } from './principal-links.sql.js';
import type { RunConnection } from './run-connection.js';

/** Groups accounts to principals by shared wallets and returned money. rule: docs/decisions/ranking.md#score */
export async function linkPrincipals(connection: RunConnection): Promise<Clusters> {
  const clusters = new Clusters();
  for await (const rows of connection.stream<{ account: string; wallet: string }>(WALLETS)) {
    for (const { account, wallet } of rows) clusters.joinByWallet(account, wallet);
  }
  for await (const rows of connection.stream<{ sender: string; receiver: string }>(FUNDED_BUYERS)) {
    for (const { sender, receiver } of rows) clusters.join(sender, receiver);
  }
  return clusters;
}
