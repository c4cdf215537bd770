import { WebSocket } from 'undici';

/** Replaces `websocat -H HEADER URL`: prints each message until the server closes the connection. */
function main(args: readonly string[]): void {
  const [flag, header = '', url = ''] = args;
  if (flag !== '-H') throw new Error(`not an option of this stand-in: ${flag ?? ''}`);
  const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(header) ?? [];
  const socket = new WebSocket(url, { headers: { [name]: value } });
  let heard = 0;
  socket.addEventListener('message', ({ data }) => {
    heard += 1;
    process.stdout.write(`${String(data)}\n`);
  });
  socket.addEventListener('close', () => {
    process.exitCode = heard > 0 ? 0 : 1;
  });
}

main(process.argv.slice(2));
