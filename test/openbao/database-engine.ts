import pg from 'pg';
import type { OpenBao } from '../support/openbao.js';
import type { PostgresServer } from '../support/postgres-server.js';

/** A connection of the database secrets engine. */
interface DatabaseConnection {
  readonly bao: OpenBao;
  /** Name of the connection; its role for temporary accounts has the same name. */
  readonly name: string;
  /** URL of the database of its owner. */
  readonly url: string;
  /** Lifetime of a temporary account in seconds. */
  readonly ttlSeconds?: number;
  readonly maxTtlSeconds?: number;
}

/** Configures the connection, without a first login to the database, and a role for temporary accounts. */
export async function connectDatabase({
  bao,
  name,
  url,
  ttlSeconds = 600,
  maxTtlSeconds = ttlSeconds * 2,
}: DatabaseConnection): Promise<void> {
  const { host, pathname, username } = new URL(url);
  await bao.ask('POST', `database/config/${name}`, {
    body: {
      plugin_name: 'postgresql-database-plugin',
      allowed_roles: '*',
      connection_url: `postgresql://{{username}}:{{password}}@${host}${pathname}?sslmode=disable&connect_timeout=2`,
      username,
      password: 'trusted',
      verify_connection: false,
    },
  });
  await bao.ask('POST', `database/roles/${name}`, {
    body: {
      db_name: name,
      creation_statements: [
        `CREATE ROLE "{{name}}" LOGIN PASSWORD '{{password}}' VALID UNTIL '{{expiration}}'`,
      ],
      default_ttl: `${ttlSeconds}s`,
      max_ttl: `${maxTtlSeconds}s`,
    },
  });
}

/** Creates an account in the database, and a static role whose password the engine replaces after each period. */
export async function addStaticRole(
  { bao, name }: Pick<DatabaseConnection, 'bao' | 'name'>,
  database: PostgresServer,
  { username, periodSeconds }: { readonly username: string; readonly periodSeconds: number },
): Promise<void> {
  await database.run(`create role "${username}" login password 'first'`);
  await bao.ask('POST', `database/static-roles/${username}`, {
    body: { db_name: name, username, rotation_period: `${periodSeconds}s` },
  });
}

/** Returns true if the database at the URL accepts a login with this user name and password. */
export async function acceptsLogin(url: string, username: string, password: string): Promise<boolean> {
  const { hostname, port, pathname } = new URL(url);
  const client = new pg.Client({
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: username,
    password,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
