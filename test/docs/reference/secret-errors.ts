import type { VaultErrorCode } from '../../../src/vault/vault-error.js';
import type { LexicalFault } from '../../../src/vault/reference.js';
import type { ReferencePage } from './page.js';
import { blocks, code, table } from './write-markdown.js';

type Code = VaultErrorCode | LexicalFault['code'] | 'SECRET_LITERAL';
type Texts = readonly [meaning: string, advice: string];

const configuration = {
  ENC_REJECTED: [
    'The value is encrypted by the platform.',
    '[Move it to Vault](../how-to/migrate-enc-values.md).',
  ],
  SECRET_LITERAL: [
    'The secret is in plain text.',
    'Run `gatehouse secrets migrate --from-literals`, or write `${NAME}`.',
  ],
  VAULT_REF_SYNTAX: [
    'The reference is malformed.',
    'Write `$VAULT_<path>#<field>`. A literal value begins with `$$`.',
  ],
  VAULT_REF_FOREIGN: [
    'The reference has the syntax of another tool, such as `vault://...`.',
    'Write `$VAULT_<path>#<field>`.',
  ],
  VAULT_REF_MISPLACED: [
    'A reference is inside the section `vault`.',
    'Use a file or an environment variable.',
  ],
  VAULT_NOT_CONFIGURED: [
    'There is a reference, but no section `vault`.',
    'Add the section with `address` and `auth`.',
  ],
  VAULT_ADDRESS: ['`vault.address` has a path or is not a URL.', 'Write only scheme, host and port.'],
  VAULT_MOUNT: [
    '`vault.mount` or `vault.auth.mount` is not a mount.',
    'Write it without leading and trailing slashes.',
  ],
  VAULT_INSECURE: [
    'The address is http to another machine, or `VAULT_SKIP_VERIFY` is set.',
    'Use https and `vault.tls.caFile`; unset the variable.',
  ],
  VAULT_SETTINGS: [
    'Settings of the section `vault` contradict each other.',
    'Correct the key that the message names.',
  ],
} satisfies Partial<Record<Code, Texts>>;

const secrets = {
  VAULT_NOT_FOUND: [
    'There is no secret at the path, or not this version.',
    'Correct the path (without `data/`), `vault.mount` or `vault.kvVersion`; or write the secret.',
  ],
  VAULT_VERSION_DELETED: ['The version was deleted.', 'Run `vault kv undelete`, or write the secret again.'],
  VAULT_VERSION_DESTROYED: ['The version was destroyed.', 'Write the secret again.'],
  VAULT_KV_VERSION_MISMATCH: [
    'The mount has the other KV version.',
    'Set `vault.kvVersion`. With KV version 1, remove `?version=`.',
  ],
  VAULT_PATH_FORBIDDEN: [
    'The path may lead to an API of Vault behind a namespace.',
    'Name the engine in `vault.mount` and the namespace in `vault.namespace`.',
  ],
  VAULT_FIELD_MISSING: ['The secret has no such field.', 'Correct the field, or write it.'],
  VAULT_FIELD_REQUIRED: ['The secret has several fields, and the reference names none.', 'Add `#<field>`.'],
  VAULT_FIELD_NOT_SCALAR: [
    'The field is an object, a list, or a number that is too large.',
    'Point to a member (`#/field/member`), or store a string.',
  ],
  VAULT_FIELD_EMPTY: ['The field is empty.', 'Write the value.'],
  VAULT_FIELD_ENCODING: [
    'The reference has `encoding=base64`, but the field is not base64 text.',
    'Store it with `base64 -w0`, or remove the parameter.',
  ],
} satisfies Partial<Record<Code, Texts>>;

