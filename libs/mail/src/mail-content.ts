import { Readable } from 'node:stream';
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, MailFile } from './mail.js';

/** Nodemailer encodes names and subjects, so that they cannot inject headers. */
export function contentOf(mail: Mail, installation: string): SendMailOptions {
  const {
    from = installation,
    to,
    cc = [],
    recipient = to,
    replyTo,
    returnPath,
    mailId,
    ancestors = [],
    subject,
    text,
    html,
    files = [],
  } = mail;
  return {
    from,
    to: { name: '', address: to },
    ...(cc.length > 0 && { cc: cc.map((address) => ({ name: '', address })) }),
    envelope: { from: returnPath ?? (typeof from === 'string' ? from : from.address), to: recipient },
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    ...(mailId !== undefined && { messageId: `<${mailId}>` }),
    ...(ancestors.length > 0 && { inReplyTo: `<${ancestors.at(-1)}>`, references: ancestors.map((id) => `<${id}>`) }),
    attachments: files.map((file) => ({ filename: file.name, contentType: file.type, content: readWhenNeeded(file) })),
    ...(mail.automatic && { headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } }),
  };
}

export const rawMail = (mail: Mail & Required<Pick<Mail, 'from'>>): Promise<Buffer> =>
  new MailComposer({ ...contentOf(mail, ''), disableFileAccess: true, disableUrlAccess: true }).compile().build();

const readWhenNeeded = ({ open }: MailFile): Readable =>
  Readable.from(
    (async function* () {
      yield* await open();
    })(),
    { objectMode: false },
  );
