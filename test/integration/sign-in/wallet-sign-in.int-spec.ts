import { concat, getAddress, type Wallet, hashMessage, Signature, toBeHex } from 'ethers';
import { SignInSweeper } from '../../../src/modules/sign-in/sign-in.sweeper.js';
import type { ChallengeUse, OpenedChallenge } from '../../../src/modules/sign-in/wallet-challenges.js';
import { contractWalletCode } from '../../support/contract-wallet.js';
import { randomWallet } from '../../support/random-wallet.js';
import { SignInApp, wrapped } from '../../support/sign-in-app.js';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MINUTE_MS = 60_000;

let app: SignInApp;

beforeAll(async () => {
  app = await SignInApp.start();
  app.rpc.calls.length = 0;
});

afterAll(() => app?.close());

afterEach(() => {
  app.rpc.mode = 'pass';
  app.rpc.calls.length = 0;
  app.clock.aheadMs = 0;
});

/** A message that was requested and not answered yet. */
const asked = async (address?: string) => {
  const wallet = randomWallet();
  const use = app.browser();
  return { wallet, use, ...(await app.issue(use, address ?? wallet.address)) };
};
const redeem = (use: ChallengeUse, { challengeId }: Pick<OpenedChallenge, 'challengeId'>, signature: string) =>
  app.challenges.redeem({ ...use, challengeId, signature });
/**
 * Expects the same refusal as for every other fault, this reason in the audit record, and a challenge that is not used
 * up.
 */
const expectRefused = async (use: ChallengeUse, of: { challengeId: string }, signature: string, reason: string) => {
  await expect(redeem(use, of, signature)).rejects.toMatchObject({
    code: 'invalid_request',
    reason: 'The signature was not accepted.',
  });
  const rows = await app.audited(use.auditId);
  expect(rows.at(-1)).toMatchObject({ event: 'session_refused', detail: { purpose: use.purpose, reason } });
  expect(JSON.stringify(rows)).not.toContain(signature.slice(2, 40));
};

it('a message takes ten signatures at most, so that nobody has the chain asked without end', async () => {
  const { wallet, use, message, ...challenge } = await asked();
  const wrong = await randomWallet().signMessage(message);
  for (let i = 0; i < 10; i += 1) await expectRefused(use, challenge, wrong, 'wrong_signature');
  app.rpc.calls.length = 0;
  await expectRefused(use, challenge, await wallet.signMessage(message), 'too_many_attempts');
  expect(app.rpc.calls).toEqual([]);
});

it('proofs and refusals of a network are counted for it, so that none hides those of another', async () => {
  const counted = () =>
    app.dataSource.query<{ event: string; count: string }[]>(
      "SELECT event, count FROM audit_counts WHERE source = '198.51.100.9' ORDER BY event",
    );
  const wallet = randomWallet();
  const use = app.browser({ clientAddress: '198.51.100.9' });
  const { message, ...challenge } = await app.issue(use, wallet.address);
  await expectRefused(use, challenge, await randomWallet().signMessage(message), 'wrong_signature');
  await redeem(use, challenge, await wallet.signMessage(message));
  expect(await counted()).toEqual([
    { event: 'session_refused', count: '1' },
    { event: 'wallet_proved', count: '1' },
  ]);
});

