import { Injectable } from '@nestjs/common';
import { type ActionFields, NonceBitmapWord } from '#libs/contracts';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { boundedCall } from './bounded-call.js';
import type { CheckedAction, ReadyAction } from '../action/prepared-kind.js';
import { refusalOf } from './revert-refusals.js';
import type { SentAction } from '../nonces/wallet-nonces.js';

/** Words of 256 cancelled nonces that are skipped before giving up; a wallet cancels that many only on purpose. */
const MAX_FULL_WORDS = 4;

export interface PreflightResult {
  ready: ReadyAction;
  /** The lowest usable nonce, and the word it lies in as the chain has it. */
  nonce: bigint;
  word: NonceBitmapWord;
}

/**
 * Asks the chain whether an action could be sent now. The needed state, the signer's used nonces and the tried calls are
 * asked for together: the client sends them as one batch in one round trip, and nothing is locked meanwhile. A call that
 * runs contracts of strangers is sent beside the batch.
 */
@Injectable()
export class ActionPreflight {
  constructor(private readonly chain: ChainClient) {}

  /**
   * @param fields the action's own fields; the nonce is the one to try first.
   * @throws ApiError with a 409 code when the action would revert now; `service_unavailable` when the chain is away.
   */
  async run(action: CheckedAction, fields: ActionFields): Promise<PreflightResult> {
    const [confirmed, word, refusal] = await Promise.allSettled([
      action.confirm(),
      this.usedNonces(action, fields.nonce),
      this.refusal(action, fields),
    ]);
    // A refusal by the state comes first: it names the reason better than the revert that follows from it.
    if (confirmed.status === 'rejected') throw confirmed.reason;
    if (word.status === 'rejected') throw word.reason;
    if (refusal.status === 'rejected') throw refusal.reason;
    if (word.value.isUsed(fields.nonce)) return this.runWithFreeNonce(action, fields, confirmed.value, word.value);
    if (refusal.value) throw refusal.value;
    return { ready: confirmed.value, nonce: fields.nonce, word: word.value };
  }

  /**
   * Refuses a second action for the same use when the first was executed. A transaction that was sent and is not indexed
   * has not failed, so the chain is asked whether its nonce is still free.
   * @throws ApiError `state_conflict` when it has been executed or cancelled.
   */
  async refuseExecuted(action: CheckedAction, sent: SentAction): Promise<void> {
    const word = await this.usedNonces(action, sent.nonce);
    if (!word.isUsed(sent.nonce)) return;
    throw new ApiError(
      'state_conflict',
      `The transaction of ${sent.id} has used its nonce on the chain; the index has not caught up yet.`,
      'Read that action until it is confirmed, then read the resource again.',
    );
  }

  /** Looks for a nonce that the chain still takes, after the wallet used or cancelled nonces that were not given out here. */
  private async runWithFreeNonce(
    action: CheckedAction,
    fields: ActionFields,
    ready: ReadyAction,
    used: NonceBitmapWord,
  ): Promise<PreflightResult> {
    let word = used;
    let nonce = word.firstFreeFrom(fields.nonce);
    for (let read = 0; NonceBitmapWord.indexOf(nonce) !== word.index || word.isUsed(nonce); read += 1) {
      if (read === MAX_FULL_WORDS) {
        throw new ApiError('state_conflict', 'The wallet has cancelled all of its next nonces in this escrow.');
      }
      word = await this.usedNonces(action, nonce);
      nonce = word.firstFreeFrom(nonce);
    }
    const refusal = await this.refusal(action, { ...fields, nonce });
    if (refusal) throw refusal;
    return { ready, nonce, word };
  }

  private usedNonces({ escrowAddress, signer }: CheckedAction, nonce: bigint): Promise<NonceBitmapWord> {
    return this.chain.nonceWord(escrowAddress, signer, nonce);
  }

  private async refusal(action: CheckedAction, fields: ActionFields): Promise<ApiError | null> {
    const calls = action.triedCalls(fields).map((call) => this.chain.rawCall(boundedCall(call), 'latest'));
    const failure = (await Promise.all(calls)).find((outcome) => outcome.reverted);
    return failure?.reverted ? refusalOf(failure.revert) : null;
  }
}
