import type { Hex } from '#libs/notation';
import { faultsOfCalls } from './call-faults.js';
import { CHECK_WORDS, FOUND } from './check-copy.js';
import { sameAddress } from '../document/evm-address.js';
import { plainJson } from '../document/plain-json.js';
import type { Check, Deployment, PreparedAction, ProposedCall } from '../document/prepared-action.js';
import { foundText } from '../document/shown-text.js';
import { failed, type Finding, passed, subjectOf } from './verification-input.js';

/**
 * Whether a call that came back for a signature carries exactly the message that was signed, with that signature in it,
 * to nobody but the escrow or its factory. What runs before it in the same transaction must be what others have signed,
 * or what anybody may call. Row 15 of the checks; never throws.
 */
export function verifySignedCall(
  call: ProposedCall,
  action: PreparedAction,
  signature: Hex,
  deployment: Deployment,
): Check {
  const { name, title } = CHECK_WORDS[15];
  let finding: Finding;
  try {
    finding = find(call, action, signature, deployment);
  } catch {
    finding = failed(FOUND.unreadable);
  }
  return { number: 15, name, title, ...finding };
}

function find(call: ProposedCall, action: PreparedAction, signature: Hex, deployment: Deployment): Finding {
  const { kind, principal } = action;
  const subject = subjectOf(action, { kind, principal }, { deployment, nowMs: 0, readings: [] });
  if (signature.length < 4) return failed(FOUND.signature);
  const isForWallet =
    call.from === undefined ? subject.form !== 'permit' : sameAddress(call.from, action.wallet_address);
  if (!isForWallet) return failed(FOUND.sender(foundText(call.from)));
  if (call.chainId !== undefined && Number(call.chainId) !== deployment.chainId)
    return failed(FOUND.unexpected('chainId'));
  const { target, members } = faultsOfCalls(subject, [plainJson(call)], signature);
  if (target !== null) return failed(target);
  return members === null ? passed(FOUND.carried) : failed(members);
}
