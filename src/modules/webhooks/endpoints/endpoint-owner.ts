import type { Principal } from '../../../platform/http/principal.js';

/** Who manages endpoints: a credential those that it made, or a person on a page all those of the account. */
export interface EndpointOwner {
  readonly accountId: string;
  /** Null: the person. */
  readonly credentialId: string | null;
}

/** The owner as which a credential acts. */
export function ownerIn({ accountId, credentialId }: Principal): EndpointOwner {
  return { accountId, credentialId };
}
