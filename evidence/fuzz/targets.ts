import { SABOTAGED } from '../report.js';
import type { FuzzTarget } from './executor.js';
import { PLANTED } from './planted.js';
import { readAsBasic, readAsBearer, readAsCookies, readAsJson, readAsToken } from './target-credentials.js';
import { readAsConfig, readAsReference, readAsXPath, readAsYang } from './target-documents.js';
import { readAsHead, readAsListQuery, readAsMediaType, readAsTarget } from './target-heads.js';
import { readAsFrames, readAsXml } from './target-netconf.js';
import { readAsLink, readAsPage } from './target-pages.js';
import { readAsEgressUri, readAsPath } from './target-places.js';

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/** All parsers of untrusted input, by name. */
export const TARGETS: Readonly<Record<string, FuzzTarget>> = {
  token: {
    seeds: [
      `${encoded('{"alg":"ES256","typ":"JWT","kid":"a"}')}.${encoded('{"iss":"a","exp":1}')}.AAAA`,
      `${encoded('{"alg":"RS256","crit":["b64"],"b64":false}')}.${encoded('[]')}.AA`,
      'a.b.c',
    ],
    tokens: ['.', '=', '-', '_', 'eyJhbGciOiJFUzI1NiJ9', 'e30', 'AA'],
    run: readAsToken,
  },
  bearer: {
    seeds: ['Bearer a.b.c', 'bearer  x', 'Basic YQ=='],
    tokens: ['Bearer ', ' ', '='],
    run: readAsBearer,
  },
  basic: {
    seeds: [`Basic ${Buffer.from('ada:pw').toString('base64')}`, 'basic Og==', 'Basic YSUyQjpiKw=='],
    tokens: ['Basic ', 'Og==', '=', '+', '/'],
    run: readAsBasic,
  },
  cookies: {
    seeds: ['token=a.b.c; other=1', 'token=; token=2', ';;=;token'],
    tokens: ['token=', ';', '; ', '=', '"'],
    run: readAsCookies,
  },
  json: {
    seeds: [
      '{"a":[1,2.5e3,"\\u00e9",null,true],"b":{}}',
      '[1e400,12345678901234567890]',
      '{"a":1,"a":2}',
      '"\\ud800"',
    ],
    tokens: ['{"', '":', '[', ']', '}', ',', '1e', '-0', '0.1', 'true', 'null', '\\u', '\\"', '__proto__'],
    run: readAsJson,
  },
  path: {
    seeds: ['/data/a:b/list=1%2F2?depth=2', '/..;/x', '/%252e%252e/', "/a?b='c'"],
    tokens: ['/', '..', '%2e', '%2f', '%5c', '%25', ';', '?', '#', '%c0%ae', '//', '@', '%ef%bc%8e'],
    run: readAsPath,
  },
  'egress-uri': {
    seeds: ['http://host.example:8080/a?b=c', 'https://[::1]/', 'http://127.0.0.1', 'https://user@host/'],
    tokens: ['http://', 'https://', '@', ':', '[::', ']', '0x7f', '/..', '?', '#', '%2e', '.', '127.1'],
    run: readAsEgressUri,
  },
  link: {
    seeds: [
      '<https://h/a?page=2>; rel="next", </b>; rel=last',
      '<?a=1,2>; title="x, <y>"; REL="Prefetch NEXT"',
    ],
    tokens: ['<', '>', ';', ',', '"', '\\"', ' rel=next', 'rel="next"', '=', 'anchor=', 'next', ' '],
    run: readAsLink,
  },
  page: {
    seeds: [
      '0{"items":[1,{"a":[]}],"next":"/list?page=2"}',
      '1{"items":[12345678901234567890],"next":12345678901234567890}',
      '2[true,[1,2]]',
      '3 {"a":{"b":[{}, "]"],"\\u0062":[]},"total":"2"}',
    ],
    tokens: [
      '{',
      '}',
      '[',
      ']',
      '"items":',
      '"next":',
      '"a":',
      '"b":',
      ',',
      ':',
      '"',
      '\\',
      '12345678901234567890',
      ' ',
      'true',
    ],
    run: readAsPage,
  },
  'media-type': {
    seeds: ['application/json; charset=utf-8', 'text/*, a/b;q="x,y"', 'application/yang-data+json'],
    tokens: ['application/', '+json', ';', '=', '"', ', ', '\t', '*/*'],
    run: readAsMediaType,
  },
  target: {
    seeds: ['/a//b?c', 'http://host/a', '/%c3%a9', '/a%00', '*'],
    tokens: ['/', '//', '%', '%00', '%e9', '?', 'http://', '#'],
    run: readAsTarget,
  },
  head: {
    seeds: [
      'GET / HTTP/1.1\r\nHost: a:80\r\nAccept: */*',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1',
      'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket',
    ],
    tokens: [
      '\r\n',
      ': ',
      'Host',
      'Transfer_Encoding',
      'chunked',
      'Content-Length',
      'Expect',
      'Upgrade',
      ',',
    ],
    run: readAsHead,
  },
  'list-query': {
    seeds: ['limit=2&skip=1&sort=name&order=-1', 'equals=a&equalsField=a.b', 'contains=A&containsField=name'],
    tokens: [
      'limit=',
      'skip=',
      'order=',
      'sort=',
      '&',
      'startsWith=',
      'containsField=',
      '__proto__',
      '1e9',
      '-1',
    ],
    run: readAsListQuery,
  },
  reference: {
    seeds: [
      '$VAULT_adapters/nso1#password',
      '$VAULT_/kv/a%20b?version=2&encoding=base64#/a/0',
      '$SECRET_a $KEY_b',
      '$$VAULT_a',
    ],
    tokens: [
      '$VAULT_',
      '$SECRET_',
      ' $KEY_',
      '$ENC',
      '#',
      '?version=',
      '%2e',
      '%2f',
      '..',
      '/',
      '~1',
      '$$',
      '&',
    ],
    run: readAsReference,
  },
  'netconf-frames': {
    seeds: ['<hello/>]]>]]>\n#4\n<a/>\n##\n', '\n#2\n<a\n#2\n/>\n##\n', ']]>]]>]]>'],
    tokens: ['\n#', '\n##\n', ']]>]]>', '4294967295', '0', '\n'],
    run: readAsFrames,
  },
  xml: {
    seeds: [
      '<a xmlns="urn:a"><b:c xmlns:b="urn:b" d="1">x &lt; y</b:c></a>',
      '<a><![CDATA[x]]><!-- y --></a>',
    ],
    tokens: ['<', '</', '/>', 'xmlns:b="', '&#x41;', '&lt;', '<!DOCTYPE', '<![CDATA[', ']]>', '<?', '?>'],
    run: readAsXml,
  },
  config: {
    seeds: [
      'plugin: restconf\nbaseUrl: https://a.example\n',
      'a: [1, "x", *b]\n',
      '{"a": "${HOME:-x}", "b": $VAULT_a#b}',
      '---\na: |\n  b\n',
    ],
    tokens: [
      ': ',
      '\n',
      '- ',
      '&a',
      '*a',
      '${',
      ':-',
      '}',
      '!!',
      '"',
      "'",
      '|',
      '>',
      '#',
      '<<: ',
      '? ',
      '%YAML',
      '---',
    ],
    run: readAsConfig,
  },
  yang: {
    seeds: [
      'module m { namespace "urn:m"; prefix m; leaf a { type string { length 1..2; pattern "[a-z]*"; } } }',
      "module m { yang-version 1.1; namespace urn:m; prefix m; list l { key k; leaf k { type uint8 { range '1..5'; } } } }",
      'module m { namespace "urn:m"; prefix m; grouping g { choice c { leaf a { type enumeration { enum x; } } } } uses g; }',
      'module m { namespace "urn:m"; prefix m; identity i; typedef t { type identityref { base i; } } leaf l { type t; } }',
    ],
    tokens: [
      '{',
      '}',
      ';',
      '"',
      "'",
      '+',
      '//',
      '/*',
      '*/',
      'leaf ',
      'type ',
      'uses ',
      'augment ',
      'union',
      'leafref',
      'container ',
      'default ',
    ],
    run: readAsYang,
  },
  xpath: {
    seeds: [
      "../a = 'b' and count(m:l[k=current()/x]) > 1",
      'not(//a | b[1]/@c) or -1.5 div 2',
      'derived-from-or-self(., "m:i")',
    ],
    tokens: [
      '../',
      '//',
      '[',
      ']',
      '(',
      ')',
      'and ',
      ' or ',
      "'",
      '"',
      '::',
      'm:',
      '|',
      '*',
      '.5',
      '$',
      'current()',
    ],
    run: readAsXPath,
  },
};

/** Parsers that a run searches. */
export const SEARCHED = SABOTAGED ? PLANTED : TARGETS;
