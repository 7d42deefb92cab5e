import { isRootPath } from '#libs/notation';
import { callFaults } from './call-faults.js';
import { FOUND } from './check-copy.js';
import { escrowAddressOf, isAddressText, sameAddress } from '../document/evm-address.js';
import { isObject } from '../document/plain-json.js';
import type { TreeParties } from '../document/prepared-action.js';
import { foundText } from '../document/shown-text.js';
import { failed, type Finding, ownMember, passed, type Subject, uintOf, unknown } from './verification-input.js';

/** 6: only the escrow, or the pinned token in favour of the escrow, can use the signature; no call goes elsewhere. */
export function checkContract(subject: Subject): Finding {
  const { action, domain, message, form, own, intent, context } = subject;
  const { usdc } = context.deployment;
  const escrow = action['escrow_address'];
  if (!isAddressText(escrow)) return failed(FOUND.missing('escrow_address'));
  if (intent.escrow !== undefined && !sameAddress(escrow, intent.escrow)) {
    return failed(FOUND.contractOther('escrow_address', foundText(escrow), foundText(intent.escrow)));
  }
  if (form === null) return failed(FOUND.unreadable);
  const token = tokenFault(subject, usdc);
  if (token !== null) return failed(FOUND.contractOther('token', foundText(token), usdc));
  const ownDomain = own === null ? undefined : own['domain'];
  const places: [string, unknown][] = [
    ['verifyingContract', form === 'escrow' ? domain['verifyingContract'] : escrow],
    ['authorizes.domain.verifyingContract', isObject(ownDomain) ? ownDomain['verifyingContract'] : escrow],
    ['to', form === 'authorization' ? message['to'] : escrow],
    ['spender', form === 'permit' ? message['spender'] : escrow],
  ];
  for (const [name, found] of places) {
    if (!sameAddress(found, escrow)) return failed(FOUND.contractOther(name, foundText(found), escrow));
  }
  if (form !== 'escrow' && isObject(ownDomain) && ownDomain['chainId'] !== context.deployment.chainId) {
    return failed(
      FOUND.contractOther(
        'authorizes.domain.chainId',
        foundText(ownDomain['chainId']),
        `${context.deployment.chainId}`,
      ),
    );
  }
  const { target } = callFaults(subject);
  if (target !== null) return failed(target);
  return passed(form === 'escrow' ? FOUND.contract(escrow) : FOUND.token(usdc, escrow));
}

/**
 * 7: the address follows from parties that are known (CREATE2), or the wallet's own node shows the market's contract for
 * this task there. What the service's node says alone is not enough to sign.
 */
export function checkEscrow(subject: Subject): Finding {
  const { action, intent, context } = subject;
  const { escrow_address: escrow, task_id: task } = action;
  if (context.readings.some((reading) => reading.escrow === 'foreign')) return failed(FOUND.foreign);
  const parties = intent.tree ?? partiesIn(subject);
  if (parties !== null && typeof task === 'string') {
    const derived = escrowAddressOf(context.deployment, parties, task);
    return sameAddress(derived, escrow) ? passed(FOUND.derived) : failed(FOUND.notDerived(derived));
  }
  const { escrow: byWallet } = context.readings.find(({ source }) => source === 'wallet') ?? {};
  if (byWallet !== undefined) return passed(byWallet === 'clone' ? FOUND.clone : FOUND.undeployed);
  const byService = context.readings.some((reading) => reading.escrow !== undefined);
  return unknown(byService ? FOUND.serviceOnly : FOUND.noReading);
}

/** Buyer and arbiter of the tree where the message names both. */
export function partiesIn(subject: Pick<Subject, 'own' | 'intent'>): TreeParties | null {
  const path = subject.intent.kind === 'submit_quote' ? uintOf(ownMember(subject, 'terms.nodeId')) : null;
  const isRootQuote = path !== null && isRootPath(path);
  const buyer = isRootQuote ? ownMember(subject, 'hirer') : ownMember(subject, 'buyer');
  const arbiter = ownMember(subject, 'arbiter');
  return isAddressText(buyer) && isAddressText(arbiter) ? { buyer, arbiter } : null;
}

/** The value that is named as the token but is not the pinned token; null: there is none. */
function tokenFault({ form, domain, own }: Subject, usdc: string): unknown {
  if (form !== 'escrow' && !sameAddress(domain['verifyingContract'], usdc)) return domain['verifyingContract'];
  const message = own?.['message'];
  const named = isObject(message) ? message['token'] : undefined;
  return named === undefined || sameAddress(named, usdc) ? null : named;
}
