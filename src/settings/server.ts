import { CLIENT_CERTIFICATES } from '../core/certificate.js';
import {
  atStart,
  bytes,
  choice,
  flag,
  HOST_PORT_PATTERN,
  integer,
  milliseconds,
  optionalInteger,
  optionalPemFile,
  ORIGIN_PATTERN,
  PUBLIC_ORIGIN_PATTERN,
  pemFile,
  section,
  text,
} from './schema-parts.js';

/** Schema of the section `server`: the listener, its limits and its processes. */
export const serverSchema = section(['Server', 'The listener of the API.'], {
  listen: atStart(
    text(
      'Listen address',
      'host:port; an IPv6 host is in brackets. The option --listen of "gatehouse serve" takes precedence.',
      {
        pattern: HOST_PORT_PATTERN,
        'x-hint': 'must be host:port with a port up to 65535, for example 127.0.0.1:3000 or [::1]:3000',
        default: '127.0.0.1:3000',
      },
    ),
  ),
  publicUrl: {
    ...text('Public URL', 'Origin at which browsers reach the server; the issuer redirects sign-ins to it.', {
      pattern: ORIGIN_PATTERN,
      'x-hint': 'must be an http or https origin, for example https://gateway.example',
    }),
    type: ['string', 'null'],
    default: null,
  },
  tls: section(
    ['TLS', 'Certificate of the listener; null serves plain http.'],
    {
      certFile: pemFile('Certificate file', 'PEM file of the certificate and its chain.'),
      keyFile: pemFile('Key file', 'PEM file of the private key.'),
      clientCaFile: optionalPemFile(
        'Client CA file',
        'PEM file of the CA certificates that the certificates of callers must come from; null accepts none.',
      ),
      clientCrlFile: optionalPemFile(
        'Client CRL file',
        'PEM file with one revocation list for each CA of callers; null checks no revocation.',
      ),
      clientCertificates: atStart(
        choice(
          'Client certificates',
          'none: callers are not asked for a certificate; optional: they may present one; required: connections without one are rejected.',
          CLIENT_CERTIFICATES,
        ),
      ),
      hsts: {
        ...text(
          'HSTS',
          'Value of Strict-Transport-Security, which applies to all ports of the host; null sends no header.',
          {
            pattern: '^max-age=\\d{1,10}(; includeSubDomains)?(; preload)?$',
            'x-hint': 'must be such as "max-age=31536000; includeSubDomains"',
          },
        ),
        type: ['string', 'null'],
        default: null,
        'x-restart': true,
      },
    },
    { type: ['object', 'null'], default: null, required: ['certFile', 'keyFile'] },
  ),
  limits: section(
    ['Limits', 'Limits of requests and connections.'],
    {
      bodyBytes: bytes('Body size', 'Maximum size of a request body, in bytes.', 1_048_576),
      bodyValues: integer(
        'Values in a body',
        'Maximum number of members and items in the JSON of a request body; eight times as many in forms, whose schemas are large, and twice as many that take long to read. The body of restAction and of restCall may have any number, because it is sent as it is written.',
        { minimum: 1000, maximum: 1_000_000_000, default: 10_000 },
      ),
      headerBytes: integer('Header size', 'Maximum size of the headers of a request, in bytes.', {
        minimum: 1024,
        maximum: 1_048_576,
        default: 16_384,
      }),
      requestTimeoutMs: milliseconds(
        'Request time-out',
        'Milliseconds for a whole request to arrive.',
        30_000,
      ),
      headersTimeoutMs: milliseconds(
        'Headers time-out',
        'Milliseconds for the headers of a request to arrive.',
        5000,
      ),
      keepAliveTimeoutMs: milliseconds(
        'Keep-alive time-out',
        'Milliseconds that an idle connection stays open.',
        65_000,
      ),
      connections: integer(
        'Connections',
        'Maximum number of concurrent connections. Beyond it, a new connection replaces the one that is idle for the longest time.',
        {
          minimum: 1,
          maximum: 1_000_000,
          default: 10_000,
        },
      ),
      connectionsPerAddress: optionalInteger(
        'Connections of an address',
        'Maximum number of concurrent connections of an IPv4 address or an IPv6 /64 network, except trusted proxies; null allows half of all.',
        { minimum: 1, maximum: 1_000_000 },
      ),
      cacheBytes: bytes(
        'Cache size',
        'Maximum size of the read caches of all adapters together in one process, in bytes.',
        67_108_864,
      ),
    },
    { default: {}, 'x-restart': true },
  ),
  overload: section(
    ['Overload', 'Load above which calls are rejected with 503; null disables load shedding.'],
    {
      loopDelayMs: milliseconds(
        'Delay',
        'Maximum delay of the event loop, in milliseconds; above it, the limit of concurrent calls is lowered.',
        50,
      ),
      memoryPercent: integer(
        'Memory',
        'Maximum use of the heap or of the memory limit of the process, in percent; above it, new calls are rejected. Memory that a garbage collection would free does not count.',
        {
          minimum: 10,
          maximum: 100,
          default: 90,
        },
      ),
      calls: integer('Calls', 'Hard limit of concurrent calls.', {
        minimum: 1,
        maximum: 1_000_000,
        default: 5000,
      }),
      unreadySeconds: integer(
        'Not ready after',
        'Seconds of uninterrupted overload after which /readyz answers 503.',
        {
          minimum: 1,
          maximum: 86_400,
          default: 30,
        },
      ),
    },
    { type: ['object', 'null'], default: {}, 'x-restart': true },
  ),
  trustedProxies: {
    title: 'Trusted proxies',
    description:
      'Addresses and networks (CIDR) of load balancers in front of the server. Their X-Forwarded-For and X-Forwarded-Proto, or PROXY header, identify the client; those of other peers are ignored.',
    type: 'array',
    uniqueItems: true,
    items: text('Proxy', 'An IP address, or a network such as 10.1.0.0/16 or 2001:db8::/48.', {
      pattern: '^[0-9A-Fa-f:.]+(?:/(?!0+$)\\d{1,3})?$',
      'x-hint': 'must be an IP address or a network, for example 10.1.2.3, 10.1.0.0/16 or 2001:db8::/48',
    }),
    default: [],
    'x-restart': true,
  },
  proxyProtocol: {
    title: 'PROXY protocol',
    description:
      'Version of the PROXY header with which every connection of a trusted proxy starts: v1, v2 or any; null: connections start with TLS or HTTP.',
    enum: ['v1', 'v2', 'any', null],
    default: null,
    'x-restart': true,
  },
  cors: section(
    ['CORS', 'Pages of other origins that may call the server from a browser.'],
    {
      origins: {
        title: 'Origins',
        description:
          'Origins of these pages; none by default. The pages send a token; cookies are not accepted.',
        type: 'array',
        uniqueItems: true,
        maxItems: 64,
        items: text('Origin', 'Scheme and host, and the port if it is not the default of the scheme.', {
          pattern: PUBLIC_ORIGIN_PATTERN,
          'x-hint': 'must be an http or https origin without a path, for example https://portal.example',
        }),
        default: [],
      },
      maxAgeSeconds: integer(
        'Maximum age',
        'Seconds for which a browser may keep the reply to a preflight.',
        {
          minimum: 0,
          maximum: 86_400,
          default: 600,
        },
      ),
    },
    { default: {}, 'x-restart': true },
  ),
  lameDuckSeconds: atStart(
    integer(
      'Lame duck time',
      'Seconds after SIGTERM or SIGINT in which /readyz answers 503 and calls are still accepted, so that load balancers send new calls elsewhere.',
      { minimum: 0, maximum: 600, default: 0 },
    ),
  ),
  drainSeconds: atStart(
    integer('Drain time', 'Seconds that a stop waits for running calls.', {
      minimum: 0,
      maximum: 3600,
      default: 30,
    }),
  ),
  watchdogSeconds: atStart(
    integer(
      'Watchdog',
      'CPU seconds after which code that does not return, such as an endless loop of a plugin, ends the process; 0: never.',
      { minimum: 0, maximum: 3600, default: 30 },
    ),
  ),
  workers: {
    title: 'Processes',
    description:
      'Number of processes that serve behind one port and share the store; auto: one per processor.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }],
    'x-hint': 'must be a number from 1 to 256, or auto',
    default: 1,
    'x-restart': true,
  },
  adapterStarts: {
    title: 'Adapter starts',
    description:
      'Number of adapters that may start at the same time, if their start takes processor time, as that of community adapters; auto: one per processor.',
    anyOf: [{ type: 'integer', minimum: 1, maximum: 256 }, { const: 'auto' }],
    'x-hint': 'must be a number from 1 to 256, or auto',
    default: 'auto',
    'x-restart': true,
  },
  reloadPlugins: flag(
    'Reload plugins',
    'Loads a plugin package again when its code changes. Without it, the code of the start stays until the next start.',
    true,
  ),
});
