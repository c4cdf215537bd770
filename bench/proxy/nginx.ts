import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Launch } from './program.js';

/** Returns the first line of nginx's version output on stderr; undefined if nginx is not installed. */
export function nginxVersion(): string | undefined {
  const { status, stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  return status === 0 ? stderr.trim() : undefined;
}

/**
 * Returns the command that starts nginx as one process of the current user, with these lines in its block
 * `http`.
 */
export function nginx(folder: string, http: string): Pick<Launch, 'command' | 'args' | 'log'> {
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/tmp;`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  ${temporary.join(' ')}
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; default_type application/json;
${http}
}
`,
  );
  const log = join(folder, 'nginx.log');
  return { command: 'nginx', args: ['-c', file, '-p', folder, '-e', log], log };
}
