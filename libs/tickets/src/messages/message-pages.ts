import { Unavailable } from '#libs/entities';
import { FairQueue } from '#libs/pacing';

/**
 * A page of messages can be as large as many bodies, so a process makes few at once. They are made within milliseconds,
 * and accounts take turns.
 */
export const messagePages = new FairQueue({
  atOnce: 4,
  mostWaiting: 500,
  refusal: () => new Unavailable('overloaded', 'Too many messages are being read at once. Try again in a second.'),
});

/** Both are in every answer. PostgreSQL reads the length of a long text without the text. */
export const BODY_BYTES = 'octet_length(s.body) + octet_length(s.plain_text_body)';
