import { startedForFile } from '#test/support/desk-for-file.js';
import { MailServer } from './mail-server.js';
import { OAuthDesk } from './oauth-desk.js';

/** An installation for all tests of a file, which starts before them and stops after them. */
export const oauthDeskForFile = (settings: Readonly<Record<string, string>> = {}): OAuthDesk =>
  startedForFile(OAuthDesk.prototype, () => OAuthDesk.start(settings));

/** The same with a mail server that accepts what it sends. */
export function oauthDeskWithMails(settings: Readonly<Record<string, string>> = {}): [OAuthDesk, MailServer] {
  const mails = startedForFile(MailServer.prototype, () => MailServer.start());
  return [startedForFile(OAuthDesk.prototype, () => OAuthDesk.start({ SMTP_URL: mails.url, ...settings })), mails];
}
