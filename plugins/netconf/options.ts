import type { JsonSchema } from '../../src/core/schema.js';
import type { Secret } from '../../src/core/secret.js';
import type { UnknownNodes } from '../../src/yang/encoding/xml-to-json.js';
import { FINGERPRINT_PATTERN } from './host-key.js';
import type { TargetChoice } from './server.js';

/** Login of an SSH connection. The host key is always known: no option accepts any. */
export interface SshOptions {
  readonly username: string;
  readonly password?: Secret;
  readonly privateKey?: Secret;
  readonly passphrase?: Secret;
  readonly hostKeys?: readonly string[];
  readonly knownHosts?: string;
}

/** Certificates of a TLS connection. */
export interface TlsOptions {
  readonly caFile: string;
  readonly certFile: string;
  readonly key: Secret;
  readonly serverName?: string;
}

/** Resolved options of an adapter of this plugin. */
export interface NetconfOptions {
  readonly host: string;
  readonly port: number;
  readonly ssh?: SshOptions;
  readonly tls?: TlsOptions;
  readonly datastore: TargetChoice;
  readonly validate: boolean;
  readonly confirmSeconds: number;
  readonly lockMs: number;
  readonly modules?: readonly string[];
  readonly schemaFolder?: string;
  readonly unknownNodes: UnknownNodes;
  readonly sessions: number;
  readonly maxWaiting: number;
  readonly streams: number;
  readonly idleMs: number;
  readonly chunkedFraming: boolean;
  readonly connectMs: number;
  readonly keepaliveMs: number;
  readonly maxReplyBytes: number;
}

function text(description: string, rest: JsonSchema = {}): JsonSchema {
  return { description, type: 'string', minLength: 1, maxLength: 255, ...rest };
}

function secret(description: string): JsonSchema {
  return { description, type: 'string', minLength: 1, 'x-secret': true };
}

function path(description: string): JsonSchema {
  return { description, type: 'string', minLength: 1, 'x-path': true };
}

interface Range {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

function integer(description: string, range: Range): JsonSchema {
  return { description, type: 'integer', ...range };
}

/** Returns a schema that requires a member. */
function given(name: string): JsonSchema {
  return { required: [name], properties: { [name]: true } };
}

const SSH: JsonSchema = {
  description: 'Login for NETCONF over SSH (RFC 6242).',
  type: 'object',
  additionalProperties: false,
  required: ['username'],
  properties: {
    username: text('User.'),
    password: secret('Password.'),
    privateKey: secret('Private key, in the format of OpenSSH or PEM.'),
    passphrase: secret('Passphrase of the private key.'),
    hostKeys: {
      description: 'SHA-256 fingerprints of the accepted host keys, as "ssh-keygen -l" prints them.',
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', pattern: FINGERPRINT_PATTERN },
    },
    knownHosts: path('File in the format of known_hosts of OpenSSH, in place of hostKeys.'),
  },
  'x-hint': 'needs a password or a privateKey, and either hostKeys or knownHosts',
  anyOf: [given('password'), given('privateKey')],
  oneOf: [given('hostKeys'), given('knownHosts')],
};

const TLS: JsonSchema = {
  description: 'Certificates for NETCONF over TLS (RFC 7589), in place of SSH.',
  type: 'object',
  additionalProperties: false,
  required: ['caFile', 'certFile', 'key'],
  properties: {
    caFile: path('PEM file of the CA that signed the certificate of the server.'),
    certFile: path('PEM file of the certificate of gatehouse, which names the user.'),
    key: secret('Private key of the certificate, as PEM.'),
    serverName: text('Name in the certificate of the server; default: host.'),
  },
};

/** Schema of the options. */
export const optionsSchema: JsonSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['host'],
  properties: {
    host: text('Name or address of the server.', { pattern: '^[A-Za-z0-9._:-]+$' }),
    port: integer('Port of the server; 830 is that of SSH, 6513 that of TLS.', {
      minimum: 1,
      maximum: 65_535,
      default: 830,
    }),
    ssh: SSH,
    tls: TLS,
    datastore: {
      description:
        'Datastore for changes: auto takes candidate where the server has it, and running otherwise.',
      enum: ['auto', 'candidate', 'running'],
      default: 'auto',
    },
    validate: {
      description: 'True to validate candidate before the commit, where the server can.',
      type: 'boolean',
      default: true,
    },
    confirmSeconds: integer(
      'Seconds after which the server takes back a commit whose confirmation does not arrive; 0 commits at once.',
      { minimum: 0, maximum: 3600, default: 0 },
    ),
    lockMs: integer('Maximum time to wait for the lock of another session, in milliseconds.', {
      minimum: 0,
      maximum: 60_000,
      default: 5000,
    }),
    modules: {
      description:
        'Names of the YANG modules to load, with those that they import; default: all modules of the server.',
      type: 'array',
      minItems: 1,
      maxItems: 1000,
      items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$', maxLength: 255 },
    },
    schemaFolder: path('Folder of YANG modules that the server does not send.'),
    unknownNodes: {
      description:
        'What becomes of nodes that the modules do not have: refuse answers 502, omit leaves them out, anydata returns them as text.',
      enum: ['refuse', 'omit', 'anydata'],
      default: 'omit',
    },
    sessions: integer('Maximum number of sessions; each serves one call at a time.', {
      minimum: 1,
      maximum: 64,
      default: 4,
    }),
    maxWaiting: integer('Maximum number of calls that wait for a session.', {
      minimum: 0,
      maximum: 10_000,
      default: 256,
    }),
    streams: integer('Maximum number of event streams; each has a session of its own.', {
      minimum: 0,
      maximum: 256,
      default: 8,
    }),
    idleMs: integer('Time after which an unused session is closed, in milliseconds.', {
      minimum: 1000,
      maximum: 86_400_000,
      default: 300_000,
    }),
    chunkedFraming: {
      description:
        'False to speak NETCONF 1.0 with a server that announces 1.1 and does not frame its messages in chunks.',
      type: 'boolean',
      default: true,
    },
    connectMs: integer('Maximum time to open a session, with login and hello, in milliseconds.', {
      minimum: 100,
      maximum: 120_000,
      default: 20_000,
    }),
    keepaliveMs: integer(
      'Interval of keepalives, in milliseconds. The third one without an answer ends the session.',
      { minimum: 1000, maximum: 3_600_000, default: 30_000 },
    ),
    maxReplyBytes: integer('Maximum size of a message of the server, in bytes of XML.', {
      minimum: 65_536,
      maximum: 268_435_456,
      default: 33_554_432,
    }),
  },
  'x-hint': 'needs either ssh or tls',
  oneOf: [given('ssh'), given('tls')],
};
