import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { makeCertificate } from './certificates.js';
import { listenOnLoopback } from './loopback.js';

/** A mail as the server received it, with the envelope and whether the connection used TLS. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  readonly isSecure: boolean;
  /** Header and body. */
  readonly text: string;
}

/** A mail server on loopback that requires STARTTLS and a login. */
export interface MailServer {
  readonly port: number;
  readonly caPem: string;
  readonly mails: readonly ReceivedMail[];
  close(): Promise<void>;
}

/** Starts a mail server that accepts one user. */
export async function startMailServer(user: string, password: () => string): Promise<MailServer> {
  const { key, cert } = await makeCertificate({ ip: '127.0.0.1' });
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    key,
    cert,
    onAuth({ username, password: sent }, _session, done) {
      if (username === user && sent === password()) done(null, { user: username });
      else done(new Error('wrong user name or password'));
    },
    onData(stream, { envelope, secure, user: name }, done) {
      text(stream).then(
        (received) => {
          const { mailFrom, rcptTo } = envelope;
          mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            user: typeof name === 'string' ? name : undefined,
            isSecure: secure,
            text: received,
          });
          done();
        },
        (error: unknown) => {
          done(error instanceof Error ? error : new Error(String(error)));
        },
      );
    },
  });
  const { port, close } = await listenOnLoopback(server.server);
  return { port, caPem: cert, mails, close };
}
