import type { BalanceChange } from '../../../modules/signing/approval-document.js';
import { fee, shortAddress, signedUsdc, usdc } from '../format.js';
import type { ApprovalState } from '../state.js';

const LABELS: Readonly<Record<BalanceChange['label'], string>> = {
  wallet: 'Your wallet',
  escrow: 'Escrow of this task',
  other: 'Another wallet',
};

/** What changes on the chain, as it was tried out. */
export function Changes({ state }: { state: ApprovalState }) {
  const { simulation, document } = state;
  if (simulation === null || document === null) return null;
  const { chainName, nativeCurrency } = document.deployment;
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">What changes</h2>
      {simulation.source === 'unavailable' ? (
        <p>Could not be previewed: the chain did not answer, or nothing is sent before you sign.</p>
      ) : (
        <>
          {simulation.balances.length === 0 && <p>No balance changes.</p>}
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
          from <span class="amount">{usdc(BigInt(before))}</span> to <span class="amount">{usdc(BigInt(after))}</span>
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
