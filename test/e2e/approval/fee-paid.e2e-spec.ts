import type { Browser } from 'playwright-core';
import { ACCEPTING_PAYMASTER, AccountAbstraction, ENTRY_POINT, type Operation } from './account-abstraction.js';
import { approvalMarket } from '../../support/approval/approval-market.js';
import { ApprovalWindow } from '../../support/approval/approval-window.js';
import { chainWallet } from '../../support/approval/chain-wallet.js';
import { PaymasterEndpoint, SECRET } from './paymaster-endpoint.js';
import { AccessTokenRows } from '../../support/oauth/access-token-rows.js';
import { relayed, RelayerEndpoint } from './relayer-endpoint.js';
import { post, sponsor, type SponsorAnswer, sponsoredWallet } from './sponsored-wallet.js';
import { eventually } from '../../support/eventually.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario, type Offer } from '../../support/e2e/intents-scenario.js';
import type { InjectedWallet } from '../../support/oauth/injected-wallets.js';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';

/** A market whose operator pays the network's fee, and people who have USDC and no ether. */
let market: IntentsMarket;
let scenario: IntentsScenario;
let endpoint: PaymasterEndpoint;
let chain: AccountAbstraction;
let browser: Browser;
let buyer: Actor;
let worker: Actor;
const open: ApprovalWindow[] = [];
const pages: string[] = [];
jest.setTimeout(180_000);