describe('a key', () => {
  it('signs the message and is known by its address alone, on every chain', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    const proof = await redeem(use, challenge, await wallet.signMessage(message));
    expect(proof).toEqual({ address: wallet.address, chainId: 0 });
    const detail = { purpose: 'sign_in', wallet: wallet.address, by: 'key' };
    expect(await app.audited(use.auditId)).toEqual([{ event: 'wallet_proved', account_id: null, detail }]);
    expect(app.rpc.calls).toEqual([]);
  });

  it('may be asked for in lower case, but not with a wrong checksum or as anything else', async () => {
    const { address } = randomWallet();
    const { message } = await app.issue(app.browser(), ` ${address.toLowerCase()} `);
    expect(message.split('\n')[1]).toBe(address);
    // A fixed address: flipping the case of one letter of a random one could leave all letters in one case, which is
    // accepted.
    const misspelt = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
    expect(getAddress(misspelt.toLowerCase())).toBe(misspelt.replace(/D$/, 'd'));
    for (const text of [misspelt, address.slice(2), `${address}\n`.repeat(2), 'ada.eth', '', `${address}00`]) {
      await expect(app.issue(app.browser(), text)).rejects.toMatchObject({ code: 'invalid_request' });
    }
  });

  it('does not sign for another address', async () => {
    const { use, message, ...challenge } = await asked();
    const signature = await randomWallet().signMessage(message);
    await expectRefused(use, challenge, signature, 'wrong_signature');
  });

  it('signs in the one form that has no twin: no high s, no compact form, no v of 0 or 1, nothing added', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    const good = Signature.from(await wallet.signMessage(message));
    const highS = concat([good.r, toBeHex(CURVE_ORDER - BigInt(good.s), 32), toBeHex(good.v === 27 ? 28 : 27)]);
    const plainV = concat([good.r, good.s, toBeHex(good.yParity, 1)]);
    for (const twin of [highS, good.compactSerialized, plainV, `${good.serialized}00`]) {
      await expectRefused(use, challenge, twin, 'wrong_signature');
    }
    for (const text of ['', 'signed', good.serialized.slice(2), good.serialized.slice(0, -1)]) {
      await expect(redeem(use, challenge, text)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(await redeem(use, challenge, good.serialized)).toMatchObject({ address: wallet.address });
  });

  it('cannot bring a message of its own: not for another chain, another site, nor a later end', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    const forged = [
      message.replace('Chain ID: 31337', 'Chain ID: 1'),
      message.replace('market.example wants', 'market.evil wants'),
      message.replace(/Expiration Time: .*/, 'Expiration Time: 2100-01-01T00:00:00.000Z'),
      message.replace(/Nonce: .*/, 'Nonce: 00000000000000000000000000000000'),
      message.replace('Sign in to Tasktree.', 'Pay.'),
      `${message}\n`,
    ];
    for (const other of forged) {
      expect(other).not.toBe(message);
      await expectRefused(use, challenge, await wallet.signMessage(other), 'wrong_signature');
    }
  });

  it('signs with EIP-191: a bare signature of the digest of the text is none', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    const bare = wallet.signingKey.sign(hashMessage(hashMessage(message))).serialized;
    await expectRefused(use, challenge, bare, 'wrong_signature');
  });
});

describe('a challenge', () => {
  it('is good once', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    const signature = await wallet.signMessage(message);
    await redeem(use, challenge, signature);
    await expectRefused(use, challenge, signature, 'already_used');
  });

  it('gives one proof to twenty that bring it at the same moment', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    const signature = await wallet.signMessage(message);
    const signInOnce = async () => {
      const proof = await redeem(use, challenge, signature);
      const { id } = await app.wallets.signIn(proof, use.auditId);
      const session = { accountId: id, walletAddress: proof.address, userAgent: 'test', requestId: use.auditId };
      return app.sessions.start(session);
    };
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, signInOnce));
    const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(started).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'invalid_request' });
    }
    expect(await app.sessions.list(started[0]!.session.accountId)).toHaveLength(1);
    const events = (await app.audited(use.auditId)).map(({ event }) => event);
    expect(events.filter((event) => event === 'session_refused')).toHaveLength(19);
    expect(events.filter((event) => event !== 'session_refused').sort()).toEqual([
      'session_started',
      'wallet_linked',
      'wallet_proved',
    ]);
  });

  it('ends after five minutes', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    expect(challenge.expiresAt.getTime() - app.clock.wallMs()).toBeGreaterThan(5 * MINUTE_MS - 5_000);
    const signature = await wallet.signMessage(message);
    app.clock.aheadMs = 5 * MINUTE_MS;
    await expectRefused(use, challenge, signature, 'expired');
  });

  it('is for the browser, the purpose and the page that it was made for', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    const signature = await wallet.signMessage(message);
    const { binding, requestId } = app.browser();
    await expectRefused({ ...use, binding }, challenge, signature, 'other_browser');
    await expectRefused({ ...use, binding: '' }, challenge, signature, 'other_browser');
    await expectRefused({ ...use, requestId }, challenge, signature, 'other_request');
    await expectRefused({ ...use, purpose: 'link_wallet' }, challenge, signature, 'other_purpose');
    expect(await redeem(use, challenge, signature)).toMatchObject({ address: wallet.address });
  });

  it('is not another one: an old message proves nothing for a new challenge of the same page', async () => {
    const { wallet, use, message } = await asked();
    const second = await app.issue(use, wallet.address);
    expect(second.message).not.toBe(message);
    await expectRefused(use, second, await wallet.signMessage(message), 'wrong_signature');
  });

  it('must exist: unknown and impossible ids are refused like everything else', async () => {
    const { wallet, use, message } = await asked();
    const signature = await wallet.signMessage(message);
    for (const challengeId of [
      'chal_00000000000000000000000000',
      '',
      "' OR 1=1 --",
      'chal_\u0000',
      'x'.repeat(5_000),
    ]) {
      await expectRefused(use, { challengeId }, signature, 'unknown_challenge');
    }
  });

  it('is kept without the secret of its browser', async () => {
    const { use, challengeId } = await asked();
    const [row] = await app.dataSource.query('SELECT c::text AS row FROM wallet_challenges c WHERE id = $1', [
      challengeId,
    ]);
    expect(row.row).not.toContain(use.binding);
    expect(row.row).not.toContain(Buffer.from(use.binding).toString('hex'));
  });

  it('is swept away an hour after its end, and not before', async () => {
    const { challengeId } = await asked();
    const isKept = async () => {
      await app.get(SignInSweeper).sweep();
      return (await app.dataSource.query('SELECT FROM wallet_challenges WHERE id = $1', [challengeId])).length === 1;
    };
    app.clock.aheadMs = 64 * MINUTE_MS;
    expect(await isKept()).toBe(true);
    app.clock.aheadMs = 66 * MINUTE_MS;
    expect(await isKept()).toBe(false);
  });
});

