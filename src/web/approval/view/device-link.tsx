import type { ApprovalActions } from '../flow/actions.js';
import type { ApprovalState } from '../flow/state.js';
import { CopyButton } from './copy-button.js';

/** The same request for the device that has the wallet: a link of its own, which retires this page when it is opened. */
export function DeviceLink({ state, actions }: { state: ApprovalState; actions: ApprovalActions }) {
  const { deviceLink: link, facts } = state;
  if (link === null) {
    return (
      <button type="button" onClick={() => actions.linkDevice()}>
        Open on another device
      </button>
    );
  }
  return (
    <div class="device">
      <p>{facts.words['device_link']?.[1]}</p>
      {link.qr !== undefined && (
        <div class="qr">
          <svg role="img" aria-label="The link, for a camera" viewBox={link.qr.viewBox} shape-rendering="crispEdges">
            <path fill="#000" d={link.qr.path} />
          </svg>
        </div>
      )}
      <CopyButton text={link.signing_url} label="Copy the link" />
    </div>
  );
}
