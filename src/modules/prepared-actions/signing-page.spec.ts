import { renderSigningPage, type SigningPageContent } from './signing-page.js';

const HOSTILE = `"><script>alert(1)</script>\u202Egnp.exe\u200B\n<img src=x onerror=alert(2)>${'a'.repeat(200)}`;

const content: SigningPageContent = {
  displayName: 'Tasktree',
  sentence: 'Give up node 2 of this task: 15.00 USDC goes back.',
  taskTitle: HOSTILE,
  status: 'prepared',
  transactionHash: null,
  expiresAt: new Date(Date.UTC(2026, 10, 20, 13)),
  members: { wallet_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', chain_id: '31337' },
  payload: { primaryType: 'AbandonNode', message: { nodeId: '2' } },
};

describe('the signing page', () => {
  it('shows a hostile title as one short line of text', () => {
    const page = renderSigningPage(content);
    expect(page).not.toMatch(/<script|<img|\u202E|\u200B/);
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;gnp.exe &lt;img');
    const shown = /called “(.*)” by/.exec(page)?.[1] ?? '';
    expect(shown.replace(/&[a-z0-9#]+;/g, '.')).toHaveLength(80);
  });

  it('says what is done, until when, that it cannot be undone, and how to sign', () => {
    const page = renderSigningPage(content);
    expect(page).toContain('<h1>Give up node 2 of this task: 15.00 USDC goes back.</h1>');
    expect(page).toContain('until 2026-11-20T13:00:00.000Z; this cannot be undone');
    expect(page).toContain('eth_signTypedData_v4');
    expect(page).toContain('not part of this release');
  });

  it('refers to nothing outside itself', () => {
    expect(renderSigningPage({ ...content, taskTitle: 'x' })).not.toMatch(/src=|href=|<link|<style|<form|url\(/i);
  });

  it('says that nothing is left to sign once it was executed', () => {
    const page = renderSigningPage({ ...content, status: 'confirmed', transactionHash: `0x${'7'.repeat(64)}` });
    expect(page).toContain(`Already executed in transaction 0x${'7'.repeat(64)}`);
  });
});
