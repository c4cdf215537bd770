import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { html, MINIMAL_PAGE_HEADERS, minimalPage } from '../../src/http/html.js';
import { anyText } from '../support/any-text.js';

describe('the html template', () => {
  it('escapes text, embeds fragments and lists unchanged, and omits undefined', () => {
    const piece = html`<b>${'<&>'}</b>`;
    assert.equal(piece.html, '<b>&lt;&amp;&gt;</b>');
    const actual = html`<p title="${'"'}">${[piece, 'a', 1]}${undefined}</p>`.html;
    assert.equal(actual, `<p title="&quot;">${piece.html}a1</p>`);
  });

  it('keeps the line breaks of text and drops the indentation of the template', () => {
    assert.equal(
      html`<pre>
        ${'{\n  "a": 1\n}'}
      </pre>`.html,
      '<pre>\n{\n  &quot;a&quot;: 1\n}\n</pre>',
    );
  });

  it('escapes every text so that it stays inside its element and attribute (property)', () => {
    const words: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
    fc.assert(
      fc.property(anyText(), (text) => {
        const [, attribute, content] = /^<a title="([^"<>]*)">([^"'<>]*)<\/a>$/s.exec(html`<a title="${text}">${text}</a>`.html) ?? []; // prettier-ignore
        for (const found of [attribute, content])
          assert.equal(
            found?.replaceAll(/&([a-z#0-9]+);/g, (_all, word: string) => words[word] ?? ''),
            text,
          );
      }),
    );
  });

  it('allows the style sheet of a minimal page by its digest', () => {
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(minimalPage({ title: 'a', content: 'b' })) ?? [];
    const digest = createHash('sha256').update(style).digest('base64');
    const policy: string = MINIMAL_PAGE_HEADERS['content-security-policy'];
    assert.ok(policy.includes(`style-src 'sha256-${digest}';`), digest);
  });
});
