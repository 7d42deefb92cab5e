import { excerptBytes, excerptText } from './excerpt.js';

describe('the length of an excerpt', () => {
  it.each([
    [0, 0],
    [3, 0],
    [100, 25],
    [1_024, 256],
    [2_560, 256],
    [10_000, 1_000],
    [40_960, 4_096],
    [100_000_000, 4_096],
  ])('of %i bytes is %i', (bytes, shown) => {
    expect(excerptBytes(bytes)).toBe(shown);
  });

  it('is never more than a quarter of the work, nor than 4 KiB', () => {
    for (let bytes = 0; bytes < 100_000; bytes += 37) {
      expect(excerptBytes(bytes)).toBeLessThanOrEqual(Math.min(bytes / 4, 4_096));
    }
  });
});

describe('the text of an excerpt', () => {
  it('leaves out a character that was cut, and invisible characters', () => {
    expect(excerptText(Buffer.from('häé').subarray(0, 4))).toBe('hä');
    expect(excerptText(Buffer.from('a\u202Eb\r\nc\td\u200B'))).toBe('ab\nc\td');
  });

  it.each([
    ['a zip file', Buffer.from('504b0304140000000800', 'hex')],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['text with a NUL', Buffer.from('text\u0000more')],
    ['Latin-1', Buffer.from('Zürich und mehr', 'latin1')],
  ])('is none for %s', (_what, bytes) => {
    expect(excerptText(bytes)).toBeNull();
  });
});
