import type { ClaimedArrival } from './arrival.statements.js';
import type { UnreadableMail } from './mail-reader.js';
import { mailIdOfContent } from './mail-ids.js';
import type { ReadMail } from './read-mail.js';

const SENTENCES: Readonly<Record<UnreadableMail['reason'], string>> = {
  malformed: 'Its parts are nested too deeply, too many or too large.',
  timeout: 'Reading it took too long.',
  crash: 'Reading it took more memory than there is for one mail.',
  lost: 'Its bytes are not in the file store any more.',
};

/** What is shown in place of a mail that cannot be read. It is attached as it came, so that nothing of what is there is lost. */
export function mailAbout({ reason }: UnreadableMail, { hash }: ClaimedArrival, raw: Uint8Array | null): ReadMail {
  return {
    from: null,
    hasOneAuthor: false,
    to: [],
    cc: [],
    unanswered: [],
    addressed: [],
    recipients: [],
    subject: 'Unreadable mail',
    mailId: mailIdOfContent(hash),
    ancestors: [],
    automatic: false,
    authentication: [],
    contentHash: hash,
    text: `This mail could not be read. ${SENTENCES[reason]}${raw ? ' It is attached as it came.' : ''}`,
    html: '',
    files: raw ? [{ name: 'mail.eml', type: 'message/rfc822', content: raw }] : [],
    longTexts: [],
  };
}
