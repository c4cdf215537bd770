import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../support/certificates.js';
import { adapted } from './shipped.js';

/** Files with a certificate for `localhost` and its key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** Certificate and key in one file, as HAProxy reads them. */
  readonly bundle: string;
}

/** Places that a shipped file of a load balancer names. */
export interface Machine extends CertificateFiles {
  readonly folder: string;
  /** Port of the load balancer. */
  readonly port: number;
  /** Ports of the two nodes. */
  readonly nodes: readonly [number, number];
}

type Change = readonly [part: string, replacement: string];

/** Writes a certificate for `localhost` to a folder. */
export async function writeCertificate(folder: string): Promise<CertificateFiles> {
  const { cert, key } = await makeCertificate({ dns: 'localhost' });
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return {
    certFile: write('cert.pem', cert),
    keyFile: write('key.pem', key),
    bundle: write('bundle.pem', `${cert}\n${key}`),
  };
}

/** Writes a shipped file of HAProxy for a machine. Returns the arguments of HAProxy. */
export function writeHaproxy(
  file: string,
  { folder, port, nodes, bundle, certFile }: Machine,
): readonly string[] {
  const isTls = file.includes('pass-through');
  const nodePort = isTls ? 3443 : 3000;
  const ofTls: readonly Change[] = [
    ['/etc/haproxy/tls/nodes-ca.pem', certFile],
    ['edge1.example', 'localhost'],
    ['edge2.example', 'localhost'],
  ];
  const path = join(folder, 'haproxy.cfg');
  const text = adapted(file, [
    ['bind :443', `bind 127.0.0.1:${port}`],
    [`10.20.0.21:${nodePort}`, `127.0.0.1:${nodes[0]}`],
    [`10.20.0.22:${nodePort}`, `127.0.0.1:${nodes[1]}`],
    ...(isTls ? ofTls : [['/etc/haproxy/tls/gateway.pem', bundle] as const]),
  ]);
  writeFileSync(path, text);
  return ['-db', '-f', path];
}

/** Writes the shipped file of nginx for a machine, with further changes. Returns the arguments of nginx. */
export function writeNginx(
  { folder, port, nodes, certFile, keyFile }: Machine,
  changes: readonly Change[] = [],
): readonly string[] {
  const site = join(folder, 'site.conf');
  const text = adapted('nginx/gatehouse.conf', [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['listen [::]:443 ssl;', ''],
    ['10.20.0.21:3000', `127.0.0.1:${nodes[0]}`],
    ['10.20.0.22:3000', `127.0.0.1:${nodes[1]}`],
    ['/etc/nginx/tls/gateway.pem', certFile],
    ['/etc/nginx/tls/gateway.key', keyFile],
    ...changes,
  ]);
  writeFileSync(site, text);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const main = join(folder, 'nginx.conf');
  writeFileSync(
    main,
    `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
events { worker_connections 512; }
http { access_log off; ${paths.join(' ')} include ${site}; }
`,
  );
  return ['-p', folder, '-c', main];
}
