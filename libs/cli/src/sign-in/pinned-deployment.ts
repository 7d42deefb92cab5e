import { type Deployment, type Fetch, readDeployment } from '#libs/sdk';
import { CliError, EXIT } from '../output/cli-error.js';
import { textRecord } from '../output/text-table.js';

const NAMES: readonly (readonly [keyof Deployment, string])[] = [
  ['chainId', 'chain id'],
  ['factory', 'escrow factory'],
  ['implementation', 'escrow contract'],
  ['usdc', 'USDC'],
  ['usdcName', 'USDC domain name'],
  ['usdcVersion', 'USDC domain version'],
  ['maxActionSeconds', 'longest life of an action (seconds)'],
  ['signingOrigin', 'signing pages'],
];

/** What the market at this address says that it is. Throws CliError where nobody says it. */
export async function deploymentOf(url: string, fetch: Fetch): Promise<Deployment> {
  try {
    return await readDeployment(url, { fetch });
  } catch (error) {
    throw new CliError({
      exit: EXIT.failed,
      what: `There is no market at ${url}, or it cannot be reached.`,
      why: error instanceof Error ? error.message : undefined,
      advice: 'Check the address and the connection',
      code: 'unreachable',
    });
  }
}

/** A deployment as a person compares it. */
export function shownDeployment(deployment: Deployment): string[] {
  return textRecord(NAMES.map(([member, name]) => [name, deployment[member]]));
}

/** In what another deployment differs from the pinned one; empty: in nothing. */
export function differences(pinned: Deployment, other: Deployment): string[] {
  const text = (value: string | number): string => String(value).toLowerCase();
  return NAMES.filter(([member]) => text(pinned[member]) !== text(other[member])).map(
    ([member, name]) => `${name} is ${other[member]}, pinned is ${pinned[member]}`,
  );
}
