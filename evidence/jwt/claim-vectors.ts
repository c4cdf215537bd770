import { NOW } from '../../test/auth/fixtures.js';
import { ALPHABET } from '../../test/auth/token-mutations.js';
import type { TestIssuer } from '../../test/support/tokens.js';
import { refused, type TokenVector } from './token-vector.js';

type Members = Readonly<Record<string, unknown>>;

/** Times, audiences, issuers and roles: J4 to J6. */
export function claimVectors(idp: TestIssuer): readonly TokenVector[] {
  return [...times(idp), ...names(idp)];
}

function times(idp: TestIssuer): readonly TokenVector[] {
  const bad: readonly Members[] = [
    ...[NOW, NOW - 1, 0, -1, undefined, null, String(NOW + 60), NOW + 0.5, 2 ** 53, [NOW + 60], {}, true].map(
      (exp) => ({ exp }),
    ),
    ...[NOW + 1, NOW + 1e6, String(NOW), null, NOW + 0.5, [NOW]].map((nbf) => ({ nbf })),
    ...[NOW + 1, NOW + 1e6, String(NOW), null, -0.5].map((iat) => ({ iat })),
    { iat: NOW - 86_400, exp: NOW + 60 },
    { exp: NOW + 86_401 },
  ];
  const raw = ['1e400', '-1e400', '9007199254740993', '1e-400', 'NaN'].map((exp) =>
    idp.signTexts(
      '{"alg":"ES256"}',
      `{"iss":"${idp.settings.issuer}","aud":"gatehouse","sub":"a","exp":${exp}}`,
    ),
  );
  return [
    ...bad.map((claims) => refused('J4', JSON.stringify(claims), idp.sign(claims))),
    ...raw.map((token, at) => refused('J4', `exp of another kind ${at}`, token)),
    ...[{ exp: NOW + 1 }, { nbf: NOW }, { nbf: 0 }, { iat: NOW }].map((claims) => ({
      id: 'J4',
      name: JSON.stringify(claims),
      token: idp.sign(claims),
      accepted: true,
    })),
  ];
}

function names(idp: TestIssuer): readonly TokenVector[] {
  const audiences = [
    undefined,
    null,
    '',
    'gatehous',
    'gatehouse2',
    'Gatehouse',
    'gatehouse/',
    'g\u0430tehouse',
    ['x'],
    [],
    [['gatehouse']],
    { gatehouse: true },
    1,
    ['gatehouse', 1],
  ];
  const issuers = [
    undefined,
    null,
    '',
    `${idp.settings.issuer}/`,
    'https://IDP.test',
    'https://idp.tes',
    'https://idp.test.evil',
    ['https://idp.test'],
    '__proto__',
    'constructor',
    'http://idp.test',
  ];
  const roles = [
    'admin',
    { admin: true },
    'admin,engineering',
    [['admin']],
    Array.from({ length: 10_000 }, () => 'a'),
  ];
  return [
    ...audiences.map((aud) => refused('J5', `aud ${JSON.stringify(aud)}`, idp.sign({ aud }))),
    ...issuers.map((iss) => refused('J5', `iss ${JSON.stringify(iss)}`, idp.sign({ iss }))),
    ...[
      ['gatehouse', 'x'],
      ['x', 'gatehouse'],
    ].map((aud) => ({ id: 'J5', name: `aud ${aud.join()}`, token: idp.sign({ aud }), accepted: true })),
    ...roles.map((value, at) => ({
      id: 'J6',
      name: `roles ${JSON.stringify(value).slice(0, 30)}`,
      token: idp.sign({ roles: value }),
      accepted: at < 4,
    })),
    refused(
      'J6',
      'roles twice',
      idp.signTexts(
        '{"alg":"ES256"}',
        `{"iss":"${idp.settings.issuer}","aud":"gatehouse","sub":"a","exp":${NOW + 60},"roles":[],"roles":["admin"]}`,
      ),
    ),
  ];
}

/** Returns malformed encodings of a token, and bytes that are not JSON: J7. */
export function encodingVectors(idp: TestIssuer): readonly TokenVector[] {
  const good = idp.sign();
  const [header = '', payload = '', signature = ''] = good.split('.');
  const texts = [
    ...[
      '',
      '.',
      '..',
      header,
      `${header}.${payload}`,
      `${good}.${signature}`,
      `${good}.x.y`,
      `.${payload}.${signature}`,
    ],
    ...[
      `${header}..${signature}`,
      `${header}.${payload}.`,
      `${good}=`,
      `${good}==`,
      `${header}=.${payload}.${signature}`,
    ],
    ...[
      `${header}.${payload}=.${signature}`,
      ` ${good}`,
      `${good} `,
      `${good}\n`,
      `${header}.\n${payload}.${signature}`,
    ],
    ...[
      `${good}.`,
      `.${good}`,
      good.replace('.', '..'),
      good.toLowerCase(),
      `${header}.${payload}.${signature.replace(/./, '+')}`,
    ],
    ...[
      `${good}${'A'.repeat(8_192)}`,
      `${header}.${payload}.${'A'.repeat(86)}`,
      `${good}\u0000`,
      `${good}${'.'.repeat(5_000)}`,
    ],
  ];
  const bytes = Buffer.from([0x7b, 0xff, 0x7d]).toString('base64url');
  return [
    ...texts.map((token, at) => refused('J7', `spelling ${at}`, token)),
    ...['[]', '"x"', 'null', '1', '\ufeff{}', ''].map((text) =>
      refused('J7', `payload ${text}`, idp.signTexts('{"alg":"ES256"}', text)),
    ),
    refused('J7', 'bytes that are no UTF-8', `${header}.${bytes}.${signature}`),
    ...Array.from(ALPHABET, (letter) => ({
      id: 'J7',
      name: `last letter ${letter}`,
      token: good.slice(0, -1) + letter,
      accepted: good.endsWith(letter),
    })),
  ];
}
