import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { EgressCaller } from '../../core/egress.js';
import { transportFailureOf } from '../../core/transport-failure.js';
import type { Scheduler } from '../../lib/clock.js';
import { untilAborted } from '../../lib/timeout.js';
import type { MailSettings, ReceiverSettings, WebhookSettings } from '../../settings/notifications.js';
import { mailSubject, mailText, type NotificationMessage, webhookBody } from './message.js';

/**
 * Sends a message to a receiver. Throws an Error with the reason if the receiver did not accept it. Returns the recipients
 * of a mail that the mail server refused, while it accepted others.
 */
export type SendNotification = (
  receiver: ReceiverSettings,
  message: NotificationMessage,
  signal: AbortSignal,
) => Promise<{ readonly refused: readonly string[] }>;

/** Time limit of a whole message, in milliseconds: a receiver that answers slowly must not hold its connection. */
export const SEND_TIMEOUT_MS = 30_000;
/** Time limit of each step of a mail, in milliseconds. */
const MAIL_TIMEOUT_MS = 15_000;

interface SendInput {
  /** Runs work with the egress rules of the live configuration, which webhooks pass. */
  readonly useEgress: <T>(work: (egress: Pick<EgressCaller, 'call'>) => Promise<T>) => Promise<T>;
  /** Clock of the time limit. */
  readonly scheduler: Scheduler;
}

export function createSend({ useEgress, scheduler }: SendInput): SendNotification {
  return async (receiver, message, closing) => {
    const deadline = new AbortController();
    const cancel = scheduler.after(SEND_TIMEOUT_MS, () => {
      deadline.abort(new Error(`the receiver did not accept the message within ${SEND_TIMEOUT_MS / 1000} s`));
    });
    const signal = AbortSignal.any([closing, deadline.signal]);
    try {
      return await untilAborted(sendTo(receiver, message, { useEgress, signal }), signal);
    } finally {
      cancel();
    }
  };
}

async function sendTo(
  { name, webhook, mail }: ReceiverSettings,
  message: NotificationMessage,
  { useEgress, signal }: Pick<SendInput, 'useEgress'> & { readonly signal: AbortSignal },
): Promise<{ readonly refused: readonly string[] }> {
  if (webhook) await useEgress((egress) => sendWebhook(webhook, message, { name, egress, signal }));
  return { refused: mail ? await sendMail(mail, message, signal) : [] };
}

interface WebhookTerms {
  readonly name: string;
  readonly egress: Pick<EgressCaller, 'call'>;
  readonly signal: AbortSignal;
}

/**
 * Sends a message as JSON. The signature is the HMAC-SHA256 of the time stamp, a full stop and the body, so that a receiver
 * can refuse forged and replayed messages.
 */
async function sendWebhook(
  { url, secret }: WebhookSettings,
  message: NotificationMessage,
  { name, egress, signal }: WebhookTerms,
): Promise<void> {
  const body = webhookBody(message);
  const timestamp = String(Math.floor(message.at / 1000));
  const signature = createHmac('sha256', secret.reveal()).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'gatehouse',
    'x-gatehouse-timestamp': timestamp,
    'x-gatehouse-signature': `sha256=${signature}`,
  };
  const call = {
    uri: url,
    method: 'POST',
    headers,
    body: Buffer.from(body),
    // Each receiver has its own share of the concurrent calls.
    subject: `notifications ${name}`,
  } as const;
  const reply = await egress.call(call, signal);
  reply.release();
  if (reply.status < 200 || reply.status > 299)
    throw new Error(`the receiver answered with the status ${reply.status}`);
}

/** Sends a mail. Returns the recipients that the mail server refused, if it accepted others. */
async function sendMail(
  settings: MailSettings,
  message: NotificationMessage,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { host, port, security, username, password, caFile, from, to } = settings;
  const ca = caFile === null ? undefined : await readFile(caFile, 'utf8');
  // Loaded with the first mail: most servers send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(username !== null && { auth: { user: username, pass: password?.reveal() ?? '' } }),
    tls: { minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) },
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { rejected } = await transport.sendMail({
      signal,
      from,
      to: [...to],
      subject: mailSubject(message),
      text: mailText(message),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return rejected;
  } catch (error) {
    throw error instanceof Error ? mailFailure(error, `the mail server ${host}:${port}`) : error;
  } finally {
    transport.close();
  }
}

/** Returns the error of a mail with the hop that failed in its words; any other error unchanged. */
function mailFailure(error: Error, server: string): Error {
  if ('code' in error && error.code === 'EAUTH') {
    const status = 'responseCode' in error ? ` (status ${String(error.responseCode)})` : '';
    return new Error(`${server} refused the login${status}`, { cause: error });
  }
  const failed = transportFailureOf(error, server);
  return failed ? new Error(failed.words, { cause: error }) : error;
}
