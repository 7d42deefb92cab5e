import { AbiCoder, concat } from 'ethers';
import type { Browser } from 'playwright-core';
import { approvalMarket, becomeFinal, keepUsdc } from '../../support/approval/approval-market.js';
import { ApprovalWindow, type ApprovalWindowOptions } from '../../support/approval/approval-window.js';
import { chainWallet, declining, failing } from '../../support/approval/chain-wallet.js';
import type { Actor, IntentsMarket } from '../../support/e2e/intents-market.js';
import { IntentsScenario, USDC } from '../../support/e2e/intents-scenario.js';
import { BROWSER_NOTE, describeWithBrowser, launchBrowser } from '../../support/oauth/browser.js';
import { type InjectedWallet, WalletError } from '../../support/oauth/injected-wallets.js';

/** What the page does when wallets decline, fail or misbehave. */
let market: IntentsMarket;
let scenario: IntentsScenario;
let browser: Browser;
let buyer: Actor;
let worker: Actor;
let action: any;
const open: ApprovalWindow[] = [];

describeWithBrowser(`a wallet at the approval page${BROWSER_NOTE}`, () => {
  beforeAll(async () => {
    [market, browser] = await Promise.all([approvalMarket(), launchBrowser()]);
    scenario = new IntentsScenario(market);
    worker = await market.actor('Worker');
  });

  beforeEach(async () => {
    buyer = await market.actor('Buyer');
    const offer = await scenario.selected(buyer, worker);
    const intent = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'authorization'));
    ({ action } = await market.ask(buyer, intent));
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((window) => window.close()));
  });

  afterAll(async () => {
    await browser?.close();
    await market?.stop();
  });

  /** Opens the page in a browser with this wallet and connects the wallet. */
  async function meet(wallet: InjectedWallet, options: ApprovalWindowOptions = {}): Promise<ApprovalWindow> {
    const window = await ApprovalWindow.claim(browser, action, { wallets: [wallet], ...options });
    open.push(window);
    await window.connect(wallet.name);
    return window;
  }

  const asked = ({ calls }: InjectedWallet, method: string): number =>
    calls.filter((call) => call.method === method).length;

  it('on another network is asked to change, and then signs', async () => {
    const wallet = chainWallet(market, buyer, { chain: '0x1' });
    const window = await meet(wallet);
    await window.becomes('wrong_chain');
    expect(await window.signButton.count()).toBe(0);
    await window.button('Switch network').click();
    await window.becomes('ready');
    expect(asked(wallet, 'eth_signTypedData_v4')).toBe(0);
  });

  it('that does not know the network is told about it, and never signs on another one', async () => {
    const unknown = new WalletError(4902, 'Unrecognized chain ID.');
    const wallet = chainWallet(market, buyer, {
      chain: '0x1',
      answer: (method) => (method === 'wallet_switchEthereumChain' ? Promise.reject(unknown) : undefined),
    });
    const window = await meet(wallet);
    await window.becomes('wrong_chain');
    await window.button('Switch network').click();
    await window.page.getByText(/did not switch|does not know/).waitFor();
    expect(asked(wallet, 'wallet_addEthereumChain')).toBe(1);
    expect(await window.signButton.count()).toBe(0);
  });

  it('with another account is told which one is needed, and never asked to sign', async () => {
    const wallet = chainWallet(market, worker);
    const window = await meet(wallet);
    await window.becomes('wrong_wallet');
    expect((await window.page.textContent('main'))!.replaceAll(' ', '')).toContain(buyer.wallet);
    expect(await window.signButton.count()).toBe(0);
    expect(asked(wallet, 'eth_signTypedData_v4')).toBe(0);
  });

  it('that declines to connect or to sign leads back to where one can try again', async () => {
    const connecting = await ApprovalWindow.claim(browser, action, {
      wallets: [declining(market, buyer, 'eth_requestAccounts'), chainWallet(market, buyer, { name: 'Second Wallet' })],
    });
    open.push(connecting);
    await connecting.connect();
    await connecting.page.getByText('You declined in the wallet').waitFor();
    await connecting.connect('Second Wallet');
    await connecting.becomes('ready');
  });

  it('that declines to sign, and to send, can be asked again', async () => {
    let said = 0;
    const rejection = new WalletError(4001, 'User rejected the request.');
    // Declines the first signature and the first transaction, and accepts the second ones.
    const wallet = chainWallet(market, buyer, {
      answer: (method) =>
        method.startsWith('eth_s') && [0, 2].includes(said++) ? Promise.reject(rejection) : undefined,
    });
    const window = await meet(wallet);
    await window.sign();
    await window.becomes('rejected');
    await window.signButton.click();
    await window.send();
    await window.page.getByText('The signature stands').waitFor();
    await window.send();
    await window.becomes('confirmed');
    expect(window.window.wrongs).toEqual([]);
  });

  it('that has a question open already is named as that', async () => {
    const pending = new WalletError(-32_002, 'Request already pending.');
    const window = await meet(failing(market, buyer, 'eth_signTypedData_v4', pending));
    await window.sign();
    await window.becomes('pending_in_wallet');
  });

  it('that is locked and says nothing is said to be locked, and another can be chosen', async () => {
    const silent = chainWallet(market, buyer, {
      answer: (method) => (method === 'eth_requestAccounts' ? new Promise(() => undefined) : undefined),
    });
    const window = await meet(silent);
    await window.becomes('connecting');
    await window.becomes('wallet_locked');
    await window.button('Use another wallet').click();
    await window.becomes('choose_wallet');
  });

  it('that signs with another key has signed nothing', async () => {
    const wallet = chainWallet(market, buyer, {
      answer: (method, [, data]) =>
        method === 'eth_signTypedData_v4'
          ? market.stack.chain.anvil.rpc(method, worker.key, JSON.parse(String(data)))
          : undefined,
    });
    const window = await meet(wallet);
    await window.sign();
    await window.becomes('signature_invalid');
    expect(asked(wallet, 'eth_sendTransaction')).toBe(0);
  });

  it('that is a contract which does not exist yet is asked to become one first', async () => {
    const wrapped = AbiCoder.defaultAbiCoder().encode(
      ['address', 'bytes', 'bytes'],
      ['0x4e59b44847b379578588920cA78FbF26c0B4956C', '0x1234', `0x${'11'.repeat(65)}`],
    );
    const wallet = chainWallet(market, buyer, {
      answer: (method) =>
        method === 'eth_signTypedData_v4' ? Promise.resolve(concat([wrapped, `0x${'6492'.repeat(16)}`])) : undefined,
    });
    const window = await meet(wallet);
    await window.sign();
    await window.becomes('smart_wallet_inactive');
  });

  it('whose own node does not answer is not asked to sign: the service alone is not believed', async () => {
    const away = (method: string): Promise<never> | undefined =>
      /^eth_(?:call|getCode|getBlock|getBalance|blockNumber)/.test(method)
        ? Promise.reject(new WalletError(-32_603, 'Internal error'))
        : undefined;
    const window = await meet(chainWallet(market, buyer, { answer: away }));
    await window.becomes('node_away');
    expect(await window.signButton.count()).toBe(0);
  });

  it('can sign without a preview while the service cannot reach the chain, and is told so', async () => {
    const { rpc } = market.stack;
    rpc.mode = 'refuse';
    try {
      const window = await meet(chainWallet(market, buyer));
      await window.becomes('not_previewed');
      expect(await window.signButton.count()).toBe(1);
      expect(window.window.watch.faults).toEqual([]);
    } finally {
      rpc.mode = 'pass';
    }
  });

  it('that has too little USDC is told how much is missing', async () => {
    await keepUsdc(market, buyer, 40n * USDC);
    const window = await meet(chainWallet(market, buyer));
    await window.becomes('insufficient_usdc');
    expect((await window.headings()).join()).toMatch(/You have 40\.00 USDC\. This needs 100\.00 USDC/);
    expect(await window.signButton.count()).toBe(0);
  });

  it('that cannot pay the network’s fee is told so', async () => {
    const poor = await market.actor('Poor worker');
    const job = await scenario.funded(buyer, poor);
    await market.stack.chain.anvil.rpc('anvil_setBalance', poor.wallet, '0x0');
    ({ action } = await market.ask(poor, poor.intents.abandon(job)));
    const window = await meet(chainWallet(market, poor));
    await window.becomes('insufficient_gas');
    expect(await window.signButton.count()).toBe(0);
  });

  it('is not asked to sign what the chain would refuse', async () => {
    const offer = await scenario.selected(buyer, worker);
    ({ action } = await market.ask(buyer, buyer.intents.fundTask(offer, await scenario.paying(buyer, 'allowance'))));
    // The issuer of USDC may block any address at any time.
    await market.stack.chain.callUsdc('blacklist', [buyer.wallet]);
    const wallet = chainWallet(market, buyer);
    const window = await meet(wallet);
    await window.becomes('would_revert');
    expect(await window.signButton.count()).toBe(0);
    expect(asked(wallet, 'eth_signTypedData_v4')).toBe(0);
  });

  it('that makes several calls one (EIP-5792) does all in one step, and signs nothing', async () => {
    const offer = await scenario.selected(buyer, worker);
    const intent = buyer.intents.fundTask(offer, await scenario.paying(buyer, 'allowance'));
    ({ action } = await market.ask(buyer, intent));
    // The payment needs the token's approval first, so there is more than one call.
    expect(action.payload.calls.length).toBeGreaterThan(1);
    const wallet = chainWallet(market, buyer, { bundles: true });
    const window = await meet(wallet);
    await window.sign();
    await window.becomes('confirmed');
    const methods = ['wallet_sendCalls', 'eth_signTypedData_v4', 'eth_sendTransaction'];
    expect(methods.map((method) => asked(wallet, method))).toEqual([1, 0, 0]);
    const [bundle] = wallet.calls.find(({ method }) => method === 'wallet_sendCalls')!.params as [any];
    const plain = ({ to, data }: any) => ({ to, data });
    expect([bundle.atomicRequired, bundle.calls.map(plain)]).toEqual([true, action.payload.calls.map(plain)]);
    await becomeFinal(market);
    await window.becomes('final');
    expect(await scenario.status(buyer, offer.task)).toBe('funded');
    expect(window.window.wrongs).toEqual([]);
  });

  it('gets the typed data exactly as the service has prepared it', async () => {
    const wallet = chainWallet(market, buyer);
    const window = await meet(wallet);
    await window.sign();
    await window.becomes('send_ready');
    const [, data] = wallet.calls.find(({ method }) => method === 'eth_signTypedData_v4')!.params;
    const { domain, types, primaryType, message } = action.payload;
    expect(JSON.parse(String(data))).toEqual({ domain, types, primaryType, message });
  });
});
