import { declaredMediaType, servedMediaType } from './media-type.js';

describe('the declared media type', () => {
  it.each<[string | undefined, string]>([
    ['text/plain; charset=utf-8', 'text/plain'],
    ['  Image/PNG ', 'image/png'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
    [undefined, 'application/octet-stream'],
    ['', 'application/octet-stream'],
    ['text', 'application/octet-stream'],
    ['text/html\r\nSet-Cookie: a=b', 'application/octet-stream'],
    ['text/<script>', 'application/octet-stream'],
    [`text/${'x'.repeat(64)}`, 'application/octet-stream'],
  ])('of %j is %s', (header, type) => {
    expect(declaredMediaType(header)).toBe(type);
  });
});

describe('the served media type', () => {
  it.each(['text/plain', 'image/png', 'application/zip'])('%s stays', (type) => {
    expect(servedMediaType(type)).toBe(type);
  });

  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'text/javascript', 'application/pdf'])(
    '%s does not: a browser would run or render it',
    (type) => {
      expect(servedMediaType(type)).toBe('application/octet-stream');
    },
  );
});