describe('a contract wallet', () => {
  it('is asked on the chain, and known by chain and address', async () => {
    const wallet = app.contractWallet();
    await wallet.deploy();
    const { use, message, ...challenge } = await asked(wallet.address);
    const stranger = await randomWallet().signMessage(message);
    await expectRefused(use, challenge, stranger, 'wrong_signature');
    const proof = await redeem(use, challenge, await wallet.owner.signMessage(message));
    expect(proof).toEqual({ address: wallet.address, chainId: 31337 });
    expect((await app.audited(use.auditId)).at(-1)?.detail).toMatchObject({ by: 'contract' });
    const calls = app.rpc.calls.filter(({ method }) => method === 'eth_call');
    expect(calls.map(({ params: [call] }) => Number((call as { gas: string }).gas))).toEqual([5_000_000, 5_000_000]);
  });

  it('signs before it is deployed, and stays undeployed', async () => {
    const wallet = app.contractWallet();
    const { use, message, ...challenge } = await asked(wallet.address);
    await expectRefused(use, challenge, await wallet.owner.signMessage(message), 'wrong_signature');
    const proof = await redeem(use, challenge, await wallet.signUndeployed(message));
    expect(proof).toEqual({ address: wallet.address, chainId: 31337 });
    expect(await app.chain.anvil.rpc('eth_getCode', wallet.address, 'latest')).toBe('0x');
    const call = app.rpc.calls.find(({ method }) => method === 'eth_call');
    expect(call?.params[0]).toMatchObject({ gas: '0x4c4b40' });
    expect(call?.params[0]).not.toHaveProperty('to');
  });

  it('may still wrap its signature once it is deployed', async () => {
    const wallet = app.contractWallet();
    await wallet.deploy();
    const { use, message, ...challenge } = await asked(wallet.address);
    const proof = await redeem(use, challenge, await wallet.signUndeployed(message));
    expect(proof).toEqual({ address: wallet.address, chainId: 31337 });
  });

  it('is not proved by another factory, another owner, a factory that fails, or garbage', async () => {
    const wallet = app.contractWallet();
    const other = app.contractWallet();
    const { use, message, ...challenge } = await asked(wallet.address);
    const inner = await wallet.owner.signMessage(message);
    const magic = `0x${'6492'.repeat(16)}`;
    const wrong = [
      await other.signUndeployed(message),
      wrapped(app.chain.factory, '0x12345678', inner),
      wrapped(wallet.owner.address, '0x', inner),
      wrapped('0x4e59b44847b379578588920cA78FbF26c0B4956C', '0x', inner),
      magic,
      concat([inner, magic]),
      concat([`0x${'ff'.repeat(96)}`, magic]),
      wrapped(wallet.address, '0x', magic),
    ];
    for (const signature of wrong) await expectRefused(use, challenge, signature, 'wrong_signature');
  });

  it('cannot be deployed at the address of somebody else', async () => {
    const victim = randomWallet();
    const thief = app.contractWallet();
    const { use, message, ...challenge } = await asked(victim.address);
    await expectRefused(use, challenge, await thief.signUndeployed(message), 'wrong_signature');
  });

  it('has no more than 5,000,000 gas to say so', async () => {
    const glutton = randomWallet();
    const { use, message, ...challenge } = await asked(glutton.address);
    const signature = await randomWallet().signMessage(message);
    // One code loops forever (JUMPDEST, PUSH1 0, JUMP); the other (INVALID) uses up all gas at once.
    for (const code of ['0x5b600056', '0xfe']) {
      await app.chain.anvil.rpc('anvil_setCode', glutton.address, code);
      await expectRefused(use, challenge, signature, 'wrong_signature');
    }
  });

  it('is refused above 8 KiB without being asked', async () => {
    const wallet = app.contractWallet();
    await wallet.deploy();
    const { use, message, ...challenge } = await asked(wallet.address);
    app.rpc.calls.length = 0;
    const inner = await wallet.owner.signMessage(message);
    const longest = concat([inner, `0x${'00'.repeat(8_192 - 65)}`]);
    await expectRefused(use, challenge, `${longest}00`, 'wrong_signature');
    expect(app.rpc.calls).toEqual([]);
    expect(await redeem(use, challenge, longest)).toMatchObject({ address: wallet.address });
  });

  it('that stands at the address of a key leaves the key its word (EIP-7702)', async () => {
    const key = randomWallet();
    const delegate = randomWallet();
    await app.chain.anvil.rpc('anvil_setCode', key.address, runtime(contractWalletCode(delegate.address)));
    const proved = async (signer: Wallet) => {
      const { use, message, ...challenge } = await asked(key.address);
      return redeem(use, challenge, await signer.signMessage(message));
    };
    expect(await proved(key)).toEqual({ address: key.address, chainId: 0 });
    expect(await proved(delegate)).toEqual({ address: key.address, chainId: 31337 });
  });
});

