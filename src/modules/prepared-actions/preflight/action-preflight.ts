import { Injectable } from '@nestjs/common';
import { type ActionFields, NonceBitmapWord } from '#libs/contracts';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { boundedCall } from './bounded-call.js';
import type { CheckedAction, ReadyAction } from '../action/prepared-kind.js';
import { refusalOf } from './revert-refusals.js';

/** Words of 256 cancelled nonces that are skipped before giving up; a wallet cancels that many only on purpose. */
const MAX_FULL_WORDS = 4;

export interface PreflightResult {
  ready: ReadyAction;
  /** The nonce to take; of a withdrawal the lowest from the asked one on that the chain still takes. */
  nonce: bigint;
}

/**
 * Asks the chain whether an action could be sent now. The needed state, the used nonces of a withdrawal's signer and the
 * tried calls are asked for together: the client sends them as one batch in one round trip, and nothing is locked
 * meanwhile. A call that runs contracts of strangers is sent beside the batch.
 */
@Injectable()
export class ActionPreflight {
  constructor(private readonly chain: ChainClient) {}

  /**
   * @param fields the action's own fields; the nonce is the one to try first.
   * @throws ApiError with a 409 code when the action would revert now; `service_unavailable` when the chain is away.
   */
  async run(action: CheckedAction, fields: ActionFields): Promise<PreflightResult> {
    const [confirmed, free, refusal] = await Promise.allSettled([
      action.confirm(),
      action.nonce ?? this.firstFree(action, fields.nonce),
      this.refusal(action, fields),
    ]);
    // A refusal by the state comes first: it names the reason better than the revert that follows from it.
    if (confirmed.status === 'rejected') throw confirmed.reason;
    if (free.status === 'rejected') throw free.reason;
    if (refusal.status === 'rejected') throw refusal.reason;
    const nonce = free.value;
    const final = nonce === fields.nonce ? refusal.value : await this.refusal(action, { ...fields, nonce });
    if (final !== null) throw final;
    return { ready: confirmed.value, nonce };
  }

  /** Looks for a nonce that the chain still takes: the wallet may have cancelled some that were not given out here. */
  private async firstFree({ escrowAddress, signer }: CheckedAction, from: bigint): Promise<bigint> {
    let nonce = from;
    for (let read = 0; read <= MAX_FULL_WORDS; read += 1) {
      const word = await this.chain.nonceWord(escrowAddress, signer, nonce);
      nonce = word.firstFreeFrom(nonce);
      if (NonceBitmapWord.indexOf(nonce) === word.index) return nonce;
    }
    throw new ApiError('state_conflict', 'The wallet has cancelled all of its next nonces in this escrow.');
  }

  private async refusal(action: CheckedAction, fields: ActionFields): Promise<ApiError | null> {
    const calls = action.triedCalls(fields).map((call) => this.chain.rawCall(boundedCall(call), 'latest'));
    const failure = (await Promise.all(calls)).find((outcome) => outcome.reverted);
    return failure?.reverted ? refusalOf(failure.revert) : null;
  }
}
