import { markup } from './html-markup.js';

describe('the markup template', () => {
  it('escapes every value for element content and quoted attributes', () => {
    expect(markup`<p title="${`"'<>&`}">${'<b>'}</p>`.text).toBe('<p title="&quot;&#39;&lt;&gt;&amp;">&lt;b&gt;</p>');
  });

  it('leaves html made by itself as it is, alone and in lists', () => {
    const items = ['<', '>'].map((text) => markup`<li>${text}</li>`);
    expect(markup`<ul>${items}</ul>`.text).toBe('<ul><li>&lt;</li><li>&gt;</li></ul>');
  });

  it('does not read template text or values as escapes', () => {
    expect(markup`${String.raw`\n`}${7}`.text).toBe(String.raw`\n7`);
  });
});
