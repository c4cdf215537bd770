import assert from 'node:assert/strict';
import { startTestServer } from '../support/test-server.js';

describe('the start with server.publicUrl', () => {
  it('prints the address of the console there (bug: sign-in always failed at the printed address)', async () => {
    const server = await startTestServer({
      main: { server: 'publicUrl: "https://gateway.example"' },
    });
    await server.close();
    assert.match(server.logLines.join(''), /open the console in a browser: https:\/\/gateway\.example\/ui\//);
  });
});
