import { pageJson } from './page-json.js';
import { pageOf } from './page.js';

const page = (rows: number[], limit: number) =>
  pageOf(
    rows,
    limit,
    (row) => `row ${row}`,
    (row) => [String(row)],
    (position) => `behind ${position.join()}`,
  );

it('a row more than asked for is not shown, and makes a next page that begins behind the last one shown', () => {
  expect(page([1, 2, 3], 2)).toEqual({ data: ['row 1', 'row 2'], next_page: 'behind 2' });
});

it('the last page has no next one, full or not', () => {
  expect(page([1, 2], 2)).toEqual({ data: ['row 1', 'row 2'], next_page: null });
  expect(page([], 2)).toEqual({ data: [], next_page: null });
});

it('rendered documents are copied as they are', () => {
  expect(pageJson('{"a": 1},{"b":2}', 'x"y').text).toBe('{"data":[{"a": 1},{"b":2}],"next_page":"x\\"y"}');
  expect(JSON.parse(pageJson('', null).text)).toEqual({ data: [], next_page: null });
});
