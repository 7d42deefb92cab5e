import { OptionalVisibleText } from './optional-visible-text.js';
import { OptionalRootNode } from './resolution.body.js';

/** Its only member may be absent, and so may the body. */
export class RejectionBody {
  @OptionalVisibleText({
    description:
      'What the worker is told once the rejection is on the chain. The SHA-256 of its UTF-8 bytes is signed as ' +
      '`reasonHash`; without a reason that is 32 zero bytes.',
    example: 'Page 12 is missing.',
  })
  reason?: string;
}

/** As `RejectionBody`, for the buyer, whose path names no node. */
export class TaskRejectionBody extends RejectionBody {
  @OptionalRootNode()
  node_id?: string;
}

/** The reason, if the body gives one. */
export function rejectionIn({ reason }: RejectionBody): { reason?: string } {
  return reason === undefined ? {} : { reason };
}
