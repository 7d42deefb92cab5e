import { formatUsdc, type Hex, requestDigest } from '#libs/kernel';

/** The terms that are frozen when the task is created; every quote and signature refers to them. */
export interface TaskTerms {
  brief: string;
  criteria: readonly string[];
  /** Base units. */
  budget: bigint;
  acceptWindowSeconds: number;
  deliveryWindowSeconds: number;
  /** EIP-55; the zero address for none. */
  arbiterWallet: string;
}

/** SHA-256 over the JCS bytes of the frozen terms; a client can recompute it from the values that it sent. */
export function termsHash(terms: TaskTerms): Hex {
  return requestDigest({
    accept_window_seconds: terms.acceptWindowSeconds,
    arbiter: terms.arbiterWallet,
    brief: terms.brief,
    budget: { amount: formatUsdc(terms.budget), currency: 'USDC' },
    criteria: [...terms.criteria],
    delivery_window_seconds: terms.deliveryWindowSeconds,
  });
}
