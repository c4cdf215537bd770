import { fileURLToPath } from 'node:url';

/** Folder of an adapter as the public catalogue has them, on the real adapter-utils; talks to `inventory-double.ts`. */
export const CATALOGUE_ADAPTER = fileURLToPath(
  new URL('../../../test/support/catalogue-adapter', import.meta.url),
);

interface CatalogueAdapterOptions {
  /** Port and password of the inventory double. */
  readonly port: number;
  readonly password: string;
  /** Type of its health check; default: none. */
  readonly healthcheck?: string;
  /** Further lines of the file. */
  readonly more?: string;
}

/** Returns the file of an adapter that is the catalogue adapter, and logs in to the inventory double. */
export function catalogueAdapterFile({
  port,
  password,
  healthcheck = 'none',
  more = '',
}: CatalogueAdapterOptions): string {
  return `plugin: itential-adapter
baseUrl: http://127.0.0.1:${port}
${more}
options:
  folder: ${CATALOGUE_ADAPTER}
  logLevel: spam
  properties:
    host: 127.0.0.1
    port: ${port}
    protocol: http
    base_path: /api
    version: v1
    authentication: { auth_method: request_token, username: gatehouse, password: ${password}, token_timeout: 600000 }
    healthcheck: { type: ${healthcheck} }
    poll_ms: 50
    request: { number_retries: 0, attempt_timeout: 1000 }
`;
}
