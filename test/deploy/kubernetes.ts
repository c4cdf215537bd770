import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A manifest for Kubernetes. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [key: string]: unknown;
}

/** A kind with the schema validation of its package, which validates `this` and throws. */
interface Kind {
  readonly prototype: { validate(this: unknown): void };
}

/**
 * Returns the faults for which the Kubernetes API would reject a manifest: values of the wrong type, missing
 * members, and unknown fields.
 */
export function complaintsAbout(manifest: Manifest): readonly string[] {
  const { apiVersion, kind } = manifest;
  const kinds = require(`kubernetes-models/${apiVersion}/${kind}`) as Record<string, Kind>;
  const unread = new Set<string>();
  try {
    kinds[kind]!.prototype.validate.call(trackReads(manifest, '', unread));
  } catch (error) {
    return [`${kind}: ${(error as Error).message}`];
  }
  return [...unread].map((path) => `${kind}: there is no field ${path}`);
}

/** Returns a proxy of the value that removes each field from the list when the field is read. */
function trackReads(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.entries(value).map(
    ([key, one]) => [key, trackReads(one, `${path}/${key}`, unread)] as const,
  );
  for (const [key] of copy) unread.add(`${path}/${key}`);
  const target = Array.isArray(value) ? copy.map(([, one]) => one) : Object.fromEntries(copy);
  return new Proxy(target, {
    get(object, key) {
      unread.delete(`${path}/${String(key)}`);
      return Reflect.get(object, key) as unknown;
    },
  });
}
