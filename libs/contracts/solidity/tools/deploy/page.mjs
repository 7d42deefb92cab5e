// A page on this machine from which a wallet of the browser sends the transaction. It holds no key and sends nothing itself,
// but for the accounts that a chain on this machine signs for.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { markup } from '../../../../../dist/src/platform/http/html-markup.js';
import { findAsset } from '../../../../../dist/src/platform/pages/assets/assets.js';
import { serveWallet } from '../../../../../dist/src/dev/test-wallet/test-wallet.js';
import { webPage, webPageHeaders } from '../../../../../dist/src/platform/pages/page-shell.js';
import { OwnAccounts } from './own-accounts.mjs';

const LOOPBACK = '127.0.0.1';
const DISPLAY_NAME = 'Tasktree';
/** The page asks every second. */
const LAST_WAIT_MS = 3_000;

/**
 * Serves the page on a free port. Its address has a secret, so that no other page of the browser can ask this one.
 * @param {{ chain: import('./chain.mjs').Chain, chainId: number, plan: { usdc: string, factory: string,
 *   implementation: string, transaction: { to: string, data: string, gasLimit: number } } }} deployment
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function serveDeploymentPage({ chain, chainId, plan }) {
  const accounts = await chain.ownAccounts();
  let tell;
  const told = new Promise((resolve) => (tell = resolve));
  const path = `/${randomBytes(16).toString('hex')}`;
  const wallet = new OwnAccounts(chain, chainId, accounts);
  const server = createServer((request, response) => {
    if (isOurs(request) && request.url === `${path}/test-wallet`) return void serveWallet(wallet, request, response);
    answer(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error) => response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`${error.message}\n`),
    );
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, LOOPBACK, () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const origin = `http://${LOOPBACK}:${port}`;

  /** A name of somebody else that leads to this machine is no address of this page. */
  function isOurs({ headers, url }) {
    return `http://${headers.host}` === origin && url.startsWith(`${path}/`);
  }

  async function answer(request) {
    if (!isOurs(request)) return nothing();
    const place = request.url.slice(path.length);
    if (place === '/') return { status: 200, headers: webPageHeaders(), body: page() };
    if (place === '/status') {
      const isDeployed = (await chain.codeAt(plan.factory)) !== '0x';
      if (isDeployed) tell();
      return json({ is_deployed: isDeployed });
    }
    const [, folder, hash, name] = place.split('/');
    const file = folder === 'assets' ? findAsset(hash ?? '', name ?? '', { isLocalChain: true }) : null;
    return file === null ? nothing() : { status: 200, headers: { 'content-type': file.mediaType }, body: file.bytes };
  }

  function page() {
    const { to, data, gasLimit } = plan.transaction;
    const title = 'Deploy the escrow contracts';
    const body = markup`<h1>${title}</h1>
<p>One transaction on the chain with id ${String(chainId)} deploys all. It costs gas and moves no tokens, and whoever sends it
has no rights afterwards.</p>
<dl>
<dt>To</dt><dd><code>${to}</code>, the CREATE2 deployer</dd>
<dt>Factory</dt><dd><code>${plan.factory}</code></dd>
<dt>Escrow</dt><dd><code>${plan.implementation}</code></dd>
<dt>Token</dt><dd><code>${plan.usdc}</code></dd>
<dt>Most gas</dt><dd>${gasLimit.toLocaleString('en-US')}</dd>
<dt>Data</dt><dd>${(data.length / 2 - 1).toLocaleString('en-US')} bytes, as the terminal shows them</dd>
</dl>
<section hidden data-deployment data-chain-id="${String(chainId)}" data-to="${to}" data-data="${data}"
 data-gas="0x${gasLimit.toString(16)}" data-status-path="${path}/status">
<h2>Send it with a wallet in this browser</h2>
<p role="status"></p>
<p class="notice bad" role="alert" tabindex="-1"></p>
<ul class="choices" data-wallets></ul>
</section>`;
    const scripts = ['deployment.js', ...(accounts.length === 0 ? [] : ['test-wallet.js'])];
    return webPage({ displayName: DISPLAY_NAME, baseUrl: `${origin}${path}`, title, body, scripts });
  }

  /** Ends the page once it has told that the contracts are there; nobody may have opened it. */
  async function close() {
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, LAST_WAIT_MS))]);
    server.close();
    server.closeIdleConnections();
  }
  return { url: `${origin}${path}/`, close };
}

const nothing = () => ({
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Nothing here.\n',
});
const json = (value) => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});
