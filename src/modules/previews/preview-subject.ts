/** What a preview shows: the brief to who may take the task on, the delivered work's facts to who pays for it. */
export type PreviewSubject = { readonly kind: 'brief' } | { readonly kind: 'delivery'; readonly deliveryId: string };

/** What decides which preview an account gets. */
export interface PreviewGrounds {
  /** Newest delivery that waits for the account's answer, or was accepted or contested by it; null without one. */
  readonly deliveryId: string | null;
  readonly isBuyer: boolean;
  /** The account owns an agent that is matched, quoted, selected, hirer or worker in the tree. */
  readonly isParty: boolean;
  readonly ownsActiveAgent: boolean;
  /** The task is of tier `public`. */
  readonly isPublic: boolean;
}

/**
 * The gate (docs/decisions/interface.md#visibility): the payer of a delivered node, and owners of agents that may see
 * the brief. Null: neither. Whoever wrote the brief needs no preview of it.
 */
export function previewSubjectOf(grounds: PreviewGrounds): PreviewSubject | null {
  if (grounds.deliveryId !== null) return { kind: 'delivery', deliveryId: grounds.deliveryId };
  if (grounds.isBuyer) return null;
  const mayTakeOn = grounds.isParty || (grounds.isPublic && grounds.ownsActiveAgent);
  return mayTakeOn ? { kind: 'brief' } : null;
}
