import { isHex, requestDigest } from '#libs/kernel';
import type { KindInputs, PreparableKind } from '../../../modules/prepared-actions/registry/kind-registry.js';
import type { PreparedActionDto } from '../../../modules/prepared-actions/dto/prepared-action.dto.js';
import { payloadDigest } from '../../../modules/prepared-actions/payload/payload-digest.js';
import { CURRENT_VERSION } from '../../../platform/versioning/api-versions.js';
import type { Scope } from '../../../modules/credentials/scope.js';
import type { SeedServices } from './seed-services.js';
import type { Participant } from './participant.js';

/** Calls the service's operations as API requests do, for states that only a prepared action can create. */
export class Intents {
  constructor(private readonly services: SeedServices) {}

  /** @throws ApiError as the operation of this kind. */
  prepare<K extends PreparableKind>(
    { account }: Participant,
    kind: K,
    input: KindInputs[K],
  ): Promise<PreparedActionDto> {
    const { id: accountId, walletAddress } = account;
    const intent = { accountId, walletAddress, requestDigest: requestDigest({ local_market: kind }) };
    return this.services.actions.prepare(kind, intent, input);
  }

  /** Signs the payload and submits the signature. @throws ApiError. */
  async sign({ account, wallet }: Participant, scope: Scope, { action_id, payload }: PreparedActionDto): Promise<void> {
    const { serialized } = wallet.signingKey.sign(payloadDigest(payload).digest);
    if (!isHex(serialized)) throw new TypeError('The wallet gave no signature');
    const principal = {
      accountId: account.id,
      walletAddress: account.walletAddress,
      credentialId: 'local market',
      scopes: [scope],
      pinnedVersion: CURRENT_VERSION,
    };
    await this.services.submissions.submitSignature(principal, action_id, serialized);
  }
}
