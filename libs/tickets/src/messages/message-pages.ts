import { Unavailable } from '#libs/entities';
import { FairQueue } from '#libs/pacing';

/** Limits memory: a page of messages can be large. Accounts take turns. */
export const messagePages = new FairQueue({
  atOnce: 4,
  mostWaiting: 500,
  refusal: () => new Unavailable('overloaded', 'Too many messages are being read at once. Try again in a second.'),
});

/** Both texts are in every answer. PostgreSQL reads the length of a long text without the text. */
export const BODY_BYTES = 'octet_length(s.body) + octet_length(s.plain_text_body)';
