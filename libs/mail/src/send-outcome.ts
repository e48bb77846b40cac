import { type CaughtMail, withoutTokens } from '#libs/entities';
import { SendingTooSlow } from './sending-deadline.js';

/**
 * `refused` is permanent and `postponed` transient. `unsure` may have arrived. `lost` belongs to another worker.
 * `caught` is kept by a trial.
 */
export type SendOutcome =
  | { readonly result: 'sent' | 'lost' }
  | { readonly result: 'caught'; readonly caught: CaughtMail }
  | { readonly result: 'refused' | 'postponed' | 'unsure'; readonly reason: string };

/** The mail must not be handed over. */
export class ClaimLost extends Error {}

interface SmtpError {
  readonly message: string;
  readonly cause?: unknown;
  readonly code?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** Some servers respond with paragraphs. */
const MAX_REASON_CHARACTERS = 300;

/** These concern the mail, not the connection or the sign-in. */
const MAIL_ERRORS = new Set(['EENVELOPE', 'EMESSAGE']);

const UNSURE = 'The connection ended before the mail server confirmed that it had accepted the email.';

/** `handedOver` is true once the end of the mail was sent. */
export function outcomeOf(error: unknown, handedOver: boolean): SendOutcome {
  if (error instanceof ClaimLost) return { result: 'lost' };
  const { code = '', responseCode } = error as SmtpError;
  const reason = oneLine(describeError(error as SmtpError));
  const isAnswer = responseCode !== undefined;
  if (MAIL_ERRORS.has(code) && (!isAnswer || responseCode >= 500)) return { result: 'refused', reason };
  return handedOver && !isAnswer ? { result: 'unsure', reason: UNSURE } : { result: 'postponed', reason };
}

/** TLS errors need an explanation. */
function describeError({ message, cause, code, response }: SmtpError): string {
  if (cause instanceof SendingTooSlow) return cause.message;
  if (code === 'ETLS') return `The mail server does not support STARTTLS, so nothing was sent: ${response ?? message}`;
  if (code === 'ESOCKET' && /certificate/i.test(message)) return `The server’s certificate was rejected: ${message}`;
  return response ?? UNREACHED.exec(message)?.[0] ?? message;
}

/** It is followed by the host or address in SMTP_URL, which accounts may not know. */
const UNREACHED = /^(?:connect|getaddrinfo|query[A-Za-z]+) E[A-Z_]+(?= )/;

/** Servers repeat the Return-Path. */
const oneLine = (text: string): string =>
  withoutTokens(text)
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON_CHARACTERS);
