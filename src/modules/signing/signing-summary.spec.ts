import { signable, type SignableName } from '../../../test/support/signable-actions.js';
import type { ApprovalPageContent } from './pages/approval-page-content.js';
import { signingSummary } from './signing-summary.js';

/** How to sign an action of this kind, as programs read it. */
function waysFor(name: SignableName): string {
  const { kind, payload, wallet_address: walletAddress, chain_id: chainId } = signable(name).action;
  const action = {
    kind,
    payload,
    walletAddress,
    chainId,
    signature: null,
    expiresAt: new Date(0),
    createdAt: new Date(0),
    nonce: 1n,
    details: {},
  };
  const content = { action, status: 'opened', transactionHash: null, description: null, matchCode: '' };
  return signingSummary(content as unknown as ApprovalPageContent).how_to_sign.join(' ');
}

test.each<[SignableName, RegExp, RegExp]>([
  ['abandon_node', /send `payload\.transaction`.* Or sign .*Anyone can then send/, /payload\.calls/],
  ['fund_task', /send all of `payload\.calls`.* Or sign /, /payload\.transaction/],
  ['fund_task by EIP-3009', /Sign with .*Anyone can then send/, /payload\.(transaction|calls)/],
  ['fund_task by permit', /Sign with .*Only that wallet can then send/, /payload\.(transaction|calls)|[Aa]nyone/],
  ['select_agent', /there is nothing to send/, /payload\.(transaction|calls)|can then send/],
])('of %s is said what can be done with its payload, and nothing else', (name, said, unsaid) => {
  expect(waysFor(name)).toMatch(said);
  expect(waysFor(name)).not.toMatch(unsaid);
});