describeWithBrowser(`a wallet without ether${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    endpoint = await PaymasterEndpoint.start(ACCEPTING_PAYMASTER);
    const variables = { PAYMASTER_URL: endpoint.url, PAYMASTER_CONTEXT: '{"policyId":"p-1"}' };
    [market, browser] = await Promise.all([approvalMarket(variables, ['--hardfork', 'prague']), launchBrowser()]);
    scenario = new IntentsScenario(market);
    chain = await AccountAbstraction.install(market);
    [buyer, worker] = [await market.actor('Buyer'), await market.actor('Worker')];
    await chain.delegateTo(buyer, worker);
  });

  afterEach(async () => {
    endpoint.mode = 'pays';
    await Promise.all(open.splice(0).map((window) => window.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
    await endpoint?.stop();
  });

  /** Opens the page of an action with the person's wallet. */
  async function meet(who: Actor, action: any, wallet = sponsoredWallet(market, who, chain)): Promise<ApprovalWindow> {
    const window = await ApprovalWindow.claim(browser, action, { wallets: [wallet] });
    open.push(window);
    return window;
  }

  /** What is written in the page, and in its source. */
  async function textOf({ page }: ApprovalWindow): Promise<string> {
    const text = (await page.textContent('main'))!;
    pages.push(await page.content());
    return text;
  }

  /** Has the person sign on the page, whose market pays the fee. */
  async function carriesOut(who: Actor, action: any, isTwoSteps = false): Promise<void> {
    const window = await meet(who, action);
    await window.connect();
    await window.becomes('ready');
    expect(await textOf(window)).toContain('Tasktree pays the network fee.');
    await window.sign();
    if (isTwoSteps) await window.send();
    await window.becomes('confirmed');
    expect(window.window.wrongs).toEqual([]);
    await market.comesToBe(who, action.action_id, 'confirmed');
  }

  async function balanceOf({ wallet }: Actor): Promise<bigint> {
    return BigInt(await market.stack.chain.anvil.rpc<string>('eth_getBalance', wallet, 'latest'));
  }

  it('pays, delivers and accepts: a whole job', async () => {
    const offer: Offer = await scenario.selected(buyer, worker);
    const before = await scenario.balance(worker.wallet);
    const { action: paying } = await market.ask(
      buyer,
      buyer.intents.fundTask(offer, await scenario.paying(buyer, 'allowance')),
    );
    await carriesOut(buyer, paying);
    const artifact = await worker.client.upload('The words are 4,000.');
    const { action: delivering } = await market.ask(worker, worker.intents.deliver(offer, artifact, true));
    await carriesOut(worker, delivering);
    const { action: accepting } = await market.ask(buyer, buyer.intents.resolve(offer, artifact.artifact_hash));
    await carriesOut(buyer, accepting);
    // The worker asked to be paid at once, and has the money without ever having had ether.
    expect((await scenario.balance(worker.wallet)) - before).toBe(offer.terms.amount);
    expect([await balanceOf(buyer), await balanceOf(worker)]).toEqual([0n, 0n]);
    // Each time the wallet asked twice, and the operator's paymaster got its own context.
    expect(endpoint.requests.map(({ method }) => method)).toEqual(
      [1, 2, 3].flatMap(() => ['pm_getPaymasterStubData', 'pm_getPaymasterData']),
    );
    expect(endpoint.requests.every(({ params }) => params[3].policyId === 'p-1')).toBe(true);
  });

  it('sends what it has signed before, where the payment is a signature', async () => {
    const offer = await scenario.selected(buyer, worker);
    const paying = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'authorization'));
    const { action } = await market.ask(buyer, paying);
    await carriesOut(buyer, action, true);
    expect(await balanceOf(buyer)).toBe(0n);
  });

  it('that lets nobody else pay is told that USDC does not, on which network and how much', async () => {
    const { window } = await unsent(chainWallet(market, buyer, { bundles: true }));
    await window.connect();
    await window.becomes('insufficient_gas');
    const text = await textOf(window);
    expect(text).toMatch(/You need about 0\.\d+ ETH on Local chain/);
    expect(text).toContain('USDC does not pay it');
    expect(text).toContain('Your wallet pays the network fee in ETH on Local chain.');
    expect(text).not.toContain('Tasktree pays');
  });

  it('reads that the wallet failed, and may try again, when the paymaster does not pay', async () => {
    const { window } = await unsent();
    endpoint.mode = 'refuses';
    await window.connect();
    await window.sign();
    await window.becomes('wallet_error');
    await textOf(window);
    endpoint.mode = 'pays';
    await window.signButton.click();
    await window.becomes('confirmed');
  });

  it('signs, and a relayer sends: the script of docs/relayers.md', async () => {
    const job = await scenario.funded(buyer, worker);
    const { action } = await market.sign(worker, worker.intents.abandon(job));
    const relayer = await RelayerEndpoint.start((call) => market.transact(market.relayer, call));
    const { baseUrl: MARKET } = market.facts;
    const rows = new AccessTokenRows((text, values) => market.stack.dataSource.query(text, [...values]), MARKET);
    const { token: MARKET_TOKEN } = await rows.issue(worker.client.self.accountId, { scopes: ['read', 'worker'] });
    const said = await relayed(action.action_id, { MARKET, MARKET_TOKEN, ...relayer.variables });
    await relayer.stop();
    expect(said).toContain('201');
    await market.comesToBe(worker, action.action_id, 'confirmed');
    const [{ speed, value, valid_until: until }] = relayer.requests as any[];
    expect({ speed, value }).toEqual({ speed: 'fast', value: 0 });
    expect(Date.parse(until)).toBe(Number(action.payload.message.validUntil) * 1000);
    expect(await balanceOf(worker)).toBe(0n);
  });

  /** A payment that waits for its wallet, with the address of its paymaster and the operation that carries it out. */
  async function unsent(
    wallet?: InjectedWallet,
  ): Promise<{ action: any; url: string; operation: Operation; window: ApprovalWindow }> {
    const offer = await scenario.selected(buyer, worker);
    const paying = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'allowance'));
    const { action } = await market.ask(buyer, paying);
    const window = await meet(buyer, action, wallet);
    const { paymaster: url } = JSON.parse((await window.page.locator('#approval').getAttribute('data-paths'))!);
    return { action, url, window, operation: await chain.operation(buyer, action.payload.calls) };
  }

  const refusal = ({ status, body }: SponsorAnswer): [number, unknown] => [status, body.error.code];
  const DATA = 'pm_getPaymasterData';

  it('is paid for the one operation of its action, and the operator hears of no other', async () => {
    const { action, url, operation } = await unsent();
    const { action: other } = await unsent();
    const [approve, fund] = action.payload.calls;
    const has = async (calls: any[]): Promise<string> => (await chain.operation(buyer, calls)).callData;
    const heard = endpoint.requests.length;
    const wrongs: Record<string, object> = {
      'the calls of another action': { ...operation, callData: await has(other.payload.calls) },
      'one call less': { ...operation, callData: await has([approve]) },
      'one call more': { ...operation, callData: await has([approve, fund, fund]) },
      'another order': { ...operation, callData: await has([fund, approve]) },
      'more bytes': { ...operation, callData: `${operation.callData}00` },
      'no call': { ...operation, callData: '0x' },
      'half a byte': { ...operation, callData: `${operation.callData}0` },
      'another wallet': { ...operation, sender: worker.wallet },
      'no sender': { ...operation, sender: undefined },
      'too much gas': { ...operation, callGasLimit: '0x5f5e100' },
      'gas for its bundler': { ...operation, preVerificationGas: '0x2540be400' },
      'a price for its bundler': { ...operation, maxFeePerGas: '0x38d7ea4c68000' },
      'gas in words': { ...operation, callGasLimit: 'all' },
      'a number': { ...operation, nonce: 7 },
    };
    for (const [name, wrong] of Object.entries(wrongs)) {
      expect([name, ...refusal(await sponsor(url, DATA, wrong))]).toEqual([name, 200, -32_602]);
    }
    for (const chainId of ['0x1', '31337', '', '0x7a6900000000000000']) {
      expect([chainId, ...refusal(await sponsor(url, DATA, operation, { chainId }))]).toEqual([chainId, 200, -32_602]);
    }
    const entryPoint = ACCEPTING_PAYMASTER;
    expect(refusal(await sponsor(url, DATA, operation, { entryPoint }))).toEqual([200, -32_602]);
    expect(endpoint.requests).toHaveLength(heard);
  });

  it('is passed nothing but what a wallet needs, and nothing but that is passed on', async () => {
    const { url, operation } = await unsent();
    const stub = await sponsor(url, 'pm_getPaymasterStubData', { ...operation, note: 'hello' });
    const limits = { paymasterVerificationGasLimit: '0x186a0', paymasterPostOpGasLimit: '0x0' };
    const payer = { paymaster: ACCEPTING_PAYMASTER, paymasterData: '0x', ...limits };
    expect(stub.body).toEqual({ jsonrpc: '2.0', id: 7, result: { ...payer, sponsor: { name: 'Tasktree' } } });
    expect((await sponsor(url, DATA, operation)).body.result).toEqual(payer);
    const { params } = endpoint.requests.at(-2)!;
    expect(params).toEqual([operation, ENTRY_POINT.toLowerCase(), '0x7a69', { policyId: 'p-1' }]);
    // Wallets that are pages ask from their own origin, first whether they may.
    expect([stub.headers.get('access-control-allow-origin'), stub.headers.get('set-cookie')]).toEqual(['*', null]);
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { Origin: 'https://wallet.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'Content-Type']);
  });

  it('gets no other method, no list of requests, no large body, and nothing at a made-up address', async () => {
    const { url, operation } = await unsent();
    const heard = endpoint.requests.length;
    for (const method of ['eth_sendUserOperation', 'pm_sponsorUserOperation', 'eth_chainId']) {
      expect([method, ...refusal(await sponsor(url, method, operation))]).toEqual([method, 200, -32_601]);
    }
    expect(refusal(await post(url, '{"id":7}'))).toEqual([200, -32_600]);
    expect((await post(url, `[${JSON.stringify({ jsonrpc: '2.0', id: 7, method: DATA, params: [] })}]`)).status).toBe(
      400,
    );
    expect((await post(url, JSON.stringify({ pad: 'x'.repeat(70_000) }))).status).toBe(413);
    const [place, token] = [url.slice(0, url.lastIndexOf('/') + 1), url.slice(url.lastIndexOf('/') + 1)];
    const [id] = token.split('.');
    for (const wrong of [id!, `${id}.${'A'.repeat(43)}`, `${token}0`, 'act_1.x', token.toLowerCase()]) {
      const { status, body } = await sponsor(`${place}${wrong}`, DATA, operation);
      expect([wrong, status, body.error.code]).toEqual([wrong, 404, 'not_found']);
    }
    expect((await fetch(url)).status).toBe(405);
    expect(endpoint.requests).toHaveLength(heard);
  });

  it('is told that nobody answers, without a word of it, while the paymaster is away or babbles', async () => {
    const { url, operation } = await unsent();
    for (const mode of ['fails', 'babbles'] as const) {
      endpoint.mode = mode;
      const { status, body } = await sponsor(url, DATA, operation);
      expect([mode, status, body.error.code]).toEqual([mode, 503, 'service_unavailable']);
    }
    endpoint.mode = 'refuses';
    const { body } = await sponsor(url, DATA, operation);
    expect(body.error).toEqual({ code: -32_000, message: 'The paymaster does not pay for this operation.' });
    // The operator can see why nobody is paid for.
    await eventually(() => /"code":-32000[^\n]*the paymaster does not pay/.test(market.stack.log));
  });

  it('is paid no more once its action is declined, or was asked about too often', async () => {
    const { window, url, operation } = await unsent();
    expect((await sponsor(url, DATA, operation)).status).toBe(200);
    await window.button('Decline').click();
    await window.becomes('declined');
    const { status, body } = await sponsor(url, DATA, operation);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    const { url: often } = await unsent();
    const answers = await Promise.all(Array.from({ length: 25 }, () => post(often, '{}')));
    expect(answers.filter(({ status: code }) => code === 429)).toHaveLength(5);
  });

  it('is paid no more once the time of its action is over', async () => {
    const { url, operation } = await unsent();
    await market.travel(901);
    expect((await sponsor(url, DATA, operation)).status).toBe(404);
  });

  it('sees the operator’s key nowhere: in no page, in no answer, and not in the log', async () => {
    const { window, url, operation } = await unsent();
    await textOf(window);
    endpoint.mode = 'fails';
    expect((await sponsor(url, DATA, operation)).status).toBe(503);
    await eventually(() => market.stack.log.includes('the paymaster does not answer'));
    const { log } = market.stack;
    expect([...pages, log].some((text) => text.includes(SECRET))).toBe(false);
    // The addresses of paymasters work without another credential, so the log does not have them either.
    expect(/\/paymaster\/act_/.test(log)).toBe(false);
  });
});
