import { usdcText } from '#libs/prepared-action';
import type { ScreenText } from '#libs/approval-wire';
import { fee, moment, shortAddress } from './format.js';
import { missingUsdc, paymasterOf } from '../flow/money-checks.js';
import { endOf, type Screen, takesTwoSteps } from '../flow/screen.js';
import type { ApprovalState, WalletTask } from '../flow/state.js';

/** What a screen says: its heading, a sentence or two, and how serious it is. */
export interface ScreenWords {
  heading: string;
  text: string;
  tone: ScreenText[2];
}

/** The words of a screen, from the catalogue that came with the page, with the placeholders in braces filled in. */
export function wordsOf(state: ApprovalState, screen: Screen): ScreenWords {
  const { words } = state.facts;
  const [heading, text, tone] = words[`${screen}/${variantOf(state, screen)}`] ?? words[screen] ?? [screen, '', 'warn'];
  return { heading: filled(heading, state), text: filled(text, state), tone };
}

/** Who pays the network's fee, in a sentence; empty before that is known, and where there is none. */
export function feeSentence(state: ApprovalState): string {
  if ((state.simulation?.source ?? 'no_transaction') === 'no_transaction') return '';
  return filled(state.facts.words[paymasterOf(state) === null ? 'fee' : 'fee/paid']?.[1] ?? '', state);
}

function filled(part: string, state: ApprovalState): string {
  return part.replace(/\{(\w+)\}/g, (whole, name: string) => VALUES[name]?.(state) ?? whole);
}

/**
 * The values of the placeholders. Names of wallets are other people's text: they are isolated, so that they cannot
 * change the direction of the text around them.
 */
const VALUES: Readonly<Record<string, (state: ApprovalState) => string>> = {
  wallet: ({ connection }) => (connection.at === 'none' ? 'your wallet' : `\u2068${connection.wallet.name}\u2069`),
  expected: ({ facts }) => shortAddress(facts.wallet),
  connected: ({ connection }) => (connection.at === 'connected' ? shortAddress(connection.account.address) : ''),
  chain: ({ facts, document }) => document?.deployment.chainName ?? `chain ${facts.deployment.chainId}`,
  count: ({ wallets }) => `${wallets.length}`,
  expiry: ({ document }) => (document === null ? '' : moment(endOf(document))),
  detail: ({ verdict }) => verdict?.checks.find(({ status }) => status === 'failed')?.detail ?? '',
  reason: ({ problem, simulation }) =>
    problem?.from === 'service' ? problem.reason : (simulation?.would_revert?.reason ?? ''),
  has: (state) => usdcText(missingUsdc(state)?.has ?? 0n),
  needs: (state) => usdcText(missingUsdc(state)?.needs ?? 0n),
  gas: ({ simulation, document }) =>
    fee(BigInt(simulation?.gas?.eth ?? '0'), document?.deployment.nativeCurrency ?? { symbol: 'ETH', decimals: 18 }),
  block: ({ step }) => (step.at === 'sent' ? step.progress?.block?.toLocaleString('en-GB') : undefined) ?? '…',
  code: ({ problem }) => `${problem?.from === 'wallet' ? problem.failure.code : ''}`,
};

/** The variant of a screen's words that fits the state; empty: the plain words. */
function variantOf(state: ApprovalState, screen: Screen): string {
  const { step, wallets, isSearching, facts } = state;
  const isSigned = state.document?.signed !== undefined || step.at === 'sent';
  const failure = (during: WalletTask): string => {
    const { problem } = state;
    if (problem?.from !== 'wallet' || problem.during !== during) return '';
    return `${screen}/${problem.failure.kind}` in facts.words ? problem.failure.kind : 'other';
  };
  const variants: Partial<Record<Screen, () => string>> = {
    choose_wallet: () =>
      failure('connect') ||
      (isSigned ? 'signed' : '') ||
      (wallets.length === 1 ? 'one' : wallets.length === 0 && isSearching ? 'searching' : ''),
    wrong_chain: () => failure('switch'),
    send_ready: () => failure('send'),
    ready: () => (takesTwoSteps(state) ? 'two_steps' : ''),
    not_previewed: () => (takesTwoSteps(state) ? 'two_steps' : ''),
    declined: () => state.document?.declined_by ?? '',
    waiting: () => (step.at !== 'asking' ? '' : step.slow ? 'slow' : step.call === null ? '' : 'call'),
    wallet_error: () => {
      const { problem } = state;
      return problem?.from !== 'wallet' ? '' : problem.failure.code === null ? problem.failure.kind : 'code';
    },
  };
  return variants[screen]?.() ?? (isSigned ? 'signed' : '');
}
