import assert from 'node:assert/strict';
import { replyError } from '../../../src/secrets/vault/reply-error.js';

const DENIED = { status: 403, body: { errors: ['1 error occurred:\n\t* permission denied\n\n'] } };

function fixOf(method: string, path: string): string {
  return replyError({ method, path, host: 'vault.example:8200' }, DENIED).fix;
}

describe('replyError', () => {
  it('vault review F6: names the capability that the denied request needs', () => {
    assert.match(fixOf('GET', 'secret/data/adapters/nso1'), /capabilities = \["read"\]/);
    assert.match(fixOf('POST', 'auth/token/renew-self'), /capabilities = \["update"\]/);
    assert.match(fixOf('POST', 'sys/leases/revoke'), /capabilities = \["update"\]/);
    assert.match(fixOf('POST', 'secret/data/adapters/nso1'), /capabilities = \["create", "update"\]/);
  });

  it('names the path as a policy must (bug: in percent encoding, which no policy matches)', () => {
    assert.match(fixOf('GET', 'secret/data/adapters/sp%20ace'), /path "secret\/data\/adapters\/sp ace" /);
    assert.match(fixOf('LIST', 'secret/metadata/%C3%BC/'), /path "secret\/metadata\/ü\/\*" /);
  });

  it('takes a 500 without an error of Vault for a proxy, and not for a failed engine', () => {
    const codeOf = (body: { errors?: string[] } | undefined): string =>
      replyError({ method: 'GET', path: 'database/creds/x', host: 'h' }, { status: 500, body }).code;
    assert.equal(codeOf(undefined), 'VAULT_UNAVAILABLE');
    assert.equal(codeOf({ errors: [] }), 'VAULT_UNAVAILABLE');
    assert.equal(
      codeOf({ errors: ['node not active but active cluster node not found'] }),
      'VAULT_UNAVAILABLE',
    );
    assert.equal(codeOf({ errors: ['1 error occurred:\n\t* dial tcp'] }), 'VAULT_ENGINE_FAILED');
  });

  it('names a login method that fails, which is no engine (bug: "check what this engine connects to")', () => {
    const reply = { status: 500, body: { errors: ['json: cannot unmarshal string into Go value'] } };
    const failed = (method: string, path: string) => replyError({ method, path, host: 'h' }, reply);
    for (const path of ['auth/kubernetes/login', 'auth/people/login/grace', 'auth/token/lookup-self']) {
      const { code, message } = failed('POST', path);
      assert.equal(code, 'VAULT_LOGIN_UNAVAILABLE', path);
      assert.match(message, /^Vault works, but its login method failed at "auth\//);
    }
    assert.match(failed('POST', 'auth/kubernetes/login').fix, /API of Kubernetes/);
    assert.equal(failed('POST', 'sys/wrapping/unwrap').code, 'VAULT_LOGIN_UNAVAILABLE');
    assert.equal(failed('POST', 'sys/capabilities-self').code, 'VAULT_UNAVAILABLE');
    assert.equal(failed('POST', 'sys/leases/renew').code, 'VAULT_ENGINE_FAILED');
  });

  it('takes the login of a user for a login', () => {
    const reply = { status: 400, body: { errors: ['invalid username or password'] } };
    const login = { method: 'POST', path: 'auth/people/login/grace', host: 'h' };
    assert.equal(replyError(login, reply).code, 'VAULT_LOGIN_FAILED');
  });
});
