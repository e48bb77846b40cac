import { DomainError, StorageFull } from '#libs/entities';
import { TooMuchFromUnknownSenders } from '#libs/mailboxes';

/** What SMTP says no with. 4xx means that the sender tries again later, 5xx that it gives up. */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/** The sender keeps whatever we cannot keep just now. */
export function refusalFor(error: unknown): SmtpRefusal {
  if (error instanceof SmtpRefusal) return error;
  if (error instanceof StorageFull)
    return new SmtpRefusal(452, 'There is no room for mail just now, send it again later');
  if (error instanceof TooMuchFromUnknownSenders)
    return new SmtpRefusal(452, 'Too much mail from unknown senders for this mailbox today, send it again later');
  if (error instanceof DomainError && error.kind === 'too_large') return new SmtpRefusal(552, error.message);
  return new SmtpRefusal(451, 'The mail cannot be kept just now, send it again later');
}

/** What a stream says when whoever wrote to it went away. */
const GONE = new Set(['ECONNECTION', 'ERR_STREAM_PREMATURE_CLOSE']);

/** How loudly a refusal is told to the operator. Clients go away in the middle, and are told what is wrong with their mail. */
export function faultOf(error: unknown): 'theirs' | 'debug' | 'error' {
  if (error instanceof SmtpRefusal || error instanceof TooMuchFromUnknownSenders) return 'theirs';
  // FilesService logs once that there is no room.
  if (error instanceof StorageFull) return 'debug';
  if (error instanceof DomainError) return error.kind === 'unavailable' ? 'error' : 'theirs';
  return GONE.has((error as { code?: string }).code ?? '') ? 'debug' : 'error';
}
