import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import jwt from 'jsonwebtoken';
import { makeCertificate } from '../support/certificates.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type Bench, callWorks, checked, openBench } from './bench.js';

const ACCOUNT = { namespace: 'edge', name: 'gatehouse' };

describeWith(OPENBAO, 'A-02 logins with the service account of a pod, on a real OpenBao', () => {
  let bench: Bench;
  let cluster: Listener;
  const issuer = newIssuer();
  before(async () => {
    bench = await openBench();
    cluster = await startTokenReviews(issuer.accepts);
    const post = (path: string, body: object) => bench.bao.ask('POST', path, { body });
    await post('sys/auth/kubernetes', { type: 'kubernetes' });
    await post('auth/kubernetes/config', {
      kubernetes_host: `http://${cluster.host}`,
      token_reviewer_jwt: issuer.sign({ name: 'reviewer' }),
      kubernetes_ca_cert: (await makeCertificate({ ip: '127.0.0.1' })).cert,
      disable_local_ca_jwt: true,
    });
    await post('auth/kubernetes/role/gatehouse', {
      token_policies: 'gatehouse',
      audience: 'vault',
      bound_service_account_names: ACCOUNT.name,
      bound_service_account_namespaces: ACCOUNT.namespace,
    });
  });
  after(async () => {
    await cluster.close();
    await bench.close();
  });
  const withToken = (token: string) =>
    bench.configuration(['auth: { method: kubernetes, role: gatehouse, jwtFile: token }'], { token });

  it('accept a token that the cluster confirms', () => callWorks(withToken(issuer.sign(ACCOUNT))));

  for (const [what, token, expected] of [
    [
      'end with 77 for the token of another service account',
      () => issuer.sign({ ...ACCOUNT, name: 'other' }),
      /^77 .*auth\/kubernetes\/login.*VAULT_LOGIN_FAILED/s,
    ],
    [
      'end with 77 for a token that the cluster does not know',
      () => newIssuer().sign(ACCOUNT),
      /^77 .*VAULT_(LOGIN_FAILED|LOCKED_OUT)/s,
    ],
    [
      'end with 75 if the login method answers 500 (bug: "check its database")',
      () => issuer.sign({ ...ACCOUNT, audience: 'vault' }),
      /^75 (?!.*database).*its login method failed at "auth\/kubernetes\/login".*VAULT_LOGIN_UNAVAILABLE/s,
    ],
  ] as const)
    it(what, async () => {
      assert.match(await checked(withToken(token())), expected);
    });
});

interface Account {
  readonly namespace?: string;
  readonly name: string;
  /** Audience of the token, which OpenBao reads only as a list; a list by default. */
  readonly audience?: string;
}

interface Issuer {
  sign(account: Account): string;
  /** Returns the service account of a token of this issuer. */
  readonly accepts: (token: string) => Account | undefined;
}

/** Creates an issuer of service account tokens (ES256), as a cluster has one. */
function newIssuer(): Issuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return {
    sign: ({ namespace = 'kube-system', name, audience }) =>
      jwt.sign(
        {
          iss: 'https://kubernetes.example',
          sub: `system:serviceaccount:${namespace}:${name}`,
          aud: audience ?? ['vault'],
          'kubernetes.io': { namespace, serviceaccount: { name, uid: 'a-uid' } },
        },
        privateKey,
        { algorithm: 'ES256', expiresIn: 600 },
      ),
    accepts: (token) => {
      try {
        const { sub = '' } = jwt.verify(token, pem, { algorithms: ['ES256'] }) as jwt.JwtPayload;
        const [, , namespace = '', name = ''] = sub.split(':');
        return { namespace, name };
      } catch {
        return undefined;
      }
    },
  };
}

/** Starts the part of the Kubernetes API that confirms tokens: `POST /apis/authentication.k8s.io/v1/tokenreviews`. */
async function startTokenReviews(accepts: Issuer['accepts']): Promise<Listener> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { spec: { token: string } };
      const caller = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
      if (!accepts(caller)) {
        response.writeHead(401).end();
        return;
      }
      const account = accepts(review.spec.token);
      const status = account
        ? {
            authenticated: true,
            audiences: ['vault'],
            user: { username: `system:serviceaccount:${account.namespace}:${account.name}`, uid: 'a-uid' },
          }
        : { authenticated: false, error: 'invalid bearer token' };
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', ...review, status }),
      );
    })();
  });
  return listenOnLoopback(server);
}
