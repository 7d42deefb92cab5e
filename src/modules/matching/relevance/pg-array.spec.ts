import { arrayText, integersIn, packedIntegersIn } from './pg-array.js';

it('reads what it writes as an array of Postgres', () => {
  expect(integersIn(arrayText([12, 0, 2_147_483_647]))).toEqual([12, 0, 2_147_483_647]);
  expect(integersIn('{}')).toEqual([]);
});

it('reads packed integers of two and of four bytes, the first byte the most significant', () => {
  expect([...packedIntegersIn('0000000c000102037fffffff', 4)]).toEqual([12, 66_051, 2_147_483_647]);
  expect([...packedIntegersIn('00ff7fff', 2)]).toEqual([255, 32_767]);
  expect([...packedIntegersIn('', 4)]).toEqual([]);
});
