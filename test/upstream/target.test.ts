import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Problem } from '../../src/core/problem.js';
import { confine, parseBaseUrl, pathFault } from '../../src/upstream/target.js';
import { problem } from '../support/failing.js';
import { HOSTILE_PATHS, LEGITIMATE_PATHS } from '../support/path-vectors.js';
import { generatedPath } from './generated-path.js';
import { escapes } from './path-readings.js';

const base = parseBaseUrl('https://nso.example:8888/restconf/');

const refusal = (path: string) => (error: unknown) => {
  problem('invalid_path')(error);
  const [fault] = (error as Problem).extras.errors ?? [];
  assert.ok(fault && fault.message.length > 10, path);
  assert.equal(fault.pointer, '/params/path');
  return true;
};

describe('confine', () => {
  it(`refuses ${HOSTILE_PATHS.length} hostile paths with a reason`, () => {
    assert.ok(HOSTILE_PATHS.length >= 80);
    for (const path of HOSTILE_PATHS)
      assert.throws(() => confine(base, path), refusal(path), JSON.stringify(path));
  });

  it(`keeps ${LEGITIMATE_PATHS.length} legitimate paths unchanged, except for apostrophes`, () => {
    assert.ok(LEGITIMATE_PATHS.length >= 60);
    for (const path of LEGITIMATE_PATHS) {
      const [place = '', ...query] = path.split('?');
      const sent = [place, ...query.map((part) => part.replaceAll("'", '%27'))].join('?');
      assert.equal(confine(base, path), `https://nso.example:8888/restconf${sent}`);
    }
  });

  it('never returns a URL that an orchestrator can interpret as outside the base URL', () => {
    let accepted = 0;
    fc.assert(
      fc.property(generatedPath, (path) => {
        let url: string;
        try {
          url = confine(base, path);
        } catch (error) {
          return refusal(path)(error);
        }
        accepted += 1;
        assert.deepEqual(escapes(url, base), [], path);
        return true;
      }),
      { numRuns: 20_000 },
    );
    assert.ok(accepted > 100, `only ${accepted} paths got through to the check`);
  });

  it('encodes characters of a query that ServiceNow, ACI and others write unencoded, and refuses them in a path', () => {
    for (const [path, sent] of [
      ['/t?sysparm_query=active=true^ORDERBYnumber', '/t?sysparm_query=active=true%5EORDERBYnumber'],
      ['/t.json?query-target-filter=eq(a.name,"x")', '/t.json?query-target-filter=eq(a.name,%22x%22)'],
      ['/items?token=a|b|c', '/items?token=a%7Cb%7Cc'],
      ['/items?filter=[name]&q={site}', '/items?filter=%5Bname%5D&q=%7Bsite%7D'],
      ['/items?q=<a>`b`?c[0]', '/items?q=%3Ca%3E%60b%60?c%5B0%5D'],
    ] as const) {
      assert.equal(confine(base, path), `https://nso.example:8888/restconf${sent}`);
      assert.throws(() => confine(base, path.replace('?', '/')), refusal(path), path);
    }
  });

  it('encodes no other character of a query, and keeps the place of every path that it accepts', () => {
    const printed = '/ . .. ? z \\ # % " < > [ ] ^ ` { | } ä'.split(' ');
    const characters = fc.constantFrom(...printed, ' ', '\n', '\0');
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 10 }), (query) => {
        const path = `/a?${query}`;
        if (/[\\#%ä \n\0]/.test(query)) assert.throws(() => confine(base, path), refusal(path));
        else {
          const url = new URL(confine(base, path));
          assert.equal(url.pathname, '/restconf/a');
          assert.equal(decodeURIComponent(url.search), query === '' ? '' : `?${query}`);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is necessary: simple concatenation leaves the base URL', () => {
    const simply = HOSTILE_PATHS.filter(
      (path) => escapes(`https://nso.example:8888/restconf${path}`, base).length > 0,
    );
    assert.ok(simply.length > 40, String(simply.length));
  });

  it('admits no plain path that the complete check refuses, and changes none', () => {
    const characters = fc.constantFrom(...'a b 0 _ - . : = , ~ / ? & ; %'.split(' '));
    const paths = fc.string({ unit: characters, maxLength: 12 });
    fc.assert(
      fc.property(fc.constantFrom('', '/restconf', '/a.b:c'), paths, (place, path) => {
        const url = `https://nso.example${place}${path}`;
        const isSafe = pathFault(path) === undefined && new URL(url).href === url;
        const target = { origin: 'https://nso.example', path: place };
        if (isSafe) assert.equal(confine(target, path), url);
        else assert.throws(() => confine(target, path), { code: 'invalid_path' });
      }),
      { numRuns: 5000 },
    );
  });

  it('accepts a URL in the query, also beside characters that are not plain', () => {
    for (const path of ['/a?u=http://x/', '/a?u=http://x/&n=%20', '/a?https://x/%20'])
      assert.equal(confine(base, path), `https://nso.example:8888/restconf${path}`);
  });

  it('decodes a segment four times, as often as servers in a row may', () => {
    // Dots, and characters of the same meaning in compatibility form.
    for (const dots of ['%2e%2e', '%ef%bc%8e%ef%bc%8e']) {
      const encoded = (times: number): string => `/${dots.replaceAll('%', `%${'25'.repeat(times - 1)}`)}/a`;
      for (const times of [1, 2, 3, 4])
        assert.throws(() => confine(base, encoded(times)), refusal(encoded(times)));
      assert.equal(confine(base, encoded(5)), `https://nso.example:8888/restconf${encoded(5)}`);
    }
  });

  it('accepts at most 8192 characters', () => {
    assert.ok(confine(base, `/${'a'.repeat(8191)}`));
    assert.throws(() => confine(base, `/${'a'.repeat(8192)}`), /is longer than 8192 characters/);
  });

  it('recommends a correction', () => {
    for (const [path, recommendation] of [
      ['/a b', /has a space, .* percent-encode it as %20/],
      ['/pathep-[eth1/1].json', /has the character "\[", .* as %5B/],
      ['/a?b=ä', /has the character "ä", .* as %C3%A4/],
      ['/a\\b', /has a backslash/],
      ['/100%', /%25/],
      ['/a#b', /must not have a fragment; .* %23/],
      ['a', /start with "\/"$/],
      ['http://nso/a', /start with "\/": leave out what the base URL of the adapter has/],
      ['HTTPS://nso/a', /start with "\/": leave out what the base URL of the adapter has/],
    ] as const)
      assert.throws(() => confine(base, path), problem('invalid_path', recommendation), path);
  });
});

describe('parseBaseUrl', () => {
  it('returns the origin and the path without the final slash', () => {
    assert.deepEqual(base, { origin: 'https://nso.example:8888', path: '/restconf' });
    assert.deepEqual(parseBaseUrl('HTTP://NSO.example:80'), { origin: 'http://nso.example', path: '' });
    assert.deepEqual(parseBaseUrl('http://nso/a///'), { origin: 'http://nso', path: '/a' });
    assert.deepEqual(parseBaseUrl('http://[::1]:8080/'), { origin: 'http://[::1]:8080', path: '' });
  });

  it('refuses credentials, a query, a fragment, another scheme or dot segments', () => {
    const texts = `nso //nso ftp://nso/ xhttp://nso/ http:nso http:///x http://u:p@nso/ http://nso/?a http://nso/#a
      http://nso/.. http://nso/a/../b http://nso/%2e%2e/ http://nso\\a http://n:99999/`;
    for (const text of ['', 'http://nso/a b', ...texts.split(/\s+/)])
      assert.throws(() => parseBaseUrl(text), TypeError, text);
  });

  it('explains its refusal', () => {
    assert.throws(() => parseBaseUrl('ftp://nso/'), /^TypeError: is not an http or https URL without cred/);
    assert.throws(() => parseBaseUrl('http://nso/a//..'), /^TypeError: its path has a part of dots alone/);
  });
});