const vault = {
  VAULT_DENIED: [
    'The policy denies the path, or the token has expired.',
    'Give the role a policy for the path in the message; renew the token.',
  ],
  VAULT_LOGIN_FAILED: [
    'The login failed, or its file or variable is missing.',
    'Check `vault.auth`, its files, and whether the secret id has expired.',
  ],
  VAULT_WRAP_INVALID: [
    'The wrapping token was used before, or created elsewhere. Treat this as a security incident.',
    'Create a new token, and find out who used the old one.',
  ],
  VAULT_STILL_WRAPPED: [
    'A check does not unwrap the credential, because the server needs it.',
    'Start the server, or give the check separate credentials.',
  ],
  VAULT_LOCKED_OUT: [
    'Vault rejects logins of this role.',
    'Check `vault.auth.mount`. After too many failures, wait 15 minutes.',
  ],
  VAULT_SEALED: ['Vault is sealed.', 'Unseal it.'],
  VAULT_ENGINE_FAILED: [
    'Vault works, but the engine of the secret failed.',
    'Check the target of the engine, for example its database.',
  ],
  VAULT_UNAVAILABLE: [
    'There is no connection, or Vault cannot serve requests.',
    'Check that Vault is running and that `vault.address` is correct.',
  ],
  VAULT_LEASE_ENDED: [
    'Leased credentials have expired, and Vault issued no new ones.',
    'Correct the error that follows in the message. gatehouse retries.',
  ],
  VAULT_RATE_LIMITED: ['A quota of Vault rejected the request.', 'Wait, then reload.'],
  VAULT_TIMEOUT: [
    'Vault did not answer in time.',
    'Check that Vault is running, or raise `vault.request.deadlineMs`.',
  ],
  VAULT_TLS: [
    'The certificate is not trusted, or `caFile` cannot be used.',
    'Set `vault.tls.caFile` and `vault.tls.serverName`.',
  ],
  VAULT_WRITE_CONFLICT: ['Other clients changed the secret during the write.', 'Send the change again.'],
  VAULT_BAD_RESPONSE: [
    'The reply is not from Vault.',
    'Check `vault.address`: there must be no page, proxy or redirect in between.',
  ],
} satisfies Partial<Record<Code, Texts>>;

const files = {
  FILE_REF_SYNTAX: [
    'The reference to a file is malformed.',
    'Write `$FILE_<path>`. A literal value begins with `$$`.',
  ],
  FILE_NOT_CONFIGURED: [
    'There is a reference to a file, but no section `secrets.files`.',
    'Set `secrets.files.root`.',
  ],
  FILE_NOT_FOUND: ['There is no file at the path.', 'Create it, or correct the path.'],
  FILE_OUTSIDE_ROOT: ['A link leads out of the folder.', 'Put the file itself below the folder.'],
  FILE_NOT_REGULAR: ['The path is a folder, a FIFO, a socket or a device.', 'Name a regular file.'],
  FILE_TOO_LARGE: [
    'The file is larger than `secrets.files.maxBytes`.',
    'Correct the reference, or raise the limit.',
  ],
  FILE_DENIED: [
    'The user of the server may not read the file.',
    'Let the user read the file and enter its folders. In Kubernetes, set `fsGroup`.',
  ],
  FILE_UNREADABLE: [
    'The file system reports another error, which the message names.',
    'Check the file system.',
  ],
  FILE_NOT_TEXT: ['The content is not UTF-8.', 'Write text, or base64 with `?encoding=base64`.'],
  FILE_NOT_JSON: [
    'The reference names a member, but the file is not a JSON object.',
    'Remove `#...`, or write a JSON object.',
  ],
  FILE_EMPTY: ['The file is empty, except for a line break.', 'Write the value.'],
  FILE_FIELD_MISSING: ['The object has no such member.', 'Correct the member, or write it.'],
  FILE_FIELD_NOT_SCALAR: [
    'The member is an object, a list, or a number that is too large.',
    'Point to a member of it, or write a string.',
  ],
  FILE_FIELD_EMPTY: ['The member is empty.', 'Write the value.'],
  FILE_ENCODING: [
    'The reference has `encoding=base64`, but the value is not base64 text.',
    'Write it with `base64 -w0`, or remove the parameter.',
  ],
} satisfies Partial<Record<Code, Texts>>;

/** The compiler checks that every code has its texts. */
const ALL: Readonly<Record<Code, Texts>> = { ...configuration, ...secrets, ...vault, ...files };

/** The documented codes. */
export const SECRET_ERROR_CODES = Object.keys(ALL);

const GROUPS = [
  ['Configuration', configuration],
  ['Secrets', secrets],
  ['Vault', vault],
  ['Files', files],
] as const;

export const secretErrors: ReferencePage = {
  file: 'secret-errors.md',
  title: 'Secret errors',
  about: 'The codes of errors with secrets, as `gatehouse check`, a failed start and the log print them.',
  body: () =>
    blocks(
      ...GROUPS.map(([title, group]) =>
        blocks(`## ${title}`, table(['Code', 'Meaning', 'What to do'], rowsOf(group))),
      ),
    ),
};

function rowsOf(group: Readonly<Record<string, Texts>>): readonly (readonly string[])[] {
  return Object.entries(group).map(([name, [meaning, advice]]) => [code(name), meaning, advice]);
}
