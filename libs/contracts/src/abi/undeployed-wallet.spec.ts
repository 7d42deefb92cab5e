import { AbiCoder, concat, dataLength, dataSlice } from 'ethers';
import { serializeErc6492Signature } from 'viem/utils';
import type { Hex } from '#libs/kernel';
import { asHex } from './addresses.js';
import { undeployedWalletCheckBytecode } from '../generated/undeployed-wallet-check.js';
import {
  decodeUndeployedWalletCheck,
  encodeUndeployedWalletCheck,
  readUndeployedWalletSignature,
} from './undeployed-wallet.js';

const FACTORY = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WALLET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const DIGEST: Hex = `0x${'ab'.repeat(32)}`;
const SIGNATURE: Hex = `0x${'1b'.repeat(65)}`;
const MAGIC = `0x${'6492'.repeat(16)}`;
const wrapped = serializeErc6492Signature({ address: FACTORY, data: '0x12345678', signature: SIGNATURE });

describe('a signature of ERC-6492', () => {
  it('is taken apart into the parts that another library joined', () => {
    const parts = { factory: FACTORY, factoryCall: '0x12345678', signature: SIGNATURE };
    expect(readUndeployedWalletSignature(wrapped)).toEqual(parts);
    expect(readUndeployedWalletSignature(asHex(wrapped.toUpperCase().replace('0X', '0x')))).toEqual(parts);
  });

  it('is known by its suffix, and refused when the bytes before it are not its three values', () => {
    const bytes = AbiCoder.defaultAbiCoder().encode(['address', 'bytes', 'bytes'], [FACTORY, '0x', SIGNATURE]);
    const none = [
      '0x',
      SIGNATURE,
      bytes,
      MAGIC,
      concat([SIGNATURE, MAGIC]),
      concat([`0x${'ff'.repeat(96)}`, MAGIC]),
      concat([dataSlice(bytes, 0, dataLength(bytes) - 96), MAGIC]),
      `${wrapped}00`,
      wrapped.slice(0, -2),
    ];
    for (const text of none) expect(readUndeployedWalletSignature(asHex(text))).toBeNull();
  });
});

describe('the question to a wallet', () => {
  it('is the creation code and its arguments, and is answered by one byte', () => {
    const parts = { factory: FACTORY, factoryCall: '0x12345678', signature: SIGNATURE } as const;
    const data = encodeUndeployedWalletCheck(WALLET, DIGEST, parts);
    expect(data.startsWith(undeployedWalletCheckBytecode)).toBe(true);
    const values = AbiCoder.defaultAbiCoder().decode(
      ['address', 'bytes32', 'address', 'bytes', 'bytes'],
      `0x${data.slice(undeployedWalletCheckBytecode.length)}`,
    );
    expect(values.toArray()).toEqual([WALLET, DIGEST, FACTORY, '0x12345678', SIGNATURE]);
    expect(decodeUndeployedWalletCheck('0x01')).toBe(true);
    for (const other of ['0x', '0x00', '0x02', `0x${'00'.repeat(31)}01`, '0x0101']) {
      expect(decodeUndeployedWalletCheck(other)).toBe(false);
    }
  });
});
