import { CERTIFICATE_ERROR, printable } from '#libs/address-guard';
import { DomainError } from '#libs/entities';
import type { ImapRelease } from '#libs/mailboxes';
import { backoffMs } from '#libs/pacing';

/** Its message is shown to the mailbox’s owner. */
export class ConnectionFault extends Error {}

export class ServerFlood extends ConnectionFault {}

export class StuckAtMail extends Error {
  constructor(
    readonly uid: number,
    override readonly cause: unknown,
  ) {
    super('The server does not send an email');
  }
}

/** Tells no more than that the connection ended. */
export const isLostConnection = (error: unknown): boolean =>
  ['NoConnection', 'EConnectionClosed'].includes((error as { code?: string }).code ?? '');

const BACKOFF = { firstMs: 1_000, maxMs: 900_000 };
/** A server that floods after each sign-in waits half a minute. */
const MIN_FLOOD_TRIES = 6;

export function releaseAfter(error: unknown, tries: number): ImapRelease {
  const cause = error instanceof StuckAtMail ? error.cause : error;
  const pauseMs = backoffMs(cause instanceof ServerFlood ? Math.max(tries + 1, MIN_FLOOD_TRIES) : tries + 1, BACKOFF);
  return { pauseMs, error: describeFault(cause), stuckUid: error instanceof StuckAtMail ? error.uid : null };
}

const KNOWN: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The server refuses connections on this port.',
  ECONNRESET: 'The server closed the connection.',
  EPIPE: 'The server closed the connection.',
  EHOSTUNREACH: 'The server cannot be reached.',
  ENETUNREACH: 'The server cannot be reached.',
  ETIMEDOUT: 'The server stopped responding.',
  ETIMEOUT: 'The server stopped responding.',
  CONNECT_TIMEOUT: 'The server did not accept the connection in time.',
  GREETING_TIMEOUT: 'The server accepted the connection but sent nothing. The TLS setting may not match the port.',
  UPGRADE_TIMEOUT: 'The server did not complete STARTTLS.',
  NoConnection: 'The connection was lost.',
  EConnectionClosed: 'The connection was lost.',
  ClosedAfterConnectTLS: 'The server closed the connection after TLS.',
  ClosedAfterConnectText: 'The server closed the connection at once. It may require TLS.',
  LiteralTooLarge: 'The server sent more than was requested.',
  LineTooLarge: 'The server sent a line that is too long.',
  ResponseTooLarge: 'The server sent more than was requested.',
  TooManyTokens: 'The server sent more than was requested.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The server does not speak TLS on this port.',
};

function describeFault(error: unknown): string {
  if (error instanceof ConnectionFault || error instanceof DomainError) return printable(error.message);
  const { message, code, authenticationFailed, responseText, response } = error as Record<string, unknown>;
  const said = [responseText, response].find((one): one is string => typeof one === 'string' && one !== '');
  if (authenticationFailed) return printable(`The server refused the sign-in${said ? `: ${said}` : '.'}`);
  const name = typeof code === 'string' ? code : '';
  if (KNOWN[name]) return KNOWN[name];
  if (CERTIFICATE_ERROR.test(name)) return printable(`The server’s certificate was rejected: ${String(message)}`);
  if (name.startsWith('ParserError')) return 'The server’s response is not valid IMAP.';
  if (said) return printable(`The server responded: ${said}`);
  return printable(String(message ?? error));
}
