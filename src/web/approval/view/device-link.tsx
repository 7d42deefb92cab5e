import type { LinkAnswer } from '#libs/approval-wire';
import type { ApprovalActions } from '../flow/actions.js';
import { CopyButton } from './copy-button.js';

/** The same request for the device that has the wallet: a link of its own, which retires this page when it is opened. */
export function DeviceLink({ link, actions }: { link: LinkAnswer | null; actions: ApprovalActions }) {
  if (link === null) {
    return (
      <button type="button" onClick={() => actions.linkDevice()}>
        Open on another device
      </button>
    );
  }
  return (
    <div class="device">
      <p>Open this link on the device that has your wallet. This page can then no longer sign.</p>
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
