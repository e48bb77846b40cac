import type { ClaimedArrival } from './arrival.statements.js';
import type { UnreadableMail } from './mail-reader.js';
import { mailIdOfContent } from './mail-ids.js';
import type { ReadMail } from './read-mail.js';

const SENTENCES: Readonly<Record<UnreadableMail['reason'], string>> = {
  malformed: 'Its parts are nested too deeply, too many or too large.',
  timeout: 'Reading it took too long.',
  crash: 'Reading it took more memory than there is for one mail.',
};

/** What is shown in place of a mail that cannot be read: it is attached as it came, so that nothing is lost. */
export function mailAbout({ reason }: UnreadableMail, { hash }: ClaimedArrival, raw: Uint8Array): ReadMail {
  return {
    from: null,
    recipients: [],
    subject: 'Unreadable mail',
    mailId: mailIdOfContent(hash),
    ancestors: [],
    automatic: false,
    contentHash: hash,
    text: `This mail could not be read. ${SENTENCES[reason]} It is attached as it came.`,
    html: '',
    files: [{ name: 'mail.eml', type: 'message/rfc822', content: raw }],
  };
}
