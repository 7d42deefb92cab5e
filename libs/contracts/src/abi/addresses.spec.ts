import { actionIdHash, asHex, checksumAddress, predictEscrowAddress, treeIdOf } from './addresses.js';

/** Computed by `escrowOf` of the real factory on anvil (`on-chain.spec.ts` asks it again on every run). */
const computed = {
  factory: '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0',
  implementation: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  buyer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  arbiter: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  treeId: treeIdOf('task_01arz3ndektsv4rrffq69g5fav'),
};
const ESCROW = '0x519aBC725AB054AAC8318a3aB2830bb5A9C39c67';

test('the address of a tree is the one that the factory computes', () => {
  expect(predictEscrowAddress(computed)).toBe(ESCROW);
});

test('the address does not depend on the letters in which its parts are written', () => {
  const lower = Object.fromEntries(Object.entries(computed).map(([name, hex]) => [name, hex.toLowerCase()]));
  expect(predictEscrowAddress(lower as typeof computed)).toBe(ESCROW);
});

test.each(Object.keys(computed))('the address commits to the %s', (part) => {
  const other = part === 'treeId' ? treeIdOf('task_other') : '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  expect(predictEscrowAddress({ ...computed, [part]: other })).not.toBe(ESCROW);
});

test('the ids of trees and actions are keccak256 of their UTF-8 bytes', () => {
  expect(treeIdOf('')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
  expect(actionIdHash('abc')).toBe('0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45');
});

test('addresses are shown with their checksum, and one with a wrong checksum is refused', () => {
  expect(checksumAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')).toBe(computed.buyer);
  expect(() => checksumAddress('0x70997970C51812dc3A010C7d01b50e0d17dc79c8')).toThrow(TypeError);
  expect(() => checksumAddress('0x70997970')).toThrow(TypeError);
});

test('only hexadecimal passes for hexadecimal', () => {
  expect(() => asHex('70997970')).toThrow(TypeError);
});
