import type { ApprovalState } from '../flow/state.js';
import type { Screen } from '../flow/screen.js';
import { HexText } from './address.js';

const STAGES = ['Signed', 'Sent', 'Confirmed', 'Final'];
const REACHED: Partial<Record<Screen, number>> = {
  signed: 1,
  send_ready: 1,
  sending: 2,
  unseen: 2,
  confirmed: 3,
  final: 4,
};

/** How far the action is: signed, sent, in a block, final. */
export function Tracker({ state, screen }: { state: ApprovalState; screen: Screen }) {
  const { step, document } = state;
  const reached = REACHED[screen];
  if (step.at !== 'sent' && step.at !== 'signed') return null;
  const { hash, progress } = step.at === 'sent' ? step : { hash: null, progress: null };
  const stages = step.at === 'signed' && step.call === null ? STAGES.slice(0, 1) : STAGES;
  return (
    <>
      {reached !== undefined && (
        <ol class="tracker" aria-label="Progress">
          {stages.map((stage, at) => (
            <li
              key={stage}
              class={at < reached ? 'done' : ''}
              {...(at === reached - 1 ? { 'aria-current': 'step' } : {})}
            >
              <span aria-hidden="true">{at < reached ? '✓' : '○'}</span> {stage}
              <span class="visually-hidden">{at < reached ? ', done' : ', not yet'}</span>
            </li>
          ))}
        </ol>
      )}
      {hash !== null && <Transaction hash={hash} template={document?.deployment.explorerTransactionUrl ?? null} />}
      {progress?.final_at_block !== undefined && screen === 'confirmed' && (
        <p class="small">
          Final from block {progress.final_at_block.toLocaleString('en-GB')}
          {progress.head_block !== undefined && `. The newest is ${progress.head_block.toLocaleString('en-GB')}`}.
        </p>
      )}
      {progress?.receipt_path !== undefined && (
        <p>
          <a href={progress.receipt_path}>Receipt</a>
        </p>
      )}
    </>
  );
}

function Transaction({ hash, template }: { hash: string; template: string | null }) {
  const address = template?.startsWith('https://') ? template.replace('{hash}', encodeURIComponent(hash)) : null;
  return (
    <p class="transaction">
      Transaction <HexText value={hash} />{' '}
      {address !== null && (
        <a href={address} rel="noreferrer noopener" target="_blank">
          Look it up (opens another site)
        </a>
      )}
    </p>
  );
}
