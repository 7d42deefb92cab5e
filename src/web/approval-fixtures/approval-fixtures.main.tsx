import { render } from 'preact';
import '../approval/approval.css';
import type { ApprovalActions } from '../approval/flow/actions.js';
import { reduce } from '../approval/flow/reduce.js';
import { openedPage } from '../approval/flow/state.js';
import { ApprovalPage } from '../approval/view/approval-page.js';
import { FIXTURES } from './fixtures.js';
import { keptParts } from './kept-parts.js';
import { showsDelivery } from './kinds.js';
import { facts } from './sample.js';

// Shows the approval page in one of its states, without a service and without a wallet: for people to look at, and for
// the tests of every state. Its buttons do nothing.
const nothing = (): void => undefined;
const idle: ApprovalActions = {
  connect: nothing,
  disconnect: nothing,
  switchAccount: nothing,
  switchNetwork: nothing,
  checkAgain: nothing,
  confirm: nothing,
  sign: nothing,
  send: nothing,
  stopWaiting: nothing,
  submitAgain: nothing,
  decline: nothing,
  renew: nothing,
  linkDevice: nothing,
};

/** The sample facts, with this page's origin as the signing origin. */
const here = { ...facts, deployment: { ...facts.deployment, signingOrigin: window.location.origin } };

const section = document.querySelector('section#approval');
if (section instanceof HTMLElement) {
  const name = section.dataset['fixture'] ?? '';
  const story = Object.hasOwn(FIXTURES, name) ? FIXTURES[name] : undefined;
  const paths = showsDelivery(name) ? { ...here.paths, delivery: '/' } : here.paths;
  section.replaceChildren();
  render(
    story === undefined ? (
      <FixtureList />
    ) : (
      <ApprovalPage
        state={story.reduce(reduce, openedPage({ ...here, paths }))}
        actions={idle}
        kept={keptParts(name.startsWith('kind_'))}
      />
    ),
    section,
  );
}

function FixtureList() {
  return (
    <ul class="fixtures">
      {Object.keys(FIXTURES).map((name) => (
        <li key={name}>
          <a href={`${window.location.pathname.replace(/\/fixtures.*$/, '/fixtures')}/${name}`}>{name}</a>
        </li>
      ))}
    </ul>
  );
}
