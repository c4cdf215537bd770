import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapted } from './shipped.js';

/** Places that the shipped file of nginx names. */
interface NginxMachine {
  readonly folder: string;
  /** Port of nginx. */
  readonly port: number;
  /** Ports of the two nodes. */
  readonly nodes: readonly [number, number];
  readonly certFile: string;
  readonly keyFile: string;
}

type Change = readonly [part: string, replacement: string];

/** Writes the shipped file for a machine, with further changes. Returns the arguments of nginx. */
export function writeNginx(
  { folder, port, nodes, certFile, keyFile }: NginxMachine,
  changes: readonly Change[] = [],
): readonly string[] {
  const site = join(folder, 'site.conf');
  writeFileSync(
    site,
    adapted('nginx/gatehouse.conf', [
      ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
      ['listen [::]:443 ssl;', ''],
      ['10.20.0.21:3000', `127.0.0.1:${nodes[0]}`],
      ['10.20.0.22:3000', `127.0.0.1:${nodes[1]}`],
      ['/etc/nginx/tls/gateway.pem', certFile],
      ['/etc/nginx/tls/gateway.key', keyFile],
      ...changes,
    ]),
  );
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
