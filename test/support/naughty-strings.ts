/** Texts that break programs which paste them into SQL, or that lose bytes in transit. */
export const NAUGHTY_STRINGS: readonly string[] = [
  ...["'; drop table forms; --", "' or '1'='1", "1' union select null--", "x'; update forms set name='y"],
  ...["') or ('a'='a", "'||(select 1)||'", ' ', '  lead', 'trail  ', '\t', '\n', '\r\n', '\u0001', '\u001f'],
  ...['\u007f', '\u0085', '\u00a0', '\u200b', '\u202e', '\u2028', '\u2029', '\ufeff', '\ufffd', '\uffff'],
  ...['e\u0301', 'ثم نفس', '`', '${x}', '<script>alert(1)</script>', 'a'.repeat(512)],
  ...String.raw`
    ' '' " \ \' admin'-- % _ %_% * ? $1 :name @p {} {{x}} $where $set __proto__ constructor null undefined
    true 0 -1 1e400 NaN 😀 𝒳 👩‍👩‍👧 é ß SS İ ı Å Å ﬁ ＡＢＣ Ω≈ç√ 田中さん Ⱥ ../../etc/passwd
    http://a/?b#c a/b a%2fb %00 . .. CON
  `
    .trim()
    .split(/\s+/),
];

const OPENINGS = ["'", '"', '`', "')", '")', "'))", "\\'", "';", '$$', '%27', '1', "x'||'"];
const PAYLOADS = [
  ' or 1=1',
  " or 'a'='a",
  ' union select id, document from forms',
  '; drop table forms',
  '; delete from forms',
  "; update forms set name = 'x'",
  "; attach database '/tmp/x' as x",
  '; pragma writable_schema = 1',
  "; copy forms to '/tmp/x'",
  ' and (select pg_sleep(9)) is null',
];
const ENDINGS = ['', '--', '/*', '#'];

/** Attempts to leave a literal of SQL, each opening with each payload and each ending: 480. */
export const SQL_INJECTIONS: readonly string[] = OPENINGS.flatMap((opening) =>
  PAYLOADS.flatMap((payload) => ENDINGS.map((ending) => opening + payload + ending)),
);
