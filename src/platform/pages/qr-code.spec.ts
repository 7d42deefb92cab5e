import { encode } from 'uqr';
import { qrCode } from './qr-code.js';

/** What the picture draws, as rows of modules. */
function drawn(svg: string, size: number): string[] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) rows[Number(y)]![at] = '#';
  }
  return rows.map((row) => row.join(''));
}

const MESSAGE = 'market.example wants you to sign in with your Ethereum account:\n'.repeat(6);

it('draws every module of the code, dark where it is dark', () => {
  const { data, size } = encode(MESSAGE, { ecc: 'L', boostEcc: false, border: 0 });
  const svg = qrCode(MESSAGE, 'label')?.text ?? '';
  expect(drawn(svg, size)).toEqual(data.map((row) => row.map((dark) => (dark ? '#' : '.')).join('')));
});

it('has light modules around it, a name, and neither style nor script', () => {
  const svg = qrCode('0x', 'A "label"')?.text ?? '';
  expect(svg).toContain('viewBox="-4 -4 29 29"');
  expect(svg).toContain('aria-label="A &quot;label&quot;"');
  expect(svg).not.toMatch(/style|script|href/);
});

it('is left out for a text that no camera would read from a screen', () => {
  expect(qrCode('x'.repeat(1_000), 'label')).not.toBeNull();
  expect(qrCode('x'.repeat(1_001), 'label')).toBeNull();
  expect(qrCode('€'.repeat(400), 'label')).toBeNull();
  expect(qrCode('x'.repeat(1_000_000), 'label')).toBeNull();
});
