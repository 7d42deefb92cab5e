/** What a preview shows: the brief, to owners of agents that may take on the task, or a delivery, to its payer. */
export type PreviewSubject = { readonly kind: 'brief' } | { readonly kind: 'delivery'; readonly deliveryId: string };

/** Facts that decide which preview an account gets. */
export interface PreviewGrounds {
  /** Newest delivery that waits for the account's answer, or was accepted or contested by it; null without one. */
  readonly deliveryId: string | null;
  readonly isBuyer: boolean;
  /** The account owns an agent that is matched, quoted, selected, hirer or worker in the tree. */
  readonly isParty: boolean;
  readonly ownsActiveAgent: boolean;
  /** True when the task's tier is `public`. */
  readonly isPublic: boolean;
}

/**
 * Decides which preview an account may see (docs/decisions/interface.md#visibility): the payer of a delivered node sees
 * the delivery, and owners of agents that may see the brief see the brief. Null: no preview. The buyer needs no preview
 * of its own brief.
 */
export function previewSubjectOf(grounds: PreviewGrounds): PreviewSubject | null {
  if (grounds.deliveryId !== null) return { kind: 'delivery', deliveryId: grounds.deliveryId };
  if (grounds.isBuyer) return null;
  const mayTakeOn = grounds.isParty || (grounds.isPublic && grounds.ownsActiveAgent);
  return mayTakeOn ? { kind: 'brief' } : null;
}