describe('a chain that cannot be asked', () => {
  it.each(['refuse', 'error'] as const)('is a 503 (%s), and the challenge still works', async (mode) => {
    const wallet = app.contractWallet();
    await wallet.deploy();
    const { use, message, ...challenge } = await asked(wallet.address);
    const signature = await wallet.owner.signMessage(message);
    app.rpc.mode = mode;
    await expect(redeem(use, challenge, signature)).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    expect(await app.audited(use.auditId)).toEqual([]);
    app.rpc.mode = 'pass';
    expect(await redeem(use, challenge, signature)).toMatchObject({ address: wallet.address });
  });

  it('does not keep a key from signing in', async () => {
    const { wallet, use, message, ...challenge } = await asked();
    app.rpc.mode = 'refuse';
    expect(await redeem(use, challenge, await wallet.signMessage(message))).toMatchObject({ address: wallet.address });
  });
});

describe('messages', () => {
  it('are limited per client network and minute; an IPv6 subscriber is one network', async () => {
    const limited = await SignInApp.start({ rateLimitSignIn: 3, rateLimitSignInTotal: 4 });
    try {
      const { address } = randomWallet();
      const use = limited.browser();
      for (const last of ['1', '2', 'ffff:1']) await limited.issue(use, address, `2001:db8:1:2::${last}`);
      const refusal = limited.issue(use, address, '2001:db8:1:2:3::4');
      await expect(refusal).rejects.toMatchObject({ code: 'rate_limited', headers: { 'X-Limit-Remaining': '0' } });
      expect((await limited.audited(use.auditId)).map(({ detail }) => detail.reason)).toEqual(['rate_limited']);
      await limited.issue(use, address, '2001:db8:1:3::1');
    } finally {
      await limited.close();
    }
  });
});

/** The code that this creation code deploys. */
function runtime(creationCode: string): string {
  return `0x${creationCode.slice(2 + 18)}`;
}
