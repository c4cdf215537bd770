import type { JsonSchema } from '../core/schema.js';

// The words of a key: what an editor shows, and what the person who sets it must know.

/** A string. */
export function text(title: string, description: string, more: JsonSchema = {}): JsonSchema {
  return { title, description, type: 'string', ...more };
}

/** A string, not empty where `more` says nothing else, or `null` for none, which is the default. */
export function optionalText(
  title: string,
  description: string,
  more: JsonSchema = { minLength: 1 },
): JsonSchema {
  return { title, description, type: ['string', 'null'], ...more, default: null };
}

/** A string that must be kept in a `Secret`. */
export function secret(title: string, description: string, more: JsonSchema): JsonSchema {
  return text(title, `${description} Write a reference such as $VAULT_adapters/nso1#password.`, {
    minLength: 1,
    'x-secret': true,
    ...more,
  });
}

/** A whole number. */
export function integer(title: string, description: string, more: JsonSchema): JsonSchema {
  return { title, description, type: 'integer', ...more };
}

/** True or false. */
export function flag(title: string, description: string, preset: boolean): JsonSchema {
  return { title, description, type: 'boolean', default: preset };
}

/** One of a few words. */
export function choice(
  title: string,
  description: string,
  words: readonly [string, ...string[]],
): JsonSchema {
  return { title, description, type: 'string', enum: words, default: words[0] };
}

/** A file, relative to the file of the configuration that names it; `null` means none, and is the default. */
export function optionalFile(title: string, description: string): JsonSchema {
  return optionalText(title, description, { minLength: 1, 'x-path': true });
}

/** A file, relative to the file of the configuration that names it. */
export function file(title: string, description: string, more: JsonSchema = {}): JsonSchema {
  return { title, description, type: 'string', minLength: 1, 'x-path': true, ...more };
}

/** An object with these members and no others; those in `required` have no default. */
export function section(
  words: readonly [title: string, description: string],
  properties: Readonly<Record<string, JsonSchema>>,
  more: JsonSchema = { default: {} },
): JsonSchema {
  const [title, description] = words;
  return { title, description, type: 'object', additionalProperties: false, ...more, properties };
}

/** Longest time-out, in milliseconds: timers hold no more. */
export const LONGEST_MS = 2_147_483_647;

/** Largest body or reply, in bytes: it is collected in memory. */
const LARGEST_BYTES = 1_073_741_824;

/** A time-out in milliseconds. */
export function milliseconds(title: string, description: string, preset: number): JsonSchema {
  return integer(title, description, { minimum: 1, maximum: LONGEST_MS, default: preset });
}

/** A size in bytes. */
export function bytes(title: string, description: string, preset: number): JsonSchema {
  return integer(title, description, { minimum: 1, maximum: LARGEST_BYTES, default: preset });
}

const PORT = '(?:\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])';
const HOST = '(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?)';

/** Pattern of `host:port`; an IPv6 host stands in brackets. */
export const HOST_PORT_PATTERN = `^${HOST}:${PORT}$`;

/** Pattern of a receiver of syslog messages: a URL with host and maybe a port, or the path of a socket. */
export const SYSLOG_PATTERN = `^(?:(?:udp|tcp|tls)://${HOST}(?::${PORT})?|unix:/.+)$`;

/** Pattern of an http or https URL without credentials, query and fragment. */
export const BASE_URL_PATTERN = `^https?://${HOST}(?::${PORT})?(?:/[^\\s?#\\\\]*)?$`;

/** Pattern of an http or https URL with host and port alone. */
export const ORIGIN_PATTERN = `^https?://${HOST}(?::${PORT})?/?$`;

/** Pattern of the origin of a page (RFC 6454); `self` stands for the server's own. */
export const PAGE_ORIGIN_PATTERN = `^(?:self|https?://${HOST}(?::${PORT})?)$`;

/** Pattern of an http or https URL without credentials and fragment. */
export const URL_PATTERN = `^https?://${HOST}(?::${PORT})?(?:[/?][^\\s#\\\\]*)?$`;

/** The http URL of a proxy (host and port, no credentials), or `null` for none, which is the default. */
export function optionalProxy(description: string): JsonSchema {
  return optionalText('Proxy', description, {
    pattern: `^http://${HOST}(?::${PORT})?/?$`,
    'x-hint': 'must be an http URL without path and credentials, for example http://proxy.example:3128',
  });
}
