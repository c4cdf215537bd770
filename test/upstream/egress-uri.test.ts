import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Problem } from '../../src/core/problem.js';
import { parseEgressUri } from '../../src/upstream/egress-uri.js';

const isRefused = (error: unknown) => error instanceof Problem && error.code === 'invalid_uri';

describe('parseEgressUri', () => {
  it('keeps the URI, except for the case of scheme and host and the default port', () => {
    for (const [uri, host, port, url = uri] of [
      ['http://api.example.net', 'api.example.net', 80, 'http://api.example.net/'],
      ['HTTPS://API.example.NET/A', 'api.example.net', 443, 'https://api.example.net/A'],
      ['https://api.example.net:443/', 'api.example.net', 443, 'https://api.example.net/'],
      ['http://api.example.net:8080/a%2Fb;c=d?e=f&g=%20', 'api.example.net', 8080],
      ['http://10.0.0.1/?', '10.0.0.1', 80],
      ['http://[2001:DB8::1]:8080/', '2001:db8::1', 8080, 'http://[2001:db8::1]:8080/'],
      ['http://[::ffff:1.2.3.4]/', '::ffff:102:304', 80, 'http://[::ffff:102:304]/'],
      ['http://my_host/x', 'my_host', 80],
      ['http://xn--mnchen-3ya.example/', 'xn--mnchen-3ya.example', 80],
      ["http://h/a?b='c'", 'h', 80, 'http://h/a?b=%27c%27'],
      ['http://h/?a@b://c', 'h', 80],
      [
        'http://h/?a[]=1|2&q={"b":"<^`>"}',
        'h',
        80,
        'http://h/?a%5B%5D=1%7C2&q=%7B%22b%22:%22%3C%5E%60%3E%22%7D',
      ],
    ] as const) {
      const target = parseEgressUri(uri);
      assert.deepEqual([target.url, target.host, target.port], [url, host, port]);
      assert.equal(target.secure, /^https/i.test(uri));
    }
  });

  it('refuses a URI that a parser would repair or reinterpret', () => {
    // Parts of the list: what is no such URI, the host, the port, addresses, the path and the query.
    const uris = `
      h /x //h/ http: http:/h http:h http:///h http:////h http:// http:/// http://:80/ ftp://h/ xhttp://h/
      view-source:http://h/ file:///etc/passwd gopher://h/ data:,x ws://h/ javascript:1 unix:/x
      http://u@h/ http://@h/ http://h@/ http://a@b@c/ http://h:80@g/ http://h:p@:80/ http://h\\@g/ http://h\\g/
      http:\\\\h/ http://h#@g/ http://h# http://h/ä http://münchen.example/ http://１２７.0.0.1/
      http://127。0。0。1/ http://ⓛocalhost/ http://-h/ http://.h/ http://a..b/ http://h%2e/ http://%31/
      http://h:65536/ http://h:-1/ http://h:080/ http://h:/ http://h:80a/ http://h:1e2/
      http://127.0.0.1./ http://127.0.1/ http://2130706433/ http://0x7f000001/ http://0x7f.1/ http://0177.0.0.1/
      http://127.0.0.01/ http://127.0.0.0x1/ http://1.2.3.4.5/ http://256.0.0.1/ http://a.1/ http://a.0x1/
      http://[::1/ http://::1/ http://[::1]x/ http://[fe80::1%25eth0]/ http://[1.2.3.4]/ http://[]/ http://[v1.x]/
      http://h/a[]=1 http://h[]?a http://h"/?a http://h/?#[ http://h/?a\\b http://h/% http://h/" http://h/< http://h/|
      http://h/a/../b http://h/./ http://h/%2e%2e/x
    `
      .trim()
      .split(/\s+/);
    const withBlanks = ['ht\ttp://h/', ' http://h/', 'http://h/ ', 'http://h/\r\nX: y', 'http://h\t/'];
    const withCharacters = ['\0', '\x7f', '\u2028', '\ud800'].map((character) => `http://h/${character}`);
    for (const uri of ['', ...uris, ...withBlanks, ...withCharacters, `http://h/${'a'.repeat(8192)}`])
      assert.throws(() => parseEgressUri(uri), isRefused, JSON.stringify(uri));
  });

  it('explains its refusal', () => {
    for (const [uri, fault] of [
      [`http://h/${'a'.repeat(8184)}`, 'is longer than 8192 characters'],
      ['http://h/#x', 'must not have a fragment; write a literal "#" as %23'],
      ['http://h/a b', 'has a space, which a URL cannot carry there; percent-encode it as %20'],
      ['http://h/a|b', 'has the character "|", which a URL cannot carry there; percent-encode it as %7C'],
      [
        'http://münchen/',
        'has the character "ü", which a URL cannot carry there; percent-encode it as %C3%BC, and write host names in ASCII (xn--)',
      ],
      ['http://h/%zz', 'has a "%" without two hexadecimal digits after it'],
      ['http://u:p@h/', 'must look like http://host/path or https://host:port/path, without credentials'],
      ['http://[::1::]/', 'has an invalid IPv6 address'],
      ['http://h./', 'has a host that is neither a name nor an address'],
      ['http://h:0/', 'has a port that is not between 1 and 65535'],
      ['http://h/[', 'has a "[" or "]" after the host; write %5B or %5D'],
      ['http://127.1/', 'is changed by URL parsers'],
    ] as const)
      assert.throws(
        () => parseEgressUri(uri),
        (error) => {
          assert.ok(error instanceof Problem && isRefused(error));
          assert.equal(error.message, `the URI ${fault}`);
          assert.deepEqual(error.extras.errors, [{ pointer: '/uri', message: fault }]);
          return true;
        },
        fault,
      );
  });

  it('accepts 8192 characters and every port', () => {
    assert.ok(parseEgressUri(`http://h/${'a'.repeat(8183)}`));
    assert.equal(parseEgressUri('http://h:65535/').port, 65_535);
    assert.equal(parseEgressUri('http://h:1/').port, 1);
  });

  it('refuses any text or returns exactly the host in it', () => {
    const pieces = ['http', 'https', '\t', ...': // / @ \\ # ? . %2e 0x7f 127 1 0 [ ] ::1 h 。'.split(' ')];
    const rest = fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((found) => found.join(''));
    const text = fc.oneof(
      rest,
      rest.map((end) => `http://${end}`),
    );
    fc.assert(
      fc.property(text, (uri) => {
        try {
          const { host } = parseEgressUri(uri);
          const written = /^https?:\/\/(?:\[([0-9a-f:.]+)\]|([a-z0-9.]+))(?::\d+)?(?:[/?]|$)/.exec(uri);
          assert.ok(written, uri);
          if (written[2] !== undefined) assert.equal(host, written[2]);
        } catch (error) {
          if (!isRefused(error)) throw error;
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
