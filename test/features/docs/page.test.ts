import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { PRESENT_RELEASE } from '../../../src/core/deprecation.js';
import type { DescribedOperation } from '../../../src/core/operation.js';
import { PROBLEMS } from '../../../src/core/problem-codes.js';
import { createApiDescription } from '../../../src/features/api-description.js';
import { getDocs } from '../../../src/features/docs/operations.js';
import { apiPage } from '../../../src/features/docs/page.js';
import { describeServed } from '../../../src/features/operations.js';
import { openApiDocument } from '../../../src/http/openapi.js';
import { NAUGHTY_STRINGS } from '../../support/naughty-strings.js';
import { operationCall } from '../../support/operation-call.js';

const roles = {};
const describeApi = createApiDescription(() => roles);
const page = apiPage(describeApi());
const packed = page.replaceAll(/>\s+</g, '><');
const all = (pattern: RegExp, text = page): readonly string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'); // prettier-ignore

/** Returns the names of elements that are opened and not closed, or closed and not opened, in order. */
function unbalanced(text: string): readonly string[] {
  const open: string[] = [];
  const html = text.replace(/<!doctype html>/, '').replace(/<style>[^<]*<\/style>/, '');
  for (const [tag, slash = '', name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (['meta'].includes(name)) continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return [...open, tag];
  }
  return open;
}

function operationWithText(text: string): DescribedOperation {
  return {
    name: `${text}.${text}`,
    paths: [`/${text}`],
    applicationSummary: text,
    row: {
      id: text,
      summary: text,
      method: 'POST',
      path: `/${text}`,
      roles: ['admin'],
      query: { properties: { [text]: { type: 'string', description: text, default: text } } },
      body: {
        title: text,
        properties: {
          [text]: { type: 'string', enum: [text], description: text, 'x-hint': text, examples: [text] },
        },
      },
      reply: { type: 'string', const: text, description: text },
      replyHeaders: { [text]: text },
    },
  };
}

describe('the API page', () => {
  it('shows every operation with its paths, methods and roles', () => {
    const routes = all(/<span class="route">([^<]*)<\/span>/g);
    const expected = describeServed(PRESENT_RELEASE).flatMap(({ paths, row }) =>
      row.method === 'ANY' ? [] : paths.map((path) => `${row.method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`),
    );
    for (const route of expected) assert.ok(routes.includes(route), route);
    for (const { name, row } of describeServed(PRESENT_RELEASE)) {
      const section = page.split(`<section id="${name}"`)[1]?.split('</section>')[0] ?? '';
      assert.ok(section.includes(escaped(row.summary)), name);
      assert.ok(section.includes(`<summary>Details of ${row.id}</summary>`), name);
      if (Array.isArray(row.roles)) assert.ok(section.includes(`Roles: ${row.roles.join(', ')}.`), name);
    }
  });

  it('shows parameters, body members, response examples and every problem code', () => {
    const restCall = packed.split('<section id="tools.restCall"')[1]?.split('</section>')[0] ?? '';
    assert.match(restCall, /<code>headers\.\*<\/code><\/th><td role="cell">text<\/td>/);
    const required = '</th><td role="cell">text, required</td><td role="cell">One of DELETE, GET,';
    assert.ok(restCall.includes(`<code>verb</code>${required}`));
    assert.match(restCall, /&quot;uri&quot;: &quot;http:\/\/host\.example\/devices\/r1&quot;/);
    assert.match(packed, /<code>partial<\/code><\/th><td role="cell">query, text<\/td>/);
    const codes = packed.split('Codes\n</caption>')[1] ?? '';
    assert.deepEqual(all(/<code>([^<]*)<\/code>/g, codes), Object.keys(PROBLEMS));
  });

  it('loads no resources, runs no scripts, and allows only its own style by policy', async () => {
    const loading = /(<script|<link|<img|<iframe|<form| on[a-z]+=| style=|url\(|@import|javascript:)/g;
    assert.deepEqual(all(loading), []);
    assert.deepEqual(all(/href="([^"#][^"]*)"/g), ['/openapi.json', '/docs/guide/']);
    const [style = ''] = all(/<style>([^<]*)<\/style>/g);
    const { headers = {} } = await getDocs.handle(operationCall({ body: undefined }), { describeApi });
    const policy = String(headers['content-security-policy']);
    assert.ok(policy.startsWith("default-src 'none'; "));
    assert.ok(policy.includes(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';`));
    assert.equal(headers['referrer-policy'], 'no-referrer');
  });

  it('has landmarks, ordered headings and links with existing targets', () => {
    const marks = ['<html lang="en">', '<header>', '<nav aria-label="Contents">', '<main id="content">'];
    for (const mark of [...marks, 'name="viewport"']) assert.equal(page.split(mark).length, 2, mark);
    const levels = all(/<h([1-6])/g).map(Number);
    assert.equal(levels.filter((level) => level === 1).length, 1);
    levels.forEach((level, at) => {
      assert.ok(level <= (levels[at - 1] ?? 0) + 1, `h${level} after h${levels[at - 1] ?? 0}`);
    });
    const ids = all(/ id="([^"]*)"/g);
    assert.equal(new Set(ids).size, ids.length);
    for (const target of [...all(/href="#([^"]*)"/g), ...all(/aria-labelledby="([^"]*)"/g)])
      assert.ok(ids.includes(target), target);
    assert.deepEqual(unbalanced(page), []);
  });

  it('is identical for identical operations', () => {
    assert.equal(apiPage(createApiDescription(() => ({}))()), page);
    assert.notEqual(apiPage(createApiDescription(() => ({ 'tools.restCall': ['viewer'] }))()), page);
  });

  it('escapes every text of the operations', () => {
    const hostile = [
      '"><script>alert(1)</script>',
      "'><img src=x onerror=alert(1)>",
      '</style></title><svg onload=alert(1)>',
      '&lt;&amp;${x}$&',
      ...NAUGHTY_STRINGS.filter((text) => text.includes('<') || text.includes('"')),
    ];
    for (const text of hostile) {
      const document = openApiDocument([operationWithText(text)], { version: text, rolesOf: () => [text] });
      const written = apiPage(document);
      const { info, ...rest } = document;
      const titled = apiPage({ ...rest, info: { ...info, title: text, description: text } });
      assert.deepEqual(unbalanced(titled), [], text);
      assert.equal(all(/(<script|<img|<svg|<iframe| onload=| onerror=[^&])/gi, written.replaceAll(escaped(text), '')).length, 0, text); // prettier-ignore
      assert.ok(written.split(escaped(text)).length > 15, text);
    }
  });
});
