import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import jwt from 'jsonwebtoken';
import { makeCertificate } from '../support/certificates.js';
import { type Listener, listenOnLoopback } from '../support/loopback.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type Bench, openBench, withGatehouse } from './bench.js';
import { runWith, writeConfiguration } from './gatehouse.js';

const ACCOUNT = { namespace: 'edge', name: 'gatehouse' };

describeWith(OPENBAO, 'logins with tokens of other issuers, on a real OpenBao', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());
  const callWorks = (auth: string, files: Readonly<Record<string, string>>): Promise<void> =>
    withGatehouse(bench.configuration([`auth: ${auth}`], files), async (gatehouse) => {
      assert.equal((await gatehouse.call('nso1')).status, 200, gatehouse.log());
    });
  const faultOf = async (auth: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const path = writeConfiguration(bench.configuration([`auth: ${auth}`], files));
    const { code, out } = await runWith(path, 'check', '--probe');
    return `${code} ${out}`;
  };
  const role = {
    token_policies: 'gatehouse',
    audience: 'vault',
    bound_service_account_names: ACCOUNT.name,
    bound_service_account_namespaces: ACCOUNT.namespace,
  };

  describe('with the service account of a pod', () => {
    let cluster: Listener;
    const issuer = newIssuer();
    before(async () => {
      cluster = await startTokenReviews(issuer.accepts);
      await bench.bao.ask('POST', 'sys/auth/kubernetes', { body: { type: 'kubernetes' } });
      const config = {
        kubernetes_host: `http://${cluster.host}`,
        token_reviewer_jwt: issuer.sign({ name: 'reviewer' }),
        kubernetes_ca_cert: (await makeCertificate({ ip: '127.0.0.1' })).cert,
        disable_local_ca_jwt: true,
      };
      await bench.bao.ask('POST', 'auth/kubernetes/config', { body: config });
      await bench.bao.ask('POST', 'auth/kubernetes/role/gatehouse', { body: role });
    });
    after(() => cluster.close());
    const auth = '{ method: kubernetes, role: gatehouse, jwtFile: token }';

    it('A-02 logs in with a token that the cluster confirms', () =>
      callWorks(auth, { token: issuer.sign(ACCOUNT) }));

    it('A-02 ends with 77 for the token of another service account', async () => {
      const fault = await faultOf(auth, { token: issuer.sign({ ...ACCOUNT, name: 'other' }) });
      assert.match(fault, /^77 .*auth\/kubernetes\/login.*VAULT_LOGIN_FAILED/s);
    });

    it('A-02 ends with 77 for a token that the cluster does not know', async () => {
      const fault = await faultOf(auth, { token: newIssuer().sign(ACCOUNT) });
      assert.match(fault, /^77 .*VAULT_(LOGIN_FAILED|LOCKED_OUT)/s);
    });

    it('A-02 ends with 75 if the login method answers 500 (bug: "check its database")', async () => {
      const fault = await faultOf(auth, { token: issuer.sign({ ...ACCOUNT, audience: 'vault' }) });
      assert.match(
        fault,
        /^75 .*its login method failed at "auth\/kubernetes\/login".*VAULT_LOGIN_UNAVAILABLE/s,
      );
      assert.doesNotMatch(fault, /database/);
    });
  });

  describe('with a JWT', () => {
    const issuer = newIssuer();
    before(async () => {
      await bench.bao.ask('POST', 'sys/auth/jwt', { body: { type: 'jwt' } });
      const config = { jwt_validation_pubkeys: issuer.publicKey, default_role: 'edge' };
      await bench.bao.ask('POST', 'auth/jwt/config', { body: config });
      for (const name of ['edge', 'other'])
        await bench.bao.ask('POST', `auth/jwt/role/${name}`, {
          body: {
            role_type: 'jwt',
            user_claim: 'sub',
            bound_audiences: 'vault',
            bound_subject: name === 'edge' ? SUBJECT : 'nobody',
            token_policies: 'gatehouse',
          },
        });
    });
    const auth = (more = '') => `{ method: jwt, jwtFile: token${more} }`;

    it('A-03 logs in with a role', () => callWorks(auth(', role: edge'), { token: issuer.sign(ACCOUNT) }));
    it('A-03 logs in with the default role of the mount', () =>
      callWorks(auth(), { token: issuer.sign(ACCOUNT) }));

    it('A-03 ends with 77 for a role that does not take the token', async () => {
      const fault = await faultOf(auth(', role: other'), { token: issuer.sign(ACCOUNT) });
      assert.match(fault, /^77 .*VAULT_LOGIN_FAILED/s);
    });
  });
});

const SUBJECT = `system:serviceaccount:${ACCOUNT.namespace}:${ACCOUNT.name}`;

interface Account {
  readonly namespace?: string;
  readonly name: string;
  /** Audience of the token, which OpenBao reads only as a list; a list by default. */
  readonly audience?: string;
}

interface Issuer {
  readonly publicKey: string;
  sign(account: Account): string;
  /** Returns the service account of a token of this issuer. */
  readonly accepts: (token: string) => Account | undefined;
}

/** Creates an issuer of service account tokens (ES256), as a cluster has one. */
function newIssuer(): Issuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return {
    publicKey: pem,
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
