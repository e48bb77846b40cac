import { DomainError, StorageFull } from '#libs/entities';
import { TooMuchFromUnknownSenders } from '#libs/mailboxes';

/** After 4xx the sender tries again, after 5xx it gives up. */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** After 4xx, the sender keeps the mail. */
export function refusalFor(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  if (error instanceof StorageFull) return new SmtpRefusal(452, 'Insufficient storage for mail, try again later');
  if (error instanceof TooMuchFromUnknownSenders)
    return new SmtpRefusal(452, 'Too much mail from unknown senders for this mailbox today, try again later');
  if (error instanceof DomainError && error.kind === 'too_large') return new SmtpRefusal(552, error.message);
  return new SmtpRefusal(451, 'Mail cannot be stored at the moment, try again later');
}

/** Codes of a stream whose client disconnected. */
const DISCONNECTED = new Set(['ECONNECTION', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Undefined if only the sender can fix the error. */
export function logLevelOf(error: unknown): 'debug' | 'error' | undefined {
  if (error instanceof SmtpRefusal || error instanceof TooMuchFromUnknownSenders) return undefined;
  // FilesService logs it once.
  if (error instanceof StorageFull) return 'debug';
  if (error instanceof DomainError) return error.kind === 'unavailable' ? 'error' : undefined;
  return DISCONNECTED.has((error as { code?: string }).code ?? '') ? 'debug' : 'error';
}
