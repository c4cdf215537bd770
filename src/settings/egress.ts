import { bytes, flag, integer, milliseconds, section } from './schema-parts.js';

/** Schema of the key `egress`. */
export const egressSchema = section(['Egress', 'Targets that POST /tools/restCall may reach.'], {
  public: flag('Public addresses', 'True allows all public addresses; false only those of allow.', false),
  allow: targets(
    'Allowed targets',
    'Host, address or CIDR, each with an optional port. Private and special ranges are denied unless they are listed here. Ports of other services, such as 22 or 5432, are denied unless an entry names the port.',
  ),
  deny: targets('Denied targets', 'Same syntax as allow; takes precedence over allow.'),
  adapters: targets(
    'Targets of adapters',
    'Loopback, link-local, metadata and multicast addresses that adapters registered through the API may reach. Same syntax as allow.',
  ),
  maxReplyBytes: bytes('Reply size', 'Maximum size of a reply, in bytes.', 10_485_760),
  timeoutMs: milliseconds('Time-out', 'Milliseconds for a whole call.', 30_000),
  concurrent: integer(
    'Calls',
    'Maximum number of concurrent calls of all callers, until their replies are sent; others get egress_busy.',
    {
      minimum: 1,
      maximum: 10_000,
      default: 16,
    },
  ),
  concurrentPerSubject: integer(
    'Calls of a caller',
    'Maximum number of concurrent calls of one caller; others get too_many_requests.',
    {
      minimum: 1,
      maximum: 10_000,
      default: 4,
    },
  ),
  memoryBytes: bytes(
    'Memory',
    'Maximum memory for replies, in bytes; each call counts twice maxReplyBytes. One call is always admitted.',
    335_544_320,
  ),
});

function targets(title: string, description: string) {
  const hint = 'must be a host, host:port, CIDR or CIDR:port, for example 10.20.0.0/16:443';
  return {
    title,
    description,
    type: 'array',
    default: [],
    items: { type: 'string', pattern: '^[^\\s/]+(?:/[^\\s/]+)?$', 'x-hint': hint },
  } as const;
}
