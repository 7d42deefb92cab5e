import { usdcText, withoutTransaction } from '#libs/prepared-action';
import type { BalanceChange } from '#libs/approval-wire';
import { fee, shortAddress, signedUsdc } from './format.js';
import type { ApprovalState } from '../flow/state.js';

const LABELS: Readonly<Record<BalanceChange['label'], string>> = {
  wallet: 'Your wallet',
  escrow: 'Task escrow',
  other: 'Another wallet',
};

/** What changes on the chain, according to the simulation. */
export function Changes({ state }: { state: ApprovalState }) {
  const { simulation, document, verdict } = state;
  if (simulation === null || document === null) return null;
  const { chainName, nativeCurrency } = document.deployment;
  const settles = verdict?.description?.settles;
  return (
    <section class="money" aria-labelledby="changes">
      <h2 id="changes">What changes</h2>
      {simulation.source === 'no_transaction' ? (
        <p>{withoutTransaction(document.action.kind)}</p>
      ) : simulation.source === 'unavailable' ? (
        <p>{settles ?? 'No preview: the chain did not answer.'}</p>
      ) : (
        <>
          {simulation.balances.length === 0 && <p>{settles ?? 'Nobody’s balance changes.'}</p>}
          <dl class="changes">
            {simulation.balances.map((change) => (
              <Change key={change.wallet} change={change} />
            ))}
            {simulation.gas !== null && (
              <div>
                <dt>Network fee ({chainName})</dt>
                <dd>about {fee(BigInt(simulation.gas.eth), nativeCurrency)}</dd>
              </div>
            )}
          </dl>
          <p class="small">{sourcesText(state)}</p>
        </>
      )}
    </section>
  );
}

function Change({ change: { wallet, label, before, after, change } }: { change: BalanceChange }) {
  return (
    <div>
      <dt>
        {LABELS[label]} <code title={wallet}>{shortAddress(wallet)}</code>
      </dt>
      <dd>
        <strong class="amount">{signedUsdc(BigInt(change))}</strong>{' '}
        <span class="small">
          from <span class="amount">{usdcText(BigInt(before))}</span> to{' '}
          <span class="amount">{usdcText(BigInt(after))}</span>
        </span>
      </dd>
    </div>
  );
}

function sourcesText({ simulation, findings }: ApprovalState): string {
  const block = simulation?.block == null ? '' : `, block ${simulation.block.toLocaleString('en-GB')}`;
  const own =
    findings === null
      ? ''
      : findings.reading === null
        ? '; your wallet’s node did not answer'
        : ' and your wallet’s node';
  return `Checked by this service${own}${block}.`;
}
