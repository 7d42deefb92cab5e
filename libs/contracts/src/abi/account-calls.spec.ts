import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { encodeExecuteData } from 'viem/experimental/erc7821';
import { encodeAccountCalls } from './account-calls.js';

const TO = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const OTHER = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512';
const ABI = parseAbi([
  'struct Call { address target; uint256 value; bytes data; }',
  'function execute(address target, uint256 value, bytes data)',
  'function executeBatch(Call[] calls)',
]);
const one = { to: TO, data: '0x12345678', value: '0x0' } as const;
const two = { to: OTHER, data: '0xabcdef', value: '0x5' } as const;
const rowOf = ({ to, data, value }: { to: Hex; data: Hex; value: string }) => ({
  target: to,
  value: BigInt(value),
  data,
});

it('makes one call in each form that another library writes', () => {
  const forms = encodeAccountCalls([one]);
  expect(forms).toEqual(
    expect.arrayContaining([
      encodeFunctionData({ abi: ABI, functionName: 'execute', args: [TO, 0n, one.data] }),
      encodeFunctionData({ abi: ABI, functionName: 'executeBatch', args: [[rowOf(one)]] }),
      encodeExecuteData({ calls: [{ to: TO, data: one.data, value: 0n }] }),
    ]),
  );
  // ERC-7579 packs a single call: target, 32 bytes of value, data.
  const packed = `${TO.slice(2)}${'0'.repeat(64)}12345678`.toLowerCase();
  expect(forms.filter((form) => form.includes(packed))).toHaveLength(1);
  expect(new Set(forms).size).toBe(4);
});

it('makes several calls as one batch alone, in their order', () => {
  const forms = encodeAccountCalls([one, two]);
  expect(forms).toEqual([
    encodeFunctionData({ abi: ABI, functionName: 'executeBatch', args: [[rowOf(one), rowOf(two)]] }),
    encodeExecuteData({
      calls: [
        { to: TO, data: one.data, value: 0n },
        { to: OTHER, data: two.data, value: 5n },
      ],
    }),
  ]);
  expect(encodeAccountCalls([two, one])).not.toEqual(forms);
});

it('takes no address and no data that is none', () => {
  expect(() => encodeAccountCalls([{ ...one, to: 'nobody' }])).toThrow(/address/);
  expect(() => encodeAccountCalls([{ ...one, data: 'text' }])).toThrow(/BytesLike/);
});
