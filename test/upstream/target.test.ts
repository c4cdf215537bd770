import assert from 'node:assert/strict';
import { posix } from 'node:path';
import fc from 'fast-check';
import { Problem } from '../../src/domain/problem.js';
import { confine, parseBaseUrl } from '../../src/upstream/target.js';
import { HOSTILE_PATHS, LEGITIMATE_PATHS } from '../support/path-vectors.js';

const base = parseBaseUrl('https://nso.example:8888/restconf/');

/** What an orchestrator may make of the path of a request: six readings, each written for itself. */
const READINGS: Readonly<Record<string, (path: string) => string>> = {
  'decodes once': (path) => posix.normalize(lenient(path)),
  'decodes twice': (path) => posix.normalize(lenient(lenient(path))),
  'takes a backslash for a slash': (path) => posix.normalize(lenient(path).replaceAll('\\', '/')),
  'strips parameters before it decodes': (path) => posix.normalize(lenient(stripped(path))),
  'decodes before it strips parameters': (path) => posix.normalize(stripped(lenient(path))),
  'drops control characters and folds wide characters': (path) =>
    posix.normalize(
      lenient(path)
        .normalize('NFKC')
        .replace(/[\x00-\x1f\x7f]/g, ''),
    ),
};

function stripped(path: string): string {
  return path
    .split('/')
    .map((part) => part.split(';')[0] ?? '')
    .join('/');
}

/** Undoes percent-encoding and UTF-8 without any check: overlong forms and stray bytes become characters. */
function lenient(text: string): string {
  const bytes: number[] = [];
  for (const piece of text.match(/%[0-9a-f]{2}|[\s\S]/giu) ?? []) {
    if (piece.length === 3 && piece.startsWith('%')) bytes.push(parseInt(piece.slice(1), 16));
    else bytes.push(...Buffer.from(piece));
  }
  let out = '';
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    let code = more === 0 ? lead : lead & (0x3f >> more);
    for (const byte of bytes.slice(at + 1, at + 1 + more)) code = (code << 6) | (byte & 0x3f);
    out += String.fromCodePoint(Math.min(code, 0x10ffff));
    at += 1 + more;
  }
  return out;
}

/** Names of the readings in which a request for the URL leaves the base. */
function escapes(url: string): string[] {
  const target = /^https:\/\/nso\.example:8888(\/[^?#]*)/.exec(url)?.[1];
  if (target === undefined) return ['another origin'];
  return Object.entries(READINGS)
    .filter(([, read]) => !/^\/restconf(?:\/|$)/.test(read(target)))
    .map(([name]) => name);
}

const refusal = (path: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, `${JSON.stringify(path)}: ${String(error)}`);
  assert.equal(error.code, 'invalid_path');
  assert.equal(error.extras.errors?.[0]?.pointer, '/params/path');
  assert.ok(error.extras.errors[0].message.length > 10);
  return true;
};

const ATOMS = [
  ...[
    '/',
    '.',
    '..',
    '\\',
    ';',
    '?',
    '#',
    '%',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '%25',
    '%252e',
    '%252f',
    '%25252e',
    '%3b',
  ],
  ...[
    '%c0%ae',
    '%c0%af',
    '%e0%80%ae',
    '%EF%BC%8E',
    '%EF%BC%8F',
    '%E2%80%A5',
    '%00',
    '%0d%0a',
    '%09',
    '%20',
    '%7f',
  ],
  ...[
    'a',
    'b=c',
    '@',
    ':',
    '//',
    '%3f',
    '%23',
    '%ff',
    '%C2%AD',
    '．',
    ' ',
    '\r\n',
    '\t',
    '%u002e',
    '2e',
    '25',
  ],
];
const hostilePath = fc
  .array(fc.constantFrom(...ATOMS), { maxLength: 8 })
  .chain((atoms) => fc.constantFrom('/', '', '/a/', '/;').map((start) => start + atoms.join('')));

describe('the confinement of a path to the base URL', () => {
  it(`refuses ${HOSTILE_PATHS.length} hostile paths with a reason`, () => {
    assert.ok(HOSTILE_PATHS.length >= 80);
    for (const path of HOSTILE_PATHS)
      assert.throws(() => confine(base, path), refusal(path), JSON.stringify(path));
  });

  it(`sends ${LEGITIMATE_PATHS.length} legitimate paths as they are written`, () => {
    assert.ok(LEGITIMATE_PATHS.length >= 60);
    for (const path of LEGITIMATE_PATHS) {
      const [place = '', ...query] = path.split('?');
      const sent = [place, ...query.map((part) => part.replaceAll("'", '%27'))].join('?');
      assert.equal(confine(base, path), `https://nso.example:8888/restconf${sent}`);
    }
  });

  it('never lets a path out of the base, however an orchestrator reads it', () => {
    let accepted = 0;
    fc.assert(
      fc.property(hostilePath, (path) => {
        let url: string;
        try {
          url = confine(base, path);
        } catch (error) {
          return refusal(path)(error);
        }
        accepted += 1;
        assert.deepEqual(escapes(url), [], path);
        return true;
      }),
      { numRuns: 20_000 },
    );
    assert.ok(accepted > 100, `only ${accepted} paths got through to the check`);
  });

  it('is needed: the same paths simply appended do leave the base', () => {
    const simply = HOSTILE_PATHS.filter(
      (path) => escapes(`https://nso.example:8888/restconf${path}`).length > 0,
    );
    assert.ok(simply.length > 40, String(simply.length));
  });

  it('takes 8192 characters and no more', () => {
    assert.ok(confine(base, `/${'a'.repeat(8191)}`));
  });

  it('says what to do', () => {
    const messageFor = (path: string) => {
      try {
        confine(base, path);
        return '';
      } catch (error) {
        return String(error);
      }
    };
    assert.match(messageFor('/a b'), /percent-encode/);
    assert.match(messageFor('/100%'), /%25/);
    assert.match(messageFor('/a#b'), /%23/);
    assert.match(messageFor('a'), /start with "\/"/);
  });
});

describe('a base URL', () => {
  it('is read as its origin and its path without the final slash', () => {
    assert.deepEqual(base, { origin: 'https://nso.example:8888', path: '/restconf' });
    assert.deepEqual(parseBaseUrl('HTTP://NSO.example:80'), { origin: 'http://nso.example', path: '' });
    assert.deepEqual(parseBaseUrl('http://[::1]:8080/'), { origin: 'http://[::1]:8080', path: '' });
  });

  it('is refused with credentials, query, fragment, another scheme or a path that moves', () => {
    for (const text of [
      ...[
        '',
        'nso',
        '//nso',
        'ftp://nso/',
        'http:nso',
        'http:///x',
        'http://u:p@nso/',
        'http://nso/?a',
        'http://nso/#a',
      ],
      ...[
        'http://nso/..',
        'http://nso/a/../b',
        'http://nso/%2e%2e/',
        'http://nso\\a',
        'http://nso/a b',
        'http://n:99999/',
      ],
    ]) {
      assert.throws(() => parseBaseUrl(text), TypeError, text);
    }
  });
});
