import { Interface } from 'ethers';
import { localUsdcAbi } from '../generated/local-usdc.js';
import { addressTopic, decodeTokenTransfer, TRANSFER_TOPIC } from './token-transfers.js';

const token = new Interface(localUsdcAbi);
const FROM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

it("reads a transfer as the token's own interface writes it", () => {
  const event = token.getEvent('Transfer')!;
  const { topics, data } = token.encodeEventLog(event, [FROM, TO, 2n ** 70n]);
  expect(topics[0]).toBe(TRANSFER_TOPIC);
  expect(topics[1]).toBe(addressTopic(FROM));
  expect(decodeTokenTransfer({ topics, data } as any)).toEqual({ from: FROM, to: TO, amount: 2n ** 70n });
});

it('refuses any other event', () => {
  const event = token.getEvent('Approval')!;
  const { topics, data } = token.encodeEventLog(event, [FROM, TO, 1n]);
  expect(() => decodeTokenTransfer({ topics, data } as any)).toThrow(RangeError);
  expect(() => decodeTokenTransfer({ topics: [TRANSFER_TOPIC], data: '0x' })).toThrow(RangeError);
});
