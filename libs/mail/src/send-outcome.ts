import type { CaughtMail } from '#libs/entities';
import { SendingTooSlow } from './sending-deadline.js';

/**
 * `refused` is for good: the server will say the same tomorrow. `postponed` may pass. `unsure` may have arrived. `lost` is
 * another worker’s by now, so there is nothing to record. `caught` is kept by a trial instead.
 */
export type SendOutcome =
  | { readonly result: 'sent' | 'lost' }
  | { readonly result: 'caught'; readonly caught: CaughtMail }
  | { readonly result: 'refused' | 'postponed' | 'unsure'; readonly reason: string };

/** The claim on the mail has ended, so it must not be handed over. */
export class ClaimLost extends Error {}

interface SmtpError {
  readonly message: string;
  readonly cause?: unknown;
  readonly code?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/** What a person reads of an answer. Servers write paragraphs. */
const MAX_REASON = 300;

/** What nodemailer says of a mail itself, as opposed to the connection and the sign-in. */
const OF_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

const UNSURE = 'The connection ended before the mail server said whether it has the mail.';

/** What an error means for a mail, depending on whether the server had been told that the mail is complete. */
export function outcomeOf(error: unknown, handedOver: boolean): SendOutcome {
  if (error instanceof ClaimLost) return { result: 'lost' };
  const { code = '', responseCode } = error as SmtpError;
  const reason = oneLine(wordsOf(error as SmtpError));
  const isAnswer = responseCode !== undefined;
  if (OF_THE_MAIL.has(code) && (!isAnswer || responseCode >= 500)) return { result: 'refused', reason };
  return handedOver && !isAnswer ? { result: 'unsure', reason: UNSURE } : { result: 'postponed', reason };
}

/** Why there is no TLS is said by nobody in words that a person could read alone. Nothing of a mail was sent then. */
function wordsOf({ message, cause, code, response }: SmtpError): string {
  if (cause instanceof SendingTooSlow) return cause.message;
  if (code === 'ETLS')
    return `The mail server does not do STARTTLS, without which nothing is sent to it: ${response ?? message}`;
  if (code === 'ESOCKET' && /certificate/i.test(message))
    return `The certificate of the mail server is not accepted: ${message}`;
  return response ?? message;
}

const oneLine = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON);
