import assert from 'node:assert/strict';
import {
  FORMATS,
  OLD_FORMATS,
  DURATION,
  isDate,
  isDateTime,
  isTime,
  isIri,
  isIriReference,
  isUri,
  isUriReference,
} from '../../../src/json-schema/engine/formats/formats.js';

type Rule = (text: string) => boolean;

/** Returns the rule of a format; fails if the format is unknown. */
function ruleOf(name: string, formats = FORMATS): Rule {
  return formats.get(name) ?? assert.fail(`there is no format ${name}`);
}

const words = (text: string): readonly string[] => text.split(' ');

const RULES: Readonly<
  Record<string, readonly [rule: Rule, valid: readonly string[], invalid: readonly string[]]>
> = {
  hostname: [
    ruleOf('hostname'),
    [...words('a a-1.example xn--mnchen-3ya.example'), 'a'.repeat(63)],
    [...words('. a. -a a- a_b ab--cd xn-- xn--X é'), '', 'a'.repeat(64), `${'a.'.repeat(127)}a`],
  ],
  'hostname of drafts 4 and 6': [
    ruleOf('hostname', OLD_FORMATS),
    words('ab--cd xn--X'),
    ['é', '', 'a'.repeat(64)],
  ],
  'idn-hostname': [
    ruleOf('idn-hostname'),
    words('a münchen.example मराठी faß l·l 日本語。jp xn--mnchen-3ya ا'),
    [
      ...words('München- Ü l· 1א אa a..b'),
      ...['', '\u0300a', 'e\u0301', '\u200c', 'é'.repeat(60), 'ü'.repeat(10_000)],
    ],
  ],
  email: [ruleOf('email'), ['a@b', '"a b"@c', 'a@[127.0.0.1]', 'a@[IPv6:::1]'], ['@b', 'a@', 'a b@c', 'é@b']],
  'idn-email': [ruleOf('idn-email'), words('é@ü.example a@b'), words('é＠b é@ @é')],
  ipv4: [
    ruleOf('ipv4'),
    words('0.0.0.0 255.255.255.255'),
    [...words('01.0.0.0 256.0.0.0 1.2.3'), '1.2.3.4\n'],
  ],
  ipv6: [
    ruleOf('ipv6'),
    words(':: ::1 1:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:1.2.3.4 ::ffff:1.2.3.4'),
    words(': ::: 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2::3 1:2:3:4:5:6:7::8 ::1%eth0 1.2.3.4:: :1 12345::'),
  ],
  uuid: [ruleOf('uuid'), ['2EB8AA08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08aa9811eab4aa73b441d16380', '']],
  regex: [ruleOf('regex'), words('^a$ (?=a)'), ['(', '\\a', '[']],
  'json-pointer': [ruleOf('json-pointer'), ['', '/', '/a~0~1', '//'], words('a /~ /~2')],
  'relative-json-pointer': [
    ruleOf('relative-json-pointer'),
    words('0 1/a 0# 2+1/x'),
    ['', ...words('01 -1 /a 0##')],
  ],
  'uri-template': [ruleOf('uri-template'), ['', 'a{b}', '{?x,y*,z:3}'], ['{', '}', '{}', 'a b', '{b:0}']],
  uri: [
    isUri,
    words('http://u:p@h.example:80/a/b;c?d#e urn:a:b mailto:a@b http://[::1]/ file:///x a: http://h?%20'),
    [
      ...words('//h/x a 1a:b http://[::1 http://h:x/ http://a@b@c/ x:[ x:%2 x:#a#b'),
      ...['http://a b', '', 'x:\n'],
    ],
  ],
  'uri-reference': [
    isUriReference,
    ['', ...words('#a ?a //h/x ./a:b /a:b ..')],
    ['a:b:%', '1:b', '\\', 'a"b', '[a]'],
  ],
  iri: [isIri, words('http://é.example/ü?😀 a:é'), ['é', 'http://[::1', 'http://a\u0080']],
  'iri-reference': [isIriReference, words('é /ü#é'), ['é<', 'a b']],
  date: [
    isDate,
    words('2024-02-29 0000-01-01 2000-02-29'),
    ['', ...words('2023-02-29 1900-02-29 2024-13-01 2024-1-1')],
  ],
  time: [
    isTime,
    words('23:59:60Z 00:00:00.5z 15:59:60-08:00 01:29:60+01:30'),
    words('24:00:00Z 12:00:60Z 12:00:00 12:00:00+24:00 12:00:00+1 12:60:00Z'),
  ],
  'date-time': [
    isDateTime,
    ['2024-01-31t12:00:00.999999999999999z'],
    ['2024-01-31 12:00:00Z', '2024-01-32T12:00:00Z'],
  ],
  duration: [
    (text) => DURATION.test(text),
    words('P1Y2M3D PT1H2M P4W P1DT1S'),
    words('P PT P1Y1D PT1H1S P1W1D'),
  ],
};

describe('the format', () => {
  it('follow their specifications', () => {
    for (const [name, [rule, valid, invalid]] of Object.entries(RULES)) {
      assert.deepEqual(valid.filter((text) => !rule(text)), [], name); // prettier-ignore
      assert.deepEqual(invalid.filter(rule), [], name);
    }
  });
});
