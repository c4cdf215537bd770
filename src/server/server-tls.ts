import type { Secret } from '../core/secret.js';
import type { ServerSettings } from '../core/settings.js';
import type { LocatedFault } from '../core/fault.js';
import { readTlsMaterial, type TlsReading } from '../upstream/tls-material.js';

type Tls = NonNullable<ServerSettings['tls']>;

/** Returns the faults of the certificate files of the server; their pointers are relative to the main file. */
export async function serverTlsFaults(tls: Tls): Promise<readonly LocatedFault[]> {
  const { faults } = await read(tls);
  return faults.map((fault) => ({ ...fault, pointer: `/server${fault.pointer}` }));
}

/** Reads certificate and key as PEM text. Throws an Error if the files became unusable since they were checked. */
export async function readServerTls(tls: Tls): Promise<{ cert: string; key: Secret; hsts: string | null }> {
  const { material, faults } = await read(tls);
  const { cert, key } = material;
  if (faults.length > 0 || cert === undefined || key === undefined) {
    throw new Error(`server.tls cannot be used: ${faults.map(({ message }) => message).join('; ')}`);
  }
  return { cert, key, hsts: tls.hsts };
}

function read({ certFile, keyFile }: Pick<Tls, 'certFile' | 'keyFile'>): Promise<TlsReading> {
  return readTlsMaterial({ certFile, keyFile, caFile: null, serverName: null, insecure: false });
}
