import { BYTES32_PATTERN, bytesToHex, EVM_ADDRESS_PATTERN, hexToBytes, isHex } from './evm.js';

test('bytes survive the trip through hexadecimal', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
  expect(hexToBytes(bytesToHex(bytes))).toEqual(bytes);
  expect(bytesToHex(bytes.subarray(250))).toBe('0xfafbfcfdfeff');
  expect(hexToBytes('0x')).toEqual(new Uint8Array());
  expect(hexToBytes('0xAbCd')).toEqual(Uint8Array.of(0xab, 0xcd));
});

test.each(['', 'ab', '0xa', '0xzz', '0X00', ' 0x00', '0x00\n'])('%j is no hexadecimal', (text) => {
  expect(isHex(text)).toBe(false);
  expect(() => hexToBytes(text)).toThrow(SyntaxError);
});

test('addresses have 20 bytes and digests 32', () => {
  expect(EVM_ADDRESS_PATTERN.test(`0x${'aF'.repeat(20)}`)).toBe(true);
  expect(EVM_ADDRESS_PATTERN.test(`0x${'aF'.repeat(21)}`)).toBe(false);
  expect(BYTES32_PATTERN.test(`0x${'0b'.repeat(32)}`)).toBe(true);
  expect(BYTES32_PATTERN.test(`0x${'0b'.repeat(31)}`)).toBe(false);
});
