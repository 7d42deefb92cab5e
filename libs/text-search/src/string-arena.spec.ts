import { linesOf, StringArena } from './string-arena.js';

describe('lines of text as bytes', () => {
  it('are those that were appended, of any letters and in any number', () => {
    const lines = new StringArena(3);
    const texts = Array.from({ length: 500 }, (_, index) => `Zürich 🌊 ${'x'.repeat(index)}`);
    for (const text of texts) lines.append([text]);
    lines.append(['', 'last']);
    expect(linesOf(lines.bytes)).toEqual([...texts, '', 'last']);
    expect(linesOf(new StringArena().bytes)).toEqual([]);
  });

  it('are copied from another arena, several at a time', () => {
    const others = new StringArena();
    others.append(['one']);
    const begin = others.append(['two', 'three']);
    others.append(['four']);
    const lines = new StringArena(1);
    lines.appendOf(others, begin, 2);
    lines.appendOf(others, 0, 1);
    expect(linesOf(lines.bytes)).toEqual(['two', 'three', 'one']);
  });

  it('are found again where they begin', () => {
    const lines = new StringArena();
    lines.append(['one']);
    const begin = lines.append(['two', 'three']);
    expect([lines.isAt(begin, 'two'), lines.isAt(begin, 'tw'), lines.isAt(0, 'two')]).toEqual([true, false, false]);
  });

  it('are refused when a text has more than one', () => {
    const lines = new StringArena();
    expect(() => lines.append(['agent_1', 'acct_1\nacct_2'])).toThrow(RangeError);
    expect(lines.bytes).toHaveLength(0);
  });
});
