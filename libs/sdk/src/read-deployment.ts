import { type Deployment, type Hex, isAddressText } from '#libs/prepared-action';
import { LONGEST_ANSWER_MS, type SendingOptions } from './http/retrying-fetch.js';
import { timeLimit } from './http/time-limit.js';

/**
 * The chain and the contracts that a market says it has. Compare them with what its operator publishes, keep them in your
 * own configuration, and give them to `Marketplace` from there: a service that was taken over would tell others. Throws
 * TypeError on what is no such document, and a TimeoutError where it is not there in time.
 */
export async function readDeployment(
  baseUrl: string,
  { fetch: own, timeoutMs = LONGEST_ANSWER_MS }: Pick<SendingOptions, 'fetch' | 'timeoutMs'> = {},
): Promise<Deployment> {
  const url = `${baseUrl.replace(/\/+$/, '')}/.well-known/tasktree-configuration`;
  const response = await (own ?? fetch)(url, { redirect: 'error', signal: timeLimit(timeoutMs) });
  const told = (await response.json()) as Record<string, unknown>;
  const domain = told['usdc_domain'] as Record<string, unknown> | undefined;
  const deployment = {
    chainId: Number(told['chain_id']),
    factory: addressOf(told['escrow_factory_address']),
    implementation: addressOf(told['escrow_implementation_address']),
    usdc: addressOf(told['usdc_address']),
    usdcName: textOf(domain?.['name']),
    usdcVersion: textOf(domain?.['version']),
    maxActionSeconds: Number(told['max_action_seconds']),
    signingOrigin: textOf(told['signing_origin']),
  };
  if (!(deployment.chainId > 0 && deployment.maxActionSeconds > 0)) throw new TypeError(`${url} names no deployment`);
  return deployment;
}

function addressOf(value: unknown): Hex {
  if (isAddressText(value)) return value;
  throw new TypeError('The configuration of the market names no address where one belongs');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('The configuration of the market has no text where one belongs');
}
