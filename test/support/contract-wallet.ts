/**
 * Creation code of a contract that recovers the signer of `isValidSignature(hash, r‖s‖v)` and compares it with the
 * owner.
 */
export function contractWalletCode(owner: string): string {
  const code = [
    '6004355f52', // hash
    '60a43560f81c602052', // v
    '606435604052', // r
    '608435606052', // s
    '602060806080' + '5f60015afa50', // ecrecover
    `73${owner.slice(2).toLowerCase()}60805114`,
    '631626ba7e60e01b02', // the magic value, or nothing
    '5f5260205ff3',
  ].join('');
  return creationOf(code);
}

/** Creation code of a contract that accepts every signature. */
export function agreeableWalletCode(): string {
  return creationOf('631626ba7e60e01b5f5260205ff3');
}

/** Code that deploys the code, of at most 255 bytes. */
function creationOf(code: string): string {
  return `0x60${(code.length / 2).toString(16).padStart(2, '0')}8060095f395ff3${code}`;
}
