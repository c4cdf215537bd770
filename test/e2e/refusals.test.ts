import assert from 'node:assert/strict';
import { request } from 'undici';
import { createApiDescription } from '../../src/features/api-description.js';
import { describeOperations } from '../../src/features/operations.js';
import type { OpenApiOperation } from '../../src/http/openapi-types.js';
import { createReplyCheck } from '../support/reply-check.js';
import { startTestServer, type TestServer } from '../support/test-server.js';

const document = createApiDescription(() => ({}))();
const check = createReplyCheck(document);
const BODY_BYTES = 2_000;

interface Refusal {
  readonly status: number;
  readonly token?: 'admin' | 'nobody';
  readonly type?: string;
  readonly body?: string;
}

/** Operations that parse their body themselves. */
const UNPARSED = new Set(describeOperations().flatMap(({ name, row }) => (row.unparsed ? [name] : [])));

/** Returns the refusals that an operation must have according to its description. */
function refusalsOf({
  requestBody,
  'x-roles': roles,
  'x-operation': name,
}: OpenApiOperation): readonly Refusal[] {
  const who = roles === 'public' ? {} : ({ token: 'admin' } as const);
  const json = 'application/json';
  return [
    ...(roles === 'public' ? [] : [{ status: 401 }]),
    ...(Array.isArray(roles) ? [{ status: 403, token: 'nobody' } as const] : []),
    ...(requestBody
      ? [
          { ...who, status: 415, type: 'text/plain', body: '{}' },
          { ...who, status: 413, type: json, body: JSON.stringify('x'.repeat(BODY_BYTES)) },
          ...(UNPARSED.has(name) ? [] : [{ ...who, status: 400, type: json, body: '{' }]),
        ]
      : []),
  ];
}

describe('the documented refusals of every operation', () => {
  let testServer: TestServer;
  before(async () => {
    testServer = await startTestServer({
      // With a small limit, a body over the limit costs little.
      main: {
        server: `limits: { bodyBytes: ${BODY_BYTES} }`,
        more: `forms: { yang: { maxBytes: ${BODY_BYTES} } }\n`,
      },
    });
  });
  after(() => testServer.close());

  async function refused(method: string, template: string, refusal: Refusal): Promise<readonly string[]> {
    const { token, type, body } = refusal;
    const url = testServer.url + template.replaceAll(/\{[^}]+\}/g, 'nobody');
    const reply = await request(url, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${testServer.issueToken(token)}` }),
        ...(type !== undefined && { 'content-type': type }),
      },
      body: body ?? null,
    });
    const text = await reply.body.text();
    const { statusCode: status, headers } = reply;
    const other = status === refusal.status ? [] : [`${refusal.status} was expected: ${text}`];
    return [...other, ...check({ method, url, status, headers, text })].map((fault) => `${status}: ${fault}`);
  }

  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const refusals = refusalsOf(operation);
      if (refusals.length === 0) continue;
      it(`${operation.operationId}: ${refusals.map(({ status }) => status).join(' ')}`, async () => {
        for (const refusal of refusals) {
          if (!operation['x-operation'].startsWith('proxy.'))
            assert.ok(
              operation.responses[String(refusal.status)],
              `${refusal.status} is documented separately`,
            );
          // test/e2e/roles.test.ts sends the requests without a token and without a role.
          if (refusal.body !== undefined)
            assert.deepEqual(await refused(method.toUpperCase(), path, refusal), []);
        }
      });
    }
});
