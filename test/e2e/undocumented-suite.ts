import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callUrl } from '../support/call.js';

// A suite whose server returns an undocumented reply; it is not part of the real suite.
describe('a suite', () => {
  it('requests the readiness of a server and ignores the reply', async () => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': '1',
      'cache-control': 'no-store',
    };
    const server = createServer((_request, response) => response.writeHead(200, headers).end('{"host":1}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await callUrl(`http://127.0.0.1:${port}/readyz`, { method: 'GET' });
    server.closeAllConnections();
    server.close();
  });
});
