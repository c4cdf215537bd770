import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { withConnectionAdvice } from '../../../src/cli/login/connection-advice.js';
import { createGateway, withoutControls, serverUrl } from '../../../src/cli/login/gateway.js';
import type { HttpClient } from '../../../src/core/http.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { makeCertificate } from '../../support/certificates.js';
import { listenOnLoopback } from '../../support/loopback.js';

describe('serverUrl', () => {
  it('returns one spelling, with https where no scheme is written', () => {
    for (const [text, url] of [
      ['gateway.example', 'https://gateway.example'],
      ['https://Gateway.example:443/', 'https://gateway.example'],
      ['https://gateway.example/edge//?a=b#c', 'https://gateway.example/edge'],
      ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ] as const)
      assert.equal(serverUrl(text), url);
  });

  it('refuses plain http to another machine, credentials, and what is no URL', () => {
    for (const text of [
      'http://gateway.example',
      'https://ada:pw@gateway.example',
      'ftp://127.0.0.1',
      'https://',
      '',
    ])
      assert.throws(() => serverUrl(text), { name: 'Error' }, text);
  });
});

describe('createGateway', () => {
  function answering(status: number, body: string): HttpClient {
    return {
      send: () => Promise.resolve({ status, headers: {}, body: Buffer.from(body) }),
      close: () => Promise.resolve(),
    };
  }

  it('says how to trust a certificate that is not trusted', async () => {
    const { cert, key } = await makeCertificate({ ip: '127.0.0.1' });
    const server = await listenOnLoopback(createServer({ cert, key }));
    const http = openHttpClient({});
    try {
      await assert.rejects(
        createGateway(`https://${server.host}`, http).methods(),
        /cannot be reached: the certificate .* self-signed and not trusted\. Name a PEM file .* --ca FILE"; beside GATEHOUSE_TOKEN, set GATEHOUSE_CA_FILE$/,
      );
    } finally {
      await http.close();
      await server.close();
    }
    const issuer = 'the discovery: the certificate of the target comes from an authority that is not trusted';
    assert.match(withConnectionAdvice(issuer), /--ca FILE/);
    assert.equal(withConnectionAdvice('the token endpoint answers with status 500').includes('--ca'), false);
  });

  it('says what to do about an address at which no server answers', async () => {
    const closed = await listenOnLoopback(createServer());
    await closed.close();
    const http = openHttpClient({});
    try {
      await assert.rejects(
        createGateway(`https://${closed.host}`, http).methods(),
        /refuses connections on this port\. Correct the port of the address, or start the server$/,
      );
    } finally {
      await http.close();
    }
    assert.match(withConnectionAdvice('the host name is not known'), /Correct the host of the address/);
  });

  it('rejects a reply that is not that of a gatehouse', async () => {
    const bodies = [
      '<html>',
      '[]',
      '{}',
      '{"issuers":[{}]}',
      '{"issuers":[{"issuer":7,"name":"a","clientId":"b","scopes":[]}]}',
    ];
    for (const body of bodies)
      await assert.rejects(
        createGateway('https://a', answering(200, body)).methods(),
        /https:\/\/a is not a gatehouse/,
      );
  });

  it('says what the server says, in one or two sentences', async () => {
    const body = JSON.stringify({
      code: 'invalid_credentials',
      detail: 'Invalid \u001b[31mcredentials',
      recommendation: 'Try again.',
    });
    await assert.rejects(createGateway('https://a', answering(401, body)).logIn('ada', 'x'), {
      status: 401,
      message: 'Invalid [31mcredentials. Try again.',
    });
  });
});

describe('withoutControls', () => {
  it('removes what could control a terminal, and keeps letters of all languages', () => {
    assert.equal(withoutControls('a\u001b]0;x\u0007b\r\nc\u202ed é 漢'), 'a]0;xbcd é 漢');
  });
});
