import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { chunkedFrame } from '../../../plugins/netconf/framing.js';
import { pinnedKeys } from '../../../plugins/netconf/host-key.js';
import { connectSsh } from '../../../plugins/netconf/ssh-transport.js';
import { Secret } from '../../../src/core/secret.js';
import { problem } from '../../support/failing.js';
import type { DoubleSession } from '../../support/netconf-double.js';
import { until } from '../../support/until.js';
import { dataWith, DEVICE, doublesOfTest, outcomeOf, replyTo } from './double-adapter.js';

const PACKET = Buffer.alloc(32_768);
const MIB = 1024 * 1024;
const DATA = dataWith('<offset>1</offset>');

describe('the plugin netconf with a server that misuses SSH', () => {
  const { openDouble, start } = doublesOfTest();

  async function openConnection() {
    const sessions: DoubleSession[] = [];
    const onConnect = (session: DoubleSession): void => void sessions.push(session);
    const { port, fingerprint } = await openDouble({ onConnect });
    let socket: Socket | undefined;
    const settings = {
      ...{ host: '127.0.0.1', port, username: 'gatehouse', password: new Secret('a-password') },
      ...{ hostKeys: pinnedKeys([fingerprint]), connectMs: 20_000, keepaliveMs: 20_000 },
    };
    const open = async (): Promise<Socket> => {
      socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const connected = await connectSsh(settings, open, AbortSignal.timeout(20_000));
    await until(() => sessions.length > 0);
    const [session] = sessions;
    assert.ok(socket && session);
    return { socket, session, connected };
  }

  it('offers no group exchange, whose prime of the server Node.js would test for seconds in the main thread', async () => {
    for (const keyExchange of ['diffie-hellman-group-exchange-sha256', 'diffie-hellman-group18-sha512']) {
      const starting = start({ keyExchanges: [keyExchange] });
      assert.match(
        await outcomeOf(starting),
        /^upstream_unreachable: no SSH connection .*no matching key exchange/,
      );
    }
    const { device } = await start({
      keyExchanges: ['diffie-hellman-group14-sha256'],
      onOperation: () => DATA,
    });
    assert.equal(await device.outcome(`GET ${DEVICE}/offset`), '200');
  });

  it('keeps little of what a server sends beyond the window, while nothing is read', async () => {
    const { socket, session, connected } = await openConnection();
    connected.stream.resume();
    await until(() => !socket.isPaused());
    connected.stream.pause();
    for (let sent = 0; sent < 256; sent += 1) session.ssh?.data(PACKET);
    await until(() => socket.isPaused());
    assert.ok(connected.stream.readableLength < MIB / 4, `${connected.stream.readableLength} bytes`);
    connected.close();
    await until(() => socket.destroyed);
  });

  it('ends a connection that the server does not end, also while nothing is read', async () => {
    const { socket, connected } = await openConnection();
    connected.stream.pause();
    connected.close();
    await until(() => socket.destroyed);
  });

  const MISUSES: Readonly<
    Record<string, readonly [packets: number, send: 'dataToNobody' | 'errorOutput', expected: RegExp]>
  > = {
    '4 MiB of data for no channel': [140, 'dataToNobody', /more than 4194304 bytes of SSH without data/],
    'more than 1 MiB of error output': [33, 'errorOutput', /more than 1048576 bytes of error output/],
  };
  for (const [name, [packets, send, expected]] of Object.entries(MISUSES))
    it(`ends a session with ${name}, and serves the next call with another one`, async () => {
      let isFirst = true;
      const { device } = await start({
        onOperation(_operation, { ssh }) {
          if (!isFirst) return DATA;
          isFirst = false;
          for (let sent = 0; sent < packets; sent += 1) ssh?.[send](PACKET);
          return undefined;
        },
      });
      // An RPC is sent once.
      const calling = device.call('POST /restconf/operations/test-device:restart');
      await assert.rejects(calling, problem('upstream_too_large', expected));
      assert.equal(await device.outcome(`GET ${DEVICE}/offset`), '200');
    });

  it('reads a message in pieces of one byte, and accepts a little error output', async () => {
    const { device } = await start({
      onOperation(_operation, session, messageId) {
        const { ssh } = session;
        ssh?.errorOutput(Buffer.from('warning: the clock is not set\n'));
        const frame = chunkedFrame(`${replyTo(messageId)}${DATA}</rpc-reply>`);
        for (let at = 0; at < frame.length; at += 1) ssh?.data(frame.subarray(at, at + 1));
        return undefined;
      },
    });
    assert.equal(await device.outcome(`GET ${DEVICE}/offset`), '200');
  });

  it('ends a session that sends 3 MiB at once, beyond the window, without a frame', async () => {
    const { device } = await start(
      {
        onOperation(_operation, { ssh }) {
          ssh?.data(Buffer.from(`\n#${MIB * 4}\n`));
          for (let sent = 0; sent < 96; sent += 1) ssh?.data(PACKET);
          return undefined;
        },
      },
      { maxReplyBytes: MIB },
    );
    assert.match(await outcomeOf(device.call(`GET ${DEVICE}/offset`)), /larger than 1048576 bytes/);
  });
});
