import { errors } from 'undici';
import { CERTIFICATE_ERROR, printable } from '#libs/address-guard';

/** Stored, shown and counted, so they never change. */
export const FAILURE_CODES = [
  'invalid_url',
  'refused_address',
  'dns',
  'connect',
  'proxy',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'too_long',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

export interface Failure {
  readonly kind: 'failure';
  readonly error: FailureCode;
  readonly detail: string;
}

export function failure(error: FailureCode, detail: string): Failure {
  return { kind: 'failure', error, detail };
}

export class ExchangeInterrupted extends Error {
  readonly reason: Failure;

  constructor(error: FailureCode, detail: string) {
    super(detail);
    this.reason = failure(error, detail);
  }
}

const KNOWN_ERRORS: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: failure('connect', 'the connection was refused'),
  EHOSTUNREACH: failure('connect', 'the host is unreachable'),
  ENETUNREACH: failure('connect', 'the network is unreachable'),
  EADDRNOTAVAIL: failure('connect', 'the network is unreachable'),
  ETIMEDOUT: failure('timeout', 'the host stopped answering'),
  ECONNRESET: failure('reset', 'the connection was reset before the response was complete'),
  EPIPE: failure('reset', 'the connection was closed before the request was sent'),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: failure('reset', 'the response does not match its Content-Length'),
  UND_ERR_HEADERS_OVERFLOW: failure('too_long', 'the response headers are too large'),
};

const TLS_ERROR = /^(ERR_SSL_|ERR_TLS_|CRL_|EPROTO|HOSTNAME_MISMATCH|INVALID_|PATH_)/;

export function failureOf(error: unknown): Failure {
  if (error instanceof ExchangeInterrupted) return error.reason;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = KNOWN_ERRORS[code];
  if (known) return known;
  if (code === 'UND_ERR_SOCKET') return brokenConnection(message);
  if (error instanceof errors.HTTPParserError) return invalidResponse(message);
  if (CERTIFICATE_ERROR.test(code)) return failure('tls', `the certificate is not accepted: ${printable(message)}`);
  if (TLS_ERROR.test(code)) return failure('tls', 'no secure connection could be agreed on');
  return failure('connect', code || 'the connection failed');
}

/** undici uses one code for two cases. */
function brokenConnection(message: string): Failure {
  return message.startsWith('bad ')
    ? failure('protocol', 'the response does not match the request')
    : failure('reset', 'the connection was closed before the response was complete');
}

/** The parser also fails when the connection ends early. */
function invalidResponse(message: string): Failure {
  return message.includes('EOF')
    ? failure('reset', 'the connection was closed in the middle of the answer')
    : failure('protocol', 'the response is not valid HTTP/1.1');
}
