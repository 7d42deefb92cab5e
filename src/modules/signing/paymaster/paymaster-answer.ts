import type { PaymasterRequest } from './paymaster-request.js';

/** What each version of ERC-4337 takes of a paymaster. */
const MEMBERS = {
  '0.6': { needed: ['paymasterAndData'], known: [] },
  '0.7': {
    needed: ['paymaster', 'paymasterData'],
    known: ['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'],
  },
} as const;
/** Hexadecimal text of a member, at most: much more than a signed permission to pay takes. */
const PATTERN = /^0x[0-9a-fA-F]{0,8192}$/;

/**
 * The members of an answer that ERC-7677 names, all of them hexadecimal but for two: whether a first answer is final
 * already, and who pays. The latter is always us, so that no text of anybody else gets to a wallet. Null: it is no such
 * answer, or one that is final too early.
 */
export function paymasterAnswer(
  result: unknown,
  { method, version, isEstimated }: Pick<PaymasterRequest, 'method' | 'version' | 'isEstimated'>,
  sponsor: string,
): object | null {
  if (typeof result !== 'object' || result === null) return null;
  const { needed, known } = version === '0.6' ? MEMBERS['0.6'] : MEMBERS['0.7'];
  const given = new Map<string, unknown>(Object.entries(result));
  const members: Record<string, unknown> = {};
  for (const name of [...needed, ...known]) {
    const value = given.get(name) ?? null;
    if (value === null && !needed.some((one) => one === name)) continue;
    if (typeof value !== 'string' || !PATTERN.test(value)) return null;
    members[name] = value;
  }
  if (method === 'pm_getPaymasterData') return members;
  // It would be a signature for gas and a price that nobody has named.
  if (given.get('isFinal') === true && !isEstimated) return null;
  return { ...members, sponsor: { name: sponsor }, ...(given.get('isFinal') === true ? { isFinal: true } : {}) };
}
